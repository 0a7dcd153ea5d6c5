import { useCallback, useSyncExternalStore } from 'react';
import type { Input } from '#contract/endpoint.ts';
import {
  castVoteEndpoints,
  feedbackEndpoints,
  takeVoteBackEndpoints,
} from '#contract/endpoints/feedback.ts';
import { replyEndpoints } from '#contract/endpoints/replies.ts';
import { ERRORS } from '#contract/errors.ts';
import { PAGE_SIZE_MAX } from '#contract/limits.ts';
import type { ReviewVotes, Vote, VoteResponse } from '#contract/reviews/review-feedback.ts';
import type { Review } from '#contract/reviews/reviews.ts';
import type { Api } from '#web/lib/api.ts';
import { api, session } from '#web/lib/session.ts';
import type { SessionStore } from '#web/lib/session-store.ts';
import { createStore } from '#web/lib/store.ts';
import { ApiError, textMember } from '#web/lib/transport-error.ts';
import { call, pageWrites } from '#web/lib/write.ts';

/** The user's relation to a review. Pages are the same for everyone, so it is loaded separately. */
export interface OwnFeedback {
  isOwn: boolean;
  vote: Vote | null;
  isReported: boolean;
  /** After the user's own vote. Null if the user has not voted. */
  helpfulCount: number | null;
}

const UNKNOWN: OwnFeedback = { isOwn: false, vote: null, isReported: false, helpfulCount: null };

const FEEDBACK_FAILURES = {
  unverified: 'Only verified doctors can mark reviews as helpful.',
} as const;

export interface FeedbackDeps {
  api: Pick<Api, 'call'>;
  session: Pick<SessionStore, 'get' | 'subscribe'>;
}

export function createFeedbackStore({ api, session }: FeedbackDeps) {
  const known = createStore<ReadonlyMap<string, OwnFeedback>>(new Map());
  /** The number of cards of each review on the screen. */
  const watched = new Map<string, number>();
  const pending = new Set<string>();
  const sending = new Set<string>();
  let userId: string | null = null;

  const get = (id: string): OwnFeedback => known.get().get(id) ?? UNKNOWN;

  function set(id: string, change: Partial<OwnFeedback>): void {
    known.set(new Map(known.get()).set(id, { ...get(id), ...change }));
  }

  /**
   * When the user changes, drops everything but the counts, and loads the feedback of the new user.
   */
  function followSession(): void {
    const current = session.get().user?.id ?? null;
    if (current === userId) return;
    userId = current;
    for (const [id, { helpfulCount }] of known.get()) set(id, { ...UNKNOWN, helpfulCount });
    for (const id of watched.keys()) pending.add(id);
    loadSoon();
  }

  /** One request for all the reviews that appear together. */
  function loadSoon(): void {
    if (userId !== null) queueMicrotask(() => void load());
  }

  async function load(): Promise<void> {
    const ids = [...pending].slice(0, PAGE_SIZE_MAX);
    if (ids.length === 0 || userId === null) return;
    for (const id of ids) pending.delete(id);
    if (pending.size > 0) loadSoon();
    const reader = userId;
    const before = new Map(ids.map((id) => [id, get(id)]));
    try {
      const votes = await api.call(feedbackEndpoints.ownVotes, { query: { ids: ids.join(',') } });
      if (reader !== userId) return;
      for (const id of ids) {
        // What the user did in the meantime is newer.
        if (get(id) !== before.get(id) || sending.has(id)) continue;
        set(id, {
          isOwn: votes.own.includes(id),
          vote: voteOn(id, votes),
          isReported: votes.reported.includes(id),
        });
      }
    } catch (error) {
      // Optional: reviews are readable without it, and a repeated vote counts only once.
      if (!(error instanceof ApiError)) throw error;
    }
  }

  /**
   * Votes for a review, replaces the user's other vote, or withdraws the vote. Shows the new vote
   * right away, then the response of the server. Clicks during a request are sent after it. Returns
   * an error text, or null.
   */
  async function setVote({ id, helpful_count }: Review, vote: Vote | null): Promise<string | null> {
    const { isOwn, vote: before, helpfulCount } = get(id);
    if (isOwn) return ERRORS.own_review.text;
    const voter = userId;
    let settled = { vote: before, helpfulCount: helpfulCount ?? helpful_count };
    set(id, { vote, helpfulCount: settled.helpfulCount + counted(vote) - counted(before) });
    if (sending.has(id)) return null;
    sending.add(id);
    try {
      for (;;) {
        const wanted = get(id).vote;
        const changing = wanted ?? settled.vote;
        // The server has the wanted vote, or the user has signed out.
        if (changing === null || wanted === settled.vote || voter !== userId) return null;
        const answer = await sendVote(id, changing, wanted !== null);
        settled = { vote: answer.vote, helpfulCount: answer.helpful_count };
      }
    } catch (error) {
      return voteFailure(error);
    } finally {
      sending.delete(id);
      set(id, voter === userId ? settled : { helpfulCount: settled.helpfulCount });
    }
  }

  function sendVote(id: string, vote: Vote, isGiven: boolean): Promise<VoteResponse> {
    const endpoints = isGiven ? castVoteEndpoints : takeVoteBackEndpoints;
    return api.call(endpoints[vote], { params: { id } });
  }

  session.subscribe(followSession);
  followSession();

  return {
    get,

    /** A second click on the same vote withdraws it. */
    toggleVote: (review: Review, kind: Vote) =>
      setVote(review, get(review.id).vote === kind ? null : kind),

    castVote: (review: Review, kind: Vote) => setVote(review, kind),

    /** Called while a review is on the screen. */
    watch(id: string, listener: () => void): () => void {
      const stop = known.subscribe(listener);
      watched.set(id, (watched.get(id) ?? 0) + 1);
      if (!known.get().has(id)) {
        pending.add(id);
        loadSoon();
      }
      return () => {
        stop();
        const others = (watched.get(id) ?? 1) - 1;
        if (others > 0) watched.set(id, others);
        else watched.delete(id);
      };
    },

    markReported: (id: string) => set(id, { isReported: true }),
  };
}

function voteOn(id: string, votes: ReviewVotes): Vote | null {
  if (votes.helpful.includes(id)) return 'helpful';
  return votes.not_helpful.includes(id) ? 'not_helpful' : null;
}

/** What a vote adds to the count. */
const counted = (vote: Vote | null) => (vote === 'helpful' ? 1 : 0);

function voteFailure(error: unknown): string {
  if (!(error instanceof ApiError)) throw error;
  const code = textMember(error.response?.body, 'code');
  if (code === 'own_review') return ERRORS.own_review.text;
  return error.status === 403 ? FEEDBACK_FAILURES.unverified : error.message;
}

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
