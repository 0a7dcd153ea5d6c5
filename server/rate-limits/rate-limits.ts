import { randomBytes } from 'node:crypto';
import fastq, { type queueAsPromised } from 'fastq';
import { MINUTE_MS } from '#contract/limits.ts';
import type { Clock } from '#server/anonymity/coarse-time.ts';
import type { Keys } from '#server/anonymity/keys.ts';
import type { Config } from '#server/config/config.ts';
import type { Db } from '#server/db/open.ts';
import { anyOf } from '#server/db/statements.ts';
import { inTransaction } from '#server/db/transaction.ts';
import { AppError } from '#server/errors/app-error.ts';
import {
  LIMITS,
  type Limit,
  type LimitName,
  type Network,
  WINDOW_SECONDS,
  type WindowLength,
} from './limits.ts';

/** Runs at most `atOnce` jobs of the same key at a time, in order of arrival. */
export function keyedQueue(atOnce = 1) {
  const queues = new Map<string, queueAsPromised<() => Promise<unknown>>>();
  return async <T>(key: string, work: () => Promise<T>): Promise<T> => {
    const queue = queues.get(key) ?? fastq.promise((job: () => Promise<unknown>) => job(), atOnce);
    queues.set(key, queue);
    try {
      return (await queue.push(work)) as T;
    } finally {
      if (queue.idle()) queues.delete(key);
    }
  };
}

/** A window that has not ended. */
interface Window {
  endsAt: Date;
  /** Part of every key of the window. Once it is deleted, nobody can recompute these keys. */
  salt: Buffer;
}

/** The current windows. All servers on one database share their salts. */
function openWindows({ db, clock }: { db: Db; clock: Clock }) {
  const known = new Map<WindowLength, { endsAt: number; window: Promise<Window> }>();
  return (length: WindowLength): Promise<Window> => {
    const now = clock();
    const lengthMs = WINDOW_SECONDS[length] * 1000;
    const endsAt = (Math.floor(now.getTime() / lengthMs) + 1) * lengthMs;
    const current = known.get(length);
    if (current?.endsAt === endsAt) return current.window;
    const window = beginWindow(db, length, new Date(endsAt), now);
    known.set(length, { endsAt, window });
    window.catch(() => known.delete(length));
    return window;
  };
}

function beginWindow(db: Db, length: WindowLength, endsAt: Date, now: Date): Promise<Window> {
  return inTransaction(db, async (trx) => {
    await forgetEndedWindows(trx, now);
    await trx
      .insertInto('rate_limit_salts')
      .values({ window_length: length, ends_at: endsAt, salt: randomBytes(32) })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    // A separate statement, so it sees the salt if another server was first.
    const { salt } = await trx
      .selectFrom('rate_limit_salts')
      .select('salt')
      .where('window_length', '=', length)
      .where('ends_at', '=', endsAt)
      .executeTakeFirstOrThrow();
    return { endsAt, salt };
  });
}

/** Deletes the salts and counters of windows that have ended. */
export async function forgetEndedWindows(db: Db, now: Date): Promise<void> {
  await db.deleteFrom('rate_limit_salts').where('ends_at', '<=', now).execute();
  await db.deleteFrom('rate_limits').where('ends_at', '<=', now).execute();
}

interface Counter {
  key: Buffer;
  points: number;
  blocked_until: Date | null;
}

/** The counters of these keys. A key without a counter has counted nothing. */
function selectCounters(db: Db, keys: readonly Buffer[]): Promise<Counter[]> {
  return db
    .selectFrom('rate_limits')
    .select(['key', 'points', 'blocked_until'])
    .where('key', '=', anyOf('bytea', keys))
    .execute();
}

/** Adds one and returns the sum. At `max` it adds nothing and returns null. */
async function addUpTo(
  db: Db,
  max: number,
  { key, endsAt }: { key: Buffer; endsAt: Date },
): Promise<number | null> {
  const row = await db
    .insertInto('rate_limits')
    .values({ key, points: 1, ends_at: endsAt })
    .onConflict((conflict) =>
      conflict
        .column('key')
        .doUpdateSet((eb) => ({ points: eb('rate_limits.points', '+', 1) }))
        .where('rate_limits.points', '<', max),
    )
    .returning('points')
    .executeTakeFirst();
  return row?.points ?? null;
}

/**
 * Adds one to each, without a maximum, and returns the counters as they were before. Keeps them
 * locked until the transaction ends.
 */
