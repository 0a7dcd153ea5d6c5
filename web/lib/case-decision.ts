import type { Ref } from 'react';

/** Props of the component in which a case is decided. */
export interface Decided {
  caseId: string;
  /** The part of the page with the decision. */
  decision: Ref<HTMLDivElement>;
  /** Called with what was decided, and whether the case's subject has a page where it can be undone. */
  onDecided: (done: string, canUndo?: boolean) => void;
}

/** The same where there may be no case, and so none to close. */
export type DecidedAnywhere = Pick<Decided, 'onDecided'> & {
  [Name in 'caseId' | 'decision']?: Decided[Name] | undefined;
};
