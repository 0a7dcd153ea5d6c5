import { AppError } from '#server/app-error.ts';
import type { Deps } from '#server/deps.ts';
import { blockedUntil } from './backoff.ts';
import * as counters from './counters.ts';
import { keyedQueue } from './keyed-queue.ts';
import { LIMITS, type Limit, type LimitName } from './limits.ts';
import type { Network } from './networks.ts';
import { openWindows } from './windows.ts';

/** A limit and its subject: an id (an account, an email address, …), a network, or both. */
export type Budget = readonly [name: LimitName, id: string, network?: Network];

/** One counter of a budget. A network has one for each of its prefixes. */
interface Slot {
  limit: Limit;
  key: Buffer;
  points: number;
  endsAt: Date;
}

export type RateLimits = ReturnType<typeof rateLimits>;

/** PostgreSQL's largest integer: a large RATE_LIMIT_FACTOR disables limits. */
const MAX_POINTS = 2 ** 31 - 1;

/** The rate limits, shared through PostgreSQL. docs/anonymity.md says what their rows reveal. */
export function rateLimits(deps: Pick<Deps, 'config' | 'db' | 'keys' | 'clock'>) {
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

  /** Counts a failure or a rejected attempt. `before` is the previous count. */
  async function countFailure({ limit, key, points, endsAt }: Slot, before: number) {
    const until = limit.backsOff ? blockedUntil(before + 1, points, clock()) : null;
    await counters.addFailure(db, { key, endsAt, blockedUntil: until });
    return until;
  }

  /**
   * Counts an event before it happens. Returns the new count for the widest prefix. Throws
   * `rate_limited` with the time to retry.
   */
  async function take(...budget: Budget): Promise<number> {
    const taken: Slot[] = [];
    let count = 0;
    for (const slot of await slotsOf(budget)) {
      const sum = await counters.addUpTo(db, slot.points, slot);
      if (sum === null) {
        for (const { key } of taken) await counters.subtractOne(db, key);
        throw refusalOf(slot.limit, slot.points, slot.endsAt, clock());
      }
      count = sum;
      taken.push(slot);
    }
    return count;
  }

  return {
    take,

    /** Like `take`, but returns false instead of throwing, where an error would reveal too much. */
    async allows(...budget: Budget): Promise<boolean> {
      try {
        await take(...budget);
        return true;
      } catch (error) {
        if (error instanceof AppError) return false;
        throw error;
      }
    },

    /** Undoes `take` if the event did not happen. */
    async giveBack(...budget: Budget): Promise<void> {
      for (const { key } of await slotsOf(budget)) await counters.subtractOne(db, key);
    },

    async forget(budgets: readonly Budget[]): Promise<void> {
      const slots = await allSlots(budgets);
      await counters.deleteCounters(
        db,
        slots.map(({ key }) => key),
      );
    },

    /**
     * Runs `work` unless a budget is used up. Counts the attempt if it fails (returns `null`).
     * Success only clears failures. Attempts with the same `queue` run one at a time on each
     * server, so concurrent ones get no extra attempts. Throws `rate_limited`.
     */
    async attempt<T>(
      queue: string,
      budgets: readonly Budget[],
      work: () => Promise<T | null>,
    ): Promise<T | null> {
      return inTurn(queue, async () => {
        const slots = await allSlots(budgets);
        const found = await counters.selectCounters(
          db,
          slots.map(({ key }) => key),
        );
        const counterOf = ({ key }: Slot) => found.find((counter) => counter.key.equals(key));
        const countOf = (slot: Slot) => counterOf(slot)?.points ?? 0;
        const now = clock();

        const waits: { limit: Limit; points: number; until: Date }[] = [];
        for (const slot of slots) {
          const until = counterOf(slot)?.blocked_until;
          if (!slot.limit.backsOff) {
            if (countOf(slot) >= slot.points) waits.push({ ...slot, until: slot.endsAt });
          } else if (until && until > now) {
            const later = await countFailure(slot, countOf(slot));
            waits.push({ ...slot, until: later ?? until });
          }
        }
        const wait = waits.toSorted((a, b) => b.until.getTime() - a.until.getTime())[0];
        if (wait) throw refusalOf(wait.limit, wait.points, wait.until, now);

        const result = await work();
        if (result === null) {
          for (const slot of slots) await countFailure(slot, countOf(slot));
        } else {
          const cleared = slots.filter((slot) => slot.limit.clearedBySuccess && counterOf(slot));
          const spent = cleared.map(({ key }) => key);
          if (spent.length > 0) await counters.deleteCounters(db, spent);
        }
        return result;
      });
    },
  };
}

/** The key under which a counter is stored. */
export function counterKey(
  keys: Pick<Deps['keys'], 'sessionIndex'>,
  counter: { salt: Buffer; name: LimitName; prefix: string; subject: string },
): Buffer {
  const { salt, name, prefix, subject } = counter;
  const parts = [salt.toString('base64'), name, prefix, subject];
  return keys.sessionIndex('rate-limit', JSON.stringify(parts));
}

/** If a new window begins before a wait ends, the earlier of the two times counts. */
function refusalOf(
  { refusal }: Pick<Limit, 'refusal'>,
  points: number,
  until: Date,
  now: Date,
): AppError {
  const seconds = Math.max(1, Math.ceil((until.getTime() - now.getTime()) / 1000));
  return new AppError('rate_limited', {
    detail: refusal?.(points) ?? `Rate limit exceeded. Please try again in ${seconds} seconds.`,
    retryAfterSeconds: seconds,
  });
}
