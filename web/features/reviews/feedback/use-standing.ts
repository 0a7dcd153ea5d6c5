import { useCallback, useSyncExternalStore } from 'react';
import { api, session } from '#web/lib/session.ts';
import { createFeedbackStore } from './feedback-store.ts';

/** One for all the cards of this page. */
export const feedback = createFeedbackStore({ api, session });

/** What the reader has to do with a review; it is asked for while the review is on the screen. */
export function useStanding(id: string) {
  const watch = useCallback((listener: () => void) => feedback.watch(id, listener), [id]);
  const look = () => feedback.get(id);
  return useSyncExternalStore(watch, look, look);
}