async function addFailures(
  trx: Db,
  failures: readonly { key: Buffer; endsAt: Date }[],
): Promise<Counter[]> {
  // Every transaction locks them in the same order, which prevents deadlocks.
  const ordered = failures.toSorted((a, b) => Buffer.compare(a.key, b.key));
  return trx
    .insertInto('rate_limits')
    .values(ordered.map(({ key, endsAt }) => ({ key, points: 1, ends_at: endsAt })))
    .onConflict((conflict) =>
      conflict.column('key').doUpdateSet((eb) => ({ points: eb('rate_limits.points', '+', 1) })),
    )
    .returning((eb) => ['key', eb('points', '-', 1).as('points'), 'blocked_until'])
    .execute();
}

async function blockUntil(db: Db, key: Buffer, until: Date): Promise<void> {
  await db
    .updateTable('rate_limits')
    .set({ blocked_until: until })
    .where('key', '=', key)
    .execute();
}

/** Subtracts one. Deletes a counter that reaches zero. */
async function subtractOne(db: Db, key: Buffer): Promise<void> {
  await db
    .updateTable('rate_limits')
    .set((eb) => ({ points: eb('points', '-', 1) }))
    .where('key', '=', key)
    .where('points', '>', 0)
    .execute();
  await db.deleteFrom('rate_limits').where('key', '=', key).where('points', '=', 0).execute();
}

async function deleteCounters(db: Db, keys: readonly Buffer[]): Promise<void> {
  await db.deleteFrom('rate_limits').where('key', '=', anyOf('bytea', keys)).execute();
}

/** Stored times are rounded to this. Exact ones would reveal when someone used the site. */
const STEP_MS = 5 * MINUTE_MS;
const MAX_WAIT_MS = 60 * MINUTE_MS;

/**
 * When the block by the latest failure or rejected attempt ends; null while the counter has points
 * left. Waits 5 to 10 minutes at first, then 10, 20, 40, and 60, each rounded up.
 */
export function blockedUntil(count: number, points: number, now: Date): Date | null {
  const beyond = count - points;
  if (beyond < 0) return null;
  const wait = Math.min(STEP_MS * 2 ** Math.min(beyond, 10), MAX_WAIT_MS);
  return new Date((Math.floor((now.getTime() + wait) / STEP_MS) + 1) * STEP_MS);
}

/** A limit and its subject: an id (an account, an email address, …), a network, or both. */
export type Budget = readonly [name: LimitName, id: string, network?: Network];

/** One counter of a budget. A network has one for each of its prefixes. */
interface Slot {
  limit: Limit;
  key: Buffer;
  points: number;
  endsAt: Date;
}

/** A slot without points, and when it allows the next attempt. */
interface UsedUp extends Slot {
  until: Date;
}

export type RateLimits = ReturnType<typeof rateLimits>;

/** PostgreSQL's largest integer: a large RATE_LIMIT_FACTOR disables limits. */
const MAX_POINTS = 2 ** 31 - 1;

interface LimitDeps {
  readonly config: Config;
  readonly db: Db;
  readonly keys: Keys;
  readonly clock: Clock;
}

