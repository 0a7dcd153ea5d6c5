import type { FastifyInstance } from 'fastify';
import type pg from 'pg';
import { listen } from '#server/jobs/listen.ts';

/** What the public reads, as the database's `changed` triggers name it. */
export type Topic = 'employers' | 'position_titles' | 'reviews' | 'votes';

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
  /** Forgets what was made from these, at once. */
  changed(topics: readonly Topic[]): void;
}

export interface ListeningCache extends PublicCache {
  close(): Promise<void>;
}

const CHANNEL = 'curbside_changed';
const ENTRIES = 20_000;
/** Longest that anything is kept, should a change not have been heard of. */
const MAX_AGE_MS = 60_000;

interface Entry {
  readonly versions: string;
  readonly until: number;
  readonly value: Promise<unknown>;
}

/**
 * Opens the cache. It hears of commits through NOTIFY; whenever it might not, it keeps nothing.
 * What is being computed while a change comes in, is not kept for those who ask afterwards.
 */
export async function openPublicCache(pool: pg.Pool): Promise<ListeningCache> {
  const versions = new Map<string, number>();
  const entries = new Map<string, Entry>();
  let listening = false;

  const changed = (topics: readonly string[]) => {
    for (const topic of topics) versions.set(topic, (versions.get(topic) ?? 0) + 1);
  };
  const channel = await listen(
    pool,
    CHANNEL,
    (topic) => changed([topic]),
    () => {
      entries.clear();
      listening = true;
    },
    () => {
      listening = false;
    },
  );

  return {
    changed,
    remember<T>(topics: readonly Topic[], key: string, compute: () => Promise<T>): Promise<T> {
      if (!listening) return compute();
      const now = Date.now();
      const current = topics.map((topic) => versions.get(topic) ?? 0).join();
      const kept = entries.get(key);
      // Taken out and put back: a Map keeps the order, and the first is the longest unused.
      entries.delete(key);
      if (kept && kept.versions === current && kept.until > now) {
        entries.set(key, kept);
        return kept.value as Promise<T>;
      }
      const value = compute();
      const entry: Entry = { versions: current, until: now + MAX_AGE_MS, value };
      entries.set(key, entry);
      value.catch(() => {
        if (entries.get(key) === entry) entries.delete(key);
      });
      const [oldest] = entries.keys();
      if (entries.size > ENTRIES && oldest !== undefined) entries.delete(oldest);
      return value;
    },
    close: () => channel.close(),
  };
}

/** Forgets what a route has changed before its answer leaves, whatever the answer is. */
export function forgetChanges(app: FastifyInstance, cache: PublicCache) {
  app.addHook('onSend', async (request) => {
    const { changes } = request.routeOptions.config;
    if (changes) cache.changed(changes);
  });
}
