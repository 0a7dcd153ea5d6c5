import { ERRORS } from '#contract/errors.ts';
import type { HelpfulResponse, ReviewVotes } from '#contract/feedback.ts';
import { PAGE_SIZE_MAX } from '#contract/limits.ts';
import type { Review } from '#contract/reviews.ts';
import type { Api } from '#web/lib/api.ts';
import { apiPaths } from '#web/lib/paths.ts';
import type { SessionStore } from '#web/lib/session-store.ts';
import { ApiError, textMember } from '#web/lib/transport-error.ts';

/** What the reader has to do with a review. The pages are the same for all: it is asked for. */
export interface Standing {
  isOwn: boolean;
  isHelpful: boolean;
  isReported: boolean;
  /** As it stands since the reader's own vote; null before one. */
  helpfulCount: number | null;
}

const UNKNOWN: Standing = { isOwn: false, isHelpful: false, isReported: false, helpfulCount: null };

export const FEEDBACK_REFUSALS = {
  unverified: 'Only verified doctors can mark reviews as helpful.',
} as const;

export interface FeedbackDeps {
  api: Pick<Api, 'get' | 'post' | 'delete'>;
  session: Pick<SessionStore, 'get' | 'subscribe'>;
}

export function createFeedbackStore({ api, session }: FeedbackDeps) {
  const standings = new Map<string, Standing>();
  const listeners = new Map<string, Set<() => void>>();
  const unasked = new Set<string>();
  const sending = new Set<string>();
  let userId: string | null = null;

  const get = (id: string): Standing => standings.get(id) ?? UNKNOWN;

  function set(id: string, change: Partial<Standing>): void {
    standings.set(id, { ...get(id), ...change });
    for (const listener of listeners.get(id) ?? []) listener();
  }

  /** Somebody else is reading: what was known of the one before is forgotten, but the counts. */
  function followSession(): void {
    const current = session.get().user?.id ?? null;
    if (current === userId) return;
    userId = current;
    for (const [id, { helpfulCount }] of standings) set(id, { ...UNKNOWN, helpfulCount });
    for (const id of listeners.keys()) unasked.add(id);
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
      const votes = await api.get<ReviewVotes>(apiPaths.reviewVotes(ids));
      for (const id of ids) {
        // What the reader did meanwhile is newer.
        if (get(id) !== before.get(id) || sending.has(id)) continue;
        set(id, {
          isOwn: votes.own.includes(id),
          isHelpful: votes.helpful.includes(id),
          isReported: votes.reported.includes(id),
        });
      }
    } catch (error) {
      // The reviews can be read without; a vote that is given twice counts once.
      if (!(error instanceof ApiError)) throw error;
    }
  }

  /**
   * Marks a review as helpful, or takes that back: shown at once, then as the server says. Clicks
   * that come while it is on its way are sent after it. Returns why it failed, or null.
   */
  async function toggleHelpful({ id, helpful_count }: Review): Promise<string | null> {
    if (get(id).isOwn) return ERRORS.own_review.text;
    let settled = { ...get(id), helpfulCount: get(id).helpfulCount ?? helpful_count };
    const isHelpful = !settled.isHelpful;
    set(id, { isHelpful, helpfulCount: settled.helpfulCount + (isHelpful ? 1 : -1) });
    if (sending.has(id)) return null;
    sending.add(id);
    try {
      while (get(id).isHelpful !== settled.isHelpful) {
        const answer = await sendVote(id, get(id).isHelpful);
        settled = { ...settled, isHelpful: answer.helpful, helpfulCount: answer.helpful_count };
      }
      return null;
    } catch (error) {
      return voteFailure(error);
    } finally {
      sending.delete(id);
      set(id, settled);
    }
  }

  function sendVote(id: string, isHelpful: boolean): Promise<HelpfulResponse> {
    const path = apiPaths.reviewHelpful(id);
    return isHelpful ? api.post<HelpfulResponse>(path, undefined) : api.delete(path);
  }

  session.subscribe(followSession);
  followSession();

  return {
    get,
    toggleHelpful,

    /** While a review is on the screen. */
    watch(id: string, listener: () => void): () => void {
      const those = listeners.get(id) ?? new Set();
      listeners.set(id, those.add(listener));
      if (!standings.has(id)) {
        unasked.add(id);
        askSoon();
      }
      return () => {
        those.delete(listener);
        if (those.size === 0) listeners.delete(id);
      };
    },

    markReported: (id: string) => set(id, { isReported: true }),
  };
}

function voteFailure(error: unknown): string {
  if (!(error instanceof ApiError)) throw error;
  const code = textMember(error.response?.body, 'code');
  if (code === 'own_review') return ERRORS.own_review.text;
  return error.status === 403 ? FEEDBACK_REFUSALS.unverified : error.message;
}
