import { useEffect } from 'react';
import { type Location, useLocation, useNavigate, useNavigationType } from 'react-router';
import { parseUrl } from '#contract/api-path.ts';
import type { Vote } from '#contract/reviews/review-feedback.ts';
import type { Review } from '#contract/reviews/reviews.ts';
import { type AfterSignIn, asRedirect, paths } from './paths.ts';
import type { OwnScrollState } from './scroll.ts';

/** The base for resolving paths. Any other origin in the result means an absolute URL. */
const NOWHERE = 'https://nowhere.invalid';

export const readAfterSignIn = (search: URLSearchParams): AfterSignIn => ({
  redirect: search.get('redirect'),
  employer: search.get('employer'),
});

/**
 * Where to go after login (docs/product/accounts.md, "Logging in"). Always a path of this site.
 * Anything else is replaced with the dashboard.
 */
export function pathAfterSignIn({ redirect, employer }: AfterSignIn): string {
  const target = localPath(asRedirect(redirect ?? ''));
  if (target === null || target === paths.home()) return paths.dashboard();
  return target === paths.createReview() && employer ? paths.createReview({ employer }) : target;
}

/** Null if a browser would go to another site, as for `\example.com`. */
function localPath(redirect: string): string | null {
  const url = parseUrl(`/${redirect}`, NOWHERE);
  if (url?.origin !== NOWHERE) return null;
  return url.pathname.replace(/^\/+/, '/') + url.search + url.hash;
}

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
