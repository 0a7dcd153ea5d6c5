import { useEffect, useEffectEvent, useRef } from 'react';
import type { Vote } from '#contract/review-feedback.ts';
import type { Review } from '#contract/reviews.ts';
import { useVoteOnReturn } from '#web/lib/vote-on-return.ts';
import { feedback } from './feedback.ts';

/**
 * Casts the vote that a reader clicked before logging in. `onCast` scrolls the review into view.
 */
export function useCastOnReturn(
  review: Review,
  isSignedIn: boolean,
  onCast: (outcome: Promise<string | null>, kind: Vote) => void,
): void {
  const vote = useVoteOnReturn();
  const isMine = vote?.reviewId === review.id;
  const isDone = useRef(false);
  const cast = useEffectEvent(() => {
    if (isDone.current || vote === null) return;
    isDone.current = true;
    onCast(feedback.castVote(review, vote.kind), vote.kind);
  });

  useEffect(() => {
    if (isMine && isSignedIn) cast();
  }, [isMine, isSignedIn]);
}
