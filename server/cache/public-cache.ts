import type { FastifyInstance } from 'fastify';
import type pg from 'pg';
import { listen } from '#server/jobs/listen.ts';
import { type Answer, weightOf } from './cached-response.ts';
import { FreshCache, type Topic } from './topic-cache.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** What a route may change: forgotten here before it answers, elsewhere as it commits. */
    changes?: readonly Topic[];
  }
}

/** Kept in this process, until a commit anywhere changes what it was made from. */
export interface PublicCache {
  /** The value under `key`, computed once until one of `topics` changes. */
  remember<T>(topics: readonly Topic[], key: string, compute: () => Promise<T>): Promise<T>;
  /** What public routes have answered, by URL (server/cache/response-cache.ts). */
  readonly answers: FreshCache<Answer>;
  /** Forgets what was made from these, at once. */
  changed(topics: readonly Topic[]): void;
}

export interface ListeningCache extends PublicCache {
  close(): Promise<void>;
}

const CHANNEL = 'curbside_changed';
const ANSWER_BYTES = 64 * 1024 * 1024;
/** Of an entry, its promise, and its place in the map. */
const OVERHEAD_BYTES = 512;

/** Keys count as well: they hold what was searched for. */
export const VALUE_BOUNDS = {
  capacity: 16 * 1024 * 1024,
  weigh: (key: string, value: unknown) =>
    OVERHEAD_BYTES + 2 * (key.length + (JSON.stringify(value)?.length ?? 0)),
};

/** Opens the cache. It hears of commits through NOTIFY; whenever it might not, it keeps nothing. */
export async function openPublicCache(
  pool: pg.Pool,
  answerBytes = ANSWER_BYTES,
): Promise<ListeningCache> {
  const values = new FreshCache<unknown>(VALUE_BOUNDS);
  const answers = new FreshCache<Answer>({ capacity: answerBytes, weigh: weightOf });
  const changed = (topics: readonly string[]) => {
    values.changed(topics);
    answers.changed(topics);
  };
  const hear = (isHearing: boolean) => {
    values.hear(isHearing);
    answers.hear(isHearing);
  };
  const channel = await listen(
    pool,
    CHANNEL,
    (topic) => changed([topic]),
    () => hear(true),
    () => hear(false),
  );
  return {
    changed,
    answers,
    remember: <T>(topics: readonly Topic[], key: string, compute: () => Promise<T>) =>
      values.remember(key, topics, compute) as Promise<T>,
    close: () => channel.close(),
  };
}

/**
 * Forgets what a route has changed before its answer leaves. A refusal has changed nothing, and must
 * not have everything made anew; after a failure nobody knows.
 */
export function forgetChanges(app: FastifyInstance, cache: PublicCache) {
  app.addHook('onSend', async (request, { statusCode }) => {
    const { changes } = request.routeOptions.config;
    const isRefusal = statusCode >= 400 && statusCode < 500;
    if (changes && !isRefusal) cache.changed(changes);
  });
}