/** The rate limits, shared through PostgreSQL. docs/anonymity.md says what their rows reveal. */
export function rateLimits(deps: LimitDeps) {
  const { config, db, keys, clock } = deps;
  const windowOf = openWindows(deps);
  const inTurn = keyedQueue();

  /** The counters of a budget, from the narrowest prefix of its network to the widest. */
  async function slotsOf([name, id, network]: Budget): Promise<Slot[]> {
    const limit: Limit = LIMITS[name];
    const { endsAt, salt } = await windowOf(limit.per);
    // Hides the account from anyone without the authorship key.
    const subject = limit.by === 'account' ? keys.writer(id) : id;
    return (network ?? [{ prefix: '', share: 1 }]).map(({ prefix, share }) => {
      const points = Math.max(1, Math.round(limit.points * share * config.rateLimitFactor));
      return {
        limit,
        key: counterKey(keys, { salt, name, prefix, subject }),
        points: Math.min(points, MAX_POINTS),
        endsAt,
      };
    });
  }

  const allSlots = async (budgets: readonly Budget[]) =>
    (await Promise.all(budgets.map(slotsOf))).flat();

  /** The counters of these slots, and the slots that are used up. */
  async function look(slots: readonly Slot[]) {
    const slotKeys = slots.map(({ key }) => key);
    const found = await selectCounters(db, slotKeys);
    const now = clock();
    const usedUp = slots.filter((slot) => isUsedUp(slot, found.find(countsFor(slot)), now));
    return { found, usedUp };
  }

  /** Counts a failure in each slot. Returns those that were used up before it. */
  async function countFailures(slots: readonly Slot[]): Promise<UsedUp[]> {
    if (slots.length === 0) return [];
    const now = clock();
    return inTransaction(db, async (trx) => {
      const before = await addFailures(trx, slots);
      const usedUp: UsedUp[] = [];
      for (const slot of slots) {
        const counter = before.find(countsFor(slot));
        const count = (counter?.points ?? 0) + 1;
        const blocked = slot.limit.backsOff ? blockedUntil(count, slot.points, now) : null;
        if (blocked) await blockUntil(trx, slot.key, blocked);
        if (isUsedUp(slot, counter, now)) usedUp.push({ ...slot, until: blocked ?? slot.endsAt });
      }
      return usedUp;
    });
  }

  /** Throws `rate_limited` if any slot is used up. Each rejected attempt extends its waits. */
  async function refuseUsedUp(usedUp: readonly Slot[]): Promise<void> {
    const extended = await countFailures(usedUp.filter(({ limit }) => limit.backsOff));
    const ended = usedUp.filter(({ limit }) => !limit.backsOff);
    refuse([...extended, ...ended.map((slot) => ({ ...slot, until: slot.endsAt }))]);
  }

  /** Success clears only what nobody else can see, and writes nothing if there is nothing to clear. */
  async function clearFailures(slots: readonly Slot[], found: readonly Counter[]) {
    const own = slots.filter(({ limit }) => limit.clearedBySuccess);
    const spent = own.filter((slot) => found.some(countsFor(slot))).map(({ key }) => key);
    if (spent.length > 0) await deleteCounters(db, spent);
  }

  /** Throws `rate_limited` with the longest of these waits, if there are any. */
  function refuse(usedUp: readonly UsedUp[]): void {
    const [longest] = usedUp.toSorted((one, other) => other.until.getTime() - one.until.getTime());
    if (longest) throw refusalOf(longest, longest.until, clock());
  }

  /**
   * Counts an event before it happens. Returns the new count for the widest prefix. Throws
   * `rate_limited` with the time to retry.
   */
  async function take(...budget: Budget): Promise<number> {
    const taken: Slot[] = [];
    let count = 0;
    for (const slot of await slotsOf(budget)) {
      const sum = await addUpTo(db, slot.points, slot);
      if (sum === null) {
        for (const { key } of taken) await subtractOne(db, key);
        throw refusalOf(slot, slot.endsAt, clock());
      }
      count = sum;
      taken.push(slot);
    }
    return count;
  }

  return {
    take,

    /** Undoes `take` if the event did not happen. */
    async giveBack(...budget: Budget): Promise<void> {
      for (const { key } of await slotsOf(budget)) await subtractOne(db, key);
    },

    /**
     * Runs `work` unless a budget is used up. Counts the attempt if it fails (returns `null`).
     * Success only clears the caller's own failures. Each server runs attempts one at a time, per
     * network and per `subject`, so that many of them delay nobody elsewhere. Attempts on several
     * servers may use the last point together: then only the first one gets its result. Throws
     * `rate_limited`.
     */
    async attempt<T>(
      subject: string,
      budgets: readonly Budget[],
      work: () => Promise<T | null>,
    ): Promise<T | null> {
      const networks = budgets.flatMap(([, , network = []]) => network);
      const turns = [...new Set(networks.map(({ prefix }) => prefix)), subject];
      const guarded = async () => {
        const slots = await allSlots(budgets);
        await refuseUsedUp((await look(slots)).usedUp);
        const result = await work();
        const after = result === null ? null : await look(slots);
        if (after?.usedUp.length === 0) {
          await clearFailures(slots, after.found);
          return result;
        }
        // Used up by other servers meanwhile: nobody learns whether this attempt was right.
        refuse(await countFailures(slots));
        return result;
      };
      return turns.reduceRight<() => Promise<T | null>>(
        (next, turn) => () => inTurn(turn, next),
        guarded,
      )();
    },
  };
}

/** Finds the counter of a slot. */
const countsFor = (slot: Slot) => (counter: Counter) => counter.key.equals(slot.key);

function isUsedUp(slot: Slot, counter: Counter | undefined, now: Date): boolean {
  if (!counter) return false;
  if (!slot.limit.backsOff) return counter.points >= slot.points;
  return counter.blocked_until !== null && counter.blocked_until > now;
}

/** The key under which a counter is stored. */
export function counterKey(
  keys: Pick<Keys, 'sessionIndex'>,
  counter: { salt: Buffer; name: LimitName; prefix: string; subject: string },
): Buffer {
  const { salt, name, prefix, subject } = counter;
  const parts = [salt.toString('base64'), name, prefix, subject];
  return keys.sessionIndex('rate-limit', JSON.stringify(parts));
}

/** If a new window begins before a wait ends, the earlier of the two times counts. */
function refusalOf({ limit, points }: Slot, until: Date, now: Date): AppError {
  const seconds = Math.max(1, Math.ceil((until.getTime() - now.getTime()) / 1000));
  return new AppError('rate_limited', {
    detail:
      limit.refusal?.(points) ?? `Rate limit exceeded. Please try again in ${seconds} seconds.`,
    retryAfterSeconds: seconds,
  });
}
