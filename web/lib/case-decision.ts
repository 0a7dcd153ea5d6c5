import type { Ref } from 'react';

/** Props of the component in which a case is decided. */
export interface Decided {
  caseId: string;
  /** The part of the page with the decision. */
  decision: Ref<HTMLDivElement>;
  /** Called with what was decided, and whether the case's subject has a page where it can be undone. */
  onDecided: (done: string, canUndo?: boolean) => void;
}
