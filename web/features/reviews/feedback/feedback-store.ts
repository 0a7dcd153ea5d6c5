import {
  castVoteEndpoints,
  feedbackEndpoints,
  takeVoteBackEndpoints,
} from '#contract/endpoints/feedback.ts';
import { ERRORS } from '#contract/errors.ts';
import { PAGE_SIZE_MAX } from '#contract/limits.ts';
import type { ReviewVotes, Vote, VoteResponse } from '#contract/review-feedback.ts';
import type { Review } from '#contract/reviews.ts';
import type { Api } from '#web/lib/api.ts';
import type { SessionStore } from '#web/lib/session-store.ts';
import { createStore } from '#web/lib/store.ts';
import { ApiError, textMember } from '#web/lib/transport-error.ts';

/** What the reader has to do with a review. The pages are the same for all: it is asked for. */
export interface Standing {
  isOwn: boolean;
  vote: Vote | null;
  isReported: boolean;
  /** As it stands since the reader's own vote; null before one. */
  helpfulCount: number | null;
}

const UNKNOWN: Standing = { isOwn: false, vote: null, isReported: false, helpfulCount: null };

export const FEEDBACK_REFUSALS = {
  unverified: 'Only verified doctors can mark reviews as helpful.',
} as const;

export interface FeedbackDeps {
  api: Pick<Api, 'call'>;
  session: Pick<SessionStore, 'get' | 'subscribe'>;
}

export function createFeedbackStore({ api, session }: FeedbackDeps) {
  const standings = createStore<ReadonlyMap<string, Standing>>(new Map());
  /** How many cards of each review are on the screen. */
  const watched = new Map<string, number>();
  const unasked = new Set<string>();
  const sending = new Set<string>();
  let userId: string | null = null;

  const get = (id: string): Standing => standings.get().get(id) ?? UNKNOWN;

  function set(id: string, change: Partial<Standing>): void {
    standings.set(new Map(standings.get()).set(id, { ...get(id), ...change }));
  }

  /** Somebody else is reading: what was known of the one before is forgotten, but the counts. */
  function followSession(): void {
    const current = session.get().user?.id ?? null;
    if (current === userId) return;
    userId = current;
    for (const [id, { helpfulCount }] of standings.get()) set(id, { ...UNKNOWN, helpfulCount });
    for (const id of watched.keys()) unasked.add(id);
    askSoon();
  }

  /** Once for all the reviews that come on the screen together. */
  function askSoon(): void {
    if (userId !== null) queueMicrotask(() => void ask());
  }

  async function ask(): Promise<void> {
    const ids = [...unasked].slice(0, PAGE_SIZE_MAX);
    if (ids.length === 0 || userId === null) return;
    for (const id of ids) unasked.delete(id);
    if (unasked.size > 0) askSoon();
    const before = new Map(ids.map((id) => [id, get(id)]));
    try {
      const votes = await api.call(feedbackEndpoints.ownVotes, { query: { ids: ids.join(',') } });
      for (const id of ids) {
        // What the reader did meanwhile is newer.
        if (get(id) !== before.get(id) || sending.has(id)) continue;
        set(id, {
          isOwn: votes.own.includes(id),
          vote: voteOn(id, votes),
          isReported: votes.reported.includes(id),
        });
      }
    } catch (error) {
      // The reviews can be read without; a vote that is given twice counts once.
      if (!(error instanceof ApiError)) throw error;
    }
  }

  /**
   * Votes for a review, in the place of the other vote if that stands, or takes the same vote back:
   * shown at once, then as the server says. Clicks that come while one is on its way are sent after
   * it. Returns why it failed, or null.
   */
  async function toggleVote({ id, helpful_count }: Review, kind: Vote): Promise<string | null> {
    const { isOwn, vote: before, helpfulCount } = get(id);
    if (isOwn) return ERRORS.own_review.text;
    const voter = userId;
    let settled = { vote: before, helpfulCount: helpfulCount ?? helpful_count };
    const vote = before === kind ? null : kind;
    set(id, { vote, helpfulCount: settled.helpfulCount + counted(vote) - counted(before) });
    if (sending.has(id)) return null;
    sending.add(id);
    try {
      for (;;) {
        const wanted = get(id).vote;
        const changing = wanted ?? settled.vote;
        // It stands as wanted; or whoever wanted it has left.
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
    toggleVote,

    /** While a review is on the screen. */
    watch(id: string, listener: () => void): () => void {
      const stop = standings.subscribe(listener);
      watched.set(id, (watched.get(id) ?? 0) + 1);
      if (!standings.get().has(id)) {
        unasked.add(id);
        askSoon();
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

/** What a vote adds to the count that is shown. */
const counted = (vote: Vote | null) => (vote === 'helpful' ? 1 : 0);

function voteFailure(error: unknown): string {
  if (!(error instanceof ApiError)) throw error;
  const code = textMember(error.response?.body, 'code');
  if (code === 'own_review') return ERRORS.own_review.text;
  return error.status === 403 ? FEEDBACK_REFUSALS.unverified : error.message;
}
