import type { Ref } from 'react';

/** Props of the component in which a case is decided. */
export interface Decided {
  caseId: string;
  /** The part of the page with the decision. */
  decision: Ref<HTMLDivElement>;
  onDecided: (done: string) => void;
}
