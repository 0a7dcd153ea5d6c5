export const NO_EXACT_MATCH = 'No exact match. Closest:';

/** Above results that match a search only roughly. */
export const ClosestNote = () => (
  <p className="pb-4 font-display text-xl text-balance">{NO_EXACT_MATCH}</p>
);
