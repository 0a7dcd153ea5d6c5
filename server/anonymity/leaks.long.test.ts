import { afterAll, beforeAll, expect, test } from 'vitest';
import { type AttackedSite, buildAttackedSite, rowsOf } from './testing/attacked-site.ts';
import type { Dump } from './testing/dump.ts';
import { FOUND } from './testing/fragments.ts';
import {
  withColumn,
  withFormerColumn,
  withIdentitiesOutOfLine,
  withInsertionOrder,
  withLogInsInAccounts,
  withStatistics,
  withTimesInSessions,
  withTombstonesAsWritten,
  withTransactionEach,
  withWritesByAddress,
} from './testing/leaking.ts';
import { areLinked } from './testing/links.ts';
import { CERTAIN, learn } from './testing/measure.ts';
import { ALL_KEYS, type KeyName } from './testing/thief.ts';
import { type Cohort, leftBehindOf, reviewsOf, secretsOf, sessionsOf } from './testing/truth.ts';

/** Each test puts one leak back into the database and checks that the matcher finds it. */

let site: AttackedSite;
beforeAll(async () => {
  site = await buildAttackedSite();
});
afterAll(() => site.server[Symbol.asyncDispose]());

/**
 * Asserts that a thief with these keys does better than chance. Does not assert the number of
 * owners found: with about 100 reviews it is mostly noise.
 */
function expectFound(dump: Dump, holds: readonly KeyName[], by: string, cohort?: Cohort) {
  const { best } = learn(site, dump, holds, reviewsOf(site, cohort));
  expect(best.by).toContain(by);
  expect(best.byChance).toBeLessThan(CERTAIN);
}

test('finds the account next to the review', async () => {
  const dump = await withColumn(site, {
    table: 'reviews',
    name: 'author',
    type: 'text',
    values: site.world.authors,
  });
  const { best, accounts } = learn(site, dump, []);
  expect([best.by, best.amongFive, accounts]).toEqual(['equal values', 1, 1]);
});

test('finds the exact time of joining', async () => {
  const dump = await withColumn(site, {
    table: 'users',
    name: 'joined_at',
    type: 'timestamptz',
    values: new Map(site.world.joined.map(({ userId, at }) => [userId, at])),
  });
  expectFound(dump, [], 'joined_at');
});

test('finds a sequence', async () => {
  const dump = await withColumn(site, {
    table: 'users',
    name: 'serial',
    type: 'bigint',
    values: new Map(site.world.joined.map(({ userId }, place) => [userId, place])),
  });
  expectFound(dump, [], 'serial');
});

test('finds exact times in sessions, with the session key', async () => {
  const dump = await withTimesInSessions(site);
  expectFound(dump, ['SESSION_KEY'], 'opened.startedAt');
  expect(learn(site, dump, ['SEALING_KEYS', 'INDEX_KEY']).best.byChance).toBeGreaterThan(CERTAIN);
});

test('finds a write limit by network address, with the session key', async () => {
  const dump = await withWritesByAddress(site);
  expectFound(dump, ['SESSION_KEY'], 'rate_limits.ends_at');
  expect(learn(site, dump, ['SEALING_KEYS', 'INDEX_KEY']).best.byChance).toBeGreaterThan(CERTAIN);
});

test('finds one transaction for all reviews that an account left behind', async () => {
  const left = site.world.leftBehind.filter((ids) => ids.length > 1);
  expect(left.length).toBeGreaterThan(3);
  for (const ids of left) expect(areLinked(site.after, ids)).toBe(false);
  const dump = await withTransactionEach(site, left);
  for (const ids of left) expect(areLinked(dump, ids)).toBe(true);
});

test('finds the order of insertion', async () => {
  expectFound(await withInsertionOrder(site), [], 'public.users.ctid');
});

const lockedReviews = () => reviewsOf(site, 'locked');

test('finds an author secret that is not wrapped, with the authorship key', async () => {
  const dump = await withColumn(site, {
    table: 'users',
    name: 'secret',
    type: 'bytea',
    values: new Map([...secretsOf(site.world)].filter(([, secret]) => secret)),
  });
  const outright = (holds: readonly KeyName[]) =>
    learn(site, dump, holds, lockedReviews()).accounts;
  expect([outright(['AUTHORSHIP_KEY']), outright(ALL_KEYS)]).toEqual([1, 1]);
  expect(outright(['SEALING_KEYS', 'INDEX_KEY', 'SESSION_KEY'])).toBe(0);
});

test('finds the accounts of every third author of locked reviews', async () => {
  const third = lockedReviews().pairs.filter((_pair, at) => at % 3 === 0);
  const dump = await withColumn(site, {
    table: 'reviews',
    name: 'author',
    type: 'text',
    values: new Map(third.map(({ key, owner }) => [key, owner])),
  });
  const { best } = learn(site, dump, ALL_KEYS, lockedReviews());
  expect(best.byChance).toBeLessThan(CERTAIN);
  expect(learn(site, site.after, ALL_KEYS, lockedReviews()).best.byChance).toBeGreaterThan(CERTAIN);
});

test('finds the exact time of locking', async () => {
  const dump = await withColumn(site, {
    table: 'users',
    name: 'locked_at',
    type: 'timestamptz',
    values: site.world.lockedAt,
  });
  expectFound(dump, ALL_KEYS, 'locked_at', 'locked');
});

test('finds a tombstone that the rewrite skipped, with the index key', async () => {
  const dump = await withTombstonesAsWritten(site);
  const best = (holds: readonly KeyName[]) => learn(site, dump, holds, leftBehindOf(site)).best;
  expect([best(['INDEX_KEY']).by, best(['INDEX_KEY']).amongFive]).toEqual(['equal values', 1]);
  expect(best([]).byChance).toBeGreaterThan(CERTAIN);
});

test('finds the order of sign-ups in the ids of values out of line', async () => {
  expectFound(await withIdentitiesOutOfLine(site), [], 'public.users.chunk_ids');
});

test('finds an account in the free space of a file', async () => {
  const dump = await withFormerColumn(site, {
    table: 'reviews',
    name: 'author',
    type: 'uuid',
    values: site.world.authors,
  });
  const { best } = learn(site, dump, []);
  expect(best.by).toMatch(/^equal values|^files\.public\.reviews/);
  expect(best.byChance).toBeLessThan(CERTAIN);
});

test('finds values in the planner’s statistics whose rows are gone', async () => {
  /** The ids and addresses of accounts. The ids of reviews are public. */
  const found = (dump: Dump) => {
    const { tables } = learn(site, dump, []).loot.dump;
    const owners = new Set(
      rowsOf(dump, 'users').flatMap(({ columns: { id, email_index } }) => [id, email_index]),
    );
    return [...tables]
      .filter(([table]) => table.startsWith('files.pg_catalog.pg_statistic'))
      .flatMap(([, rows]) => rows.flatMap(({ columns }) => columns[FOUND]))
      .filter((value) => owners.has(value)).length;
  };
  expect(found(site.after)).toBe(0);
  expect(found(await withStatistics(site))).toBeGreaterThan(50);
});

test('finds a log-in that locked the row of its account', async () => {
  const outright = (dump: Dump) => learn(site, dump, [], sessionsOf(site)).accounts;
  expect(outright(site.before)).toBe(0);
  expect(outright(await withLogInsInAccounts(site))).toBeGreaterThan(0.5);
});
