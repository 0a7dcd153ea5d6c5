import { useEffect } from 'react';
import { type Location, useLocation, useNavigate, useNavigationType } from 'react-router';
import type { Vote } from '#contract/reviews/review-feedback.ts';
import type { Review } from '#contract/reviews/reviews.ts';
import { paths } from './paths.ts';
import type { OwnScrollState } from './scroll.ts';

/**
 * A vote that a reader clicked before logging in. It is navigation state, which the login page
 * passes on. So only a click on this site can create it, and no URL can.
 */
interface VoteOnReturn extends OwnScrollState {
  vote: { reviewId: string; kind: Vote };
}

export const voteOnReturn = (reviewId: string, kind: Vote): VoteOnReturn => ({
  vote: { reviewId, kind },
  scrollsItself: true,
});

export const voteIn = ({ state }: Location) =>
  (state as Partial<VoteOnReturn> | null)?.vote ?? null;

/** Null after a reload or Back, so that a vote is cast only once. */
export function useVoteOnReturn() {
  const location = useLocation();
  return useNavigationType() === 'POP' ? null : voteIn(location);
}

/** If the loaded list does not contain the review to vote on, opens the page of the review. */
export function useFindOnReturn(items: readonly Review[], isLoading: boolean): void {
  const vote = useVoteOnReturn();
  const navigate = useNavigate();
  const isMissing =
    vote !== null &&
    !isLoading &&
    items.length > 0 &&
    !items.some(({ id }) => id === vote.reviewId);

  useEffect(() => {
    if (!isMissing || vote === null) return;
    const state = voteOnReturn(vote.reviewId, vote.kind);
    void navigate(paths.review(vote.reviewId), { replace: true, state });
  }, [isMissing, vote, navigate]);
}
