import { NO_EXACT_MATCH } from '#web/lib/use-option-search.ts';

/** Shown above results that match a search only approximately. */
export const ClosestNote = () => (
  <p className="pb-4 font-display text-xl text-balance">{NO_EXACT_MATCH}</p>
);
