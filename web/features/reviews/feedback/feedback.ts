import { useCallback, useSyncExternalStore } from 'react';
import type { Input } from '#contract/endpoint.ts';
import { feedbackEndpoints } from '#contract/endpoints/feedback.ts';
import { replyEndpoints } from '#contract/endpoints/replies.ts';
import { api, session } from '#web/lib/session.ts';
import { call, pageWrites } from '#web/lib/write.ts';
import { createFeedbackStore } from './feedback-store.ts';

/** Shared by all the cards of the page. */
export const feedback = createFeedbackStore({ api, session });

/** The user's feedback on a review. It is loaded while the review is on the screen. */
export function useOwnFeedback(id: string) {
  const watch = useCallback((listener: () => void) => feedback.watch(id, listener), [id]);
  const read = () => feedback.get(id);
  return useSyncExternalStore(watch, read, read);
}

/** The writes of every page whose review cards have a report dialog. */
export const feedbackWrites = pageWrites(
  {
    async report(input: Input<typeof feedbackEndpoints.report>): Promise<void> {
      await api.call(feedbackEndpoints.report, input);
      feedback.markReported(String(input.params.id));
    },
    reportReply: call(replyEndpoints.report),
  },
  { revalidates: [] },
);
