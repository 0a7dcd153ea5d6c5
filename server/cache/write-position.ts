import { AsyncLocalStorage } from 'node:async_hooks';
import { sql } from 'kysely';
import type { Keys, SealingKey } from '#server/anonymity/keys.ts';
import { seal, unsealOrNull } from '#server/anonymity/seal.ts';
import type { Db } from '#server/db/open.ts';
import { type Position, PRIMARY_POSITION } from '#server/db/replicas.ts';

/** The channel on which the database notifies every server of changes: a topic, or a position. */
export const CHANNEL = 'curbside_changed';
/** Prefix of notifications that carry a position. */
export const POSITION_MARK = '@';

/** For a write whose position is unknown: every server is behind it. */
export const UNKNOWN_POSITION: Position = Number.MAX_SAFE_INTEGER;

/**
 * Reads the position after a write, and notifies every server of it. The notification arrives after
 * those of all writes below the position, because PostgreSQL delivers notifications in commit
 * order. Losing it does no harm, so its commit does not wait for the disk.
 */
export async function markPosition(db: Db): Promise<Position> {
  const { rows } = await sql<{ position: Position }>`
    with no_wait as materialized (select set_config('synchronous_commit', 'off', true)),
      written as materialized (
        select ${sql.raw(PRIMARY_POSITION)} as position from no_wait
      )
    select position, pg_notify(${CHANNEL}, ${POSITION_MARK} || position) from written
  `.execute(db);
  return rows[0]?.position ?? UNKNOWN_POSITION;
}

/** How long a token is valid, in ms. By then, every server knows of the write, or caches nothing. */
export const TOKEN_MS = 60_000;

interface Token {
  readonly position: Position;
  /** Unix time in ms. */
  readonly until: number;
}

const TOKEN_CONTEXT = 'write-position';
/** Makes all tokens the same length. */
const TOKEN_BLOCK_BYTES = 64;
const tokenKey = (keys: Keys): SealingKey => ({ id: 'p', key: keys.sessionKey('write-position') });

/** Sealed, because positions reveal the order of everybody's writes. */
export function sealPosition(keys: Keys, position: Position, now: Date): string {
  const token: Token = { position, until: now.getTime() + TOKEN_MS };
  return seal(tokenKey(keys), TOKEN_CONTEXT, token, { blockBytes: TOKEN_BLOCK_BYTES }).toString(
    'base64url',
  );
}

/** The position in a token; null if the token is not ours, or expired. */
export function openPosition(keys: Keys, text: string, now: Date): Position | null {
  const token = unsealOrNull<Token>(
    [tokenKey(keys)],
    TOKEN_CONTEXT,
    Buffer.from(text, 'base64url'),
  );
  return token && now.getTime() < token.until ? token.position : null;
}

interface Reading {
  /** The position of the caller's last write. */
  readonly position: Position;
  /** This server has not yet been notified of everything that the caller has written. */
  readonly isBehind: boolean;
}

const reading = new AsyncLocalStorage<Reading>();

/** Runs the rest of a request with the position it must see. */
export const readingWith = (what: Reading, run: () => void): void => reading.run(what, run);

/** The position that the current request must see at least. */
export const positionToSee = (): Position => reading.getStore()?.position ?? 0;

/** Whether the current request must bypass the caches. */
export const mustReadFresh = (): boolean => reading.getStore()?.isBehind === true;

/** Binds work that runs later, among other requests' work, to the current request. */
export const inThisRequest: <T>(work: () => T) => () => T = (work) => AsyncLocalStorage.bind(work);
