import type { Ref } from 'react';

/** What the part of a page that decides a case gets from the page. */
export interface Decided {
  caseId: string;
  /** The part of the page with the decision. */
  decision: Ref<HTMLDivElement>;
  onDecided: (done: string) => void;
}
