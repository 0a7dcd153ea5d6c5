import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { rewriteTables } from '#server/db/rewrite.ts';
import type { NpiRegistry } from '#server/npi-registry/registry.ts';
import { buildTestApp, type TestApp } from '#server/testing/app.ts';
import { findPeople } from './testing/canaries.ts';
import { type Dump, dumpDatabase } from './testing/dump.ts';
import { matchOwners } from './testing/matcher.ts';
import { newPeople, type Population, populate } from './testing/population.ts';
import { randomFrom } from './testing/random.ts';

/** Far beyond what the best of some thousand comparisons reaches by chance (about 4). */
const FOUND = 7;

let server: TestApp;
let population: Population;
let before: Dump;
let after: Dump;

beforeAll(async () => {
  const random = randomFrom(20_250_812);
  const people = newPeople(random);
  const registry: NpiRegistry = {
    async lookUp(npi) {
      const person = people.find((one) => one.npi === npi);
      if (!person) return { kind: 'unknown' };
      const names = [{ first: person.first_name, last: person.last_name }];
      return { kind: 'person', active: true, names, taxonomies: ['207R00000X'] };
    },
  };
  server = await buildTestApp({ npiRegistry: registry });
  population = await populate(server, people, random);
  const { pool } = server.deps.database;
  before = await dumpDatabase(pool);
  await rewriteTables(pool);
  after = await dumpDatabase(pool);
}, 180_000);
afterAll(() => server[Symbol.asyncDispose]());

/** One review of each author: several of one would count the same finding more than once. */
function onePerAuthor(authors: ReadonlyMap<string, string>) {
  const firsts = new Map<string, string>();
  for (const [id, userId] of authors) if (!firsts.has(userId)) firsts.set(userId, id);
  return [...firsts].map(([userId, key]) => ({ key, userId }));
}
const reviews = () => onePerAuthor(population.authors);
const scheduled = () => onePerAuthor(population.scheduled);
const hex = (key: Buffer) => `\\x${key.toString('hex')}`;
/** Votes and sessions by their keys, which only the authorship or the session key can make. */
function votes() {
  const { keys } = server.deps;
  const key = (userId: string, reviewId: string) => hex(keys.deedKey('vote', userId, reviewId));
  return population.votes.map(({ userId, reviewId }) => ({ userId, key: key(userId, reviewId) }));
}
function sessions() {
  const { keys } = server.deps;
  return population.joined.map(({ userId }) => ({
    userId,
    key: hex(keys.sessionIndex('session-account', userId)),
  }));
}
const TARGETS = {
  reviews: { table: 'public.reviews', column: 'id', truth: reviews },
  scheduled: { table: 'public.scheduled_reviews', column: 'id', truth: scheduled },
  votes: { table: 'public.review_votes', column: 'voter_key', truth: votes },
  sessions: { table: 'public.sessions', column: 'account_key', truth: sessions },
};
function best(dump: Dump, target: keyof typeof TARGETS = 'reviews') {
  const { truth, ...where } = TARGETS[target];
  const [finding] = matchOwners(dump, server.deps.keys.sealing, where, truth());
  if (!finding) throw new Error('nothing was compared');
  return finding;
}

test('enough has happened', async () => {
  const rows = (name: string) => after.tables.get(`public.${name}`)?.length ?? 0;
  const votesThatSay = (helpful: boolean) =>
    after.tables.get('public.review_votes')?.filter(({ columns }) => columns['helpful'] === helpful)
      .length ?? 0;
  expect(rows('users')).toBeGreaterThan(200);
  expect(rows('audit_log')).toBeGreaterThan(5);
  expect(reviews().length).toBeGreaterThan(150);
  expect(scheduled().length).toBeGreaterThan(50);
  for (const helpful of [true, false]) expect(votesThatSay(helpful)).toBeGreaterThan(30);
  expect(rows('review_reports')).toBeGreaterThan(20);
  expect(rows('sessions')).toBeGreaterThan(200);
});

test('without a key, a dump names nobody, in whole or in part, in any form', () => {
  expect(findPeople(before, population.people)).toEqual([]);
  expect(findPeople(after, population.people)).toEqual([]);
});

test.each(['email', 'npi', 'last_name'] as const)('one %s in the clear would be found', (field) => {
  const [person] = population.people;
  const value = person?.[field] ?? '';
  for (const leak of [
    value,
    value.slice(0, 9).toUpperCase(),
    Buffer.from(`_${value}`).toString('base64'),
  ]) {
    const row = { ctid: '', xmin: '', columns: { leak } };
    const dump = { tables: new Map([['public.leak', [row]]]), sequences: [] };
    expect(findPeople(dump, population.people)).not.toEqual([]);
  }
});

test.each(['reviews', 'scheduled', 'votes', 'sessions'] as const)(
  'with the sealing key, after the rewrite, whose %s are whose is found no better than by chance',
  (target) => {
    const finding = best(after, target);
    expect(finding.sigmas, finding.by).toBeLessThan(FOUND);
  },
);

test('before the rewrite the order of rows tells: that is what it is for', () => {
  const finding = best(before);
  expect(finding.sigmas).toBeGreaterThan(FOUND);
});

describe('one leak put back at a time is found', () => {
  const leak = async (
    table: string,
    column: string,
    type: string,
    values: Map<string, unknown>,
  ) => {
    const { pool } = server.deps.database;
    await pool.query(`alter table ${table} add column ${column} ${type}`);
    try {
      await pool.query(`alter table ${table} disable trigger user`);
      // In random order, so that nothing but the column tells.
      const shuffled = randomFrom(1).shuffled([...values]);
      const [ids, given] = [shuffled.map(([id]) => id), shuffled.map(([, value]) => value)];
      await pool.query(
        `update ${table} set ${column} = leak.value
         from unnest($1::uuid[], $2::${type}[]) as leak (id, value) where ${table}.id = leak.id`,
        [ids, given],
      );
      return best(await dumpDatabase(pool));
    } finally {
      await pool.query(`alter table ${table} drop column ${column}`);
      await pool.query(`alter table ${table} enable trigger user`);
    }
  };
  const joined = <T>(of: (entry: { at: Date }, place: number) => T) =>
    new Map(population.joined.map((entry, place) => [entry.userId, of(entry, place)]));

  test('the account beside the review', async () => {
    const finding = await leak('reviews', 'author', 'text', new Map(population.authors));
    expect(finding.by).toBe('equal values');
    expect(finding.amongFive).toBe(1);
  });
  test('the exact time of joining', async () => {
    const finding = await leak(
      'users',
      'joined_at',
      'timestamptz',
      joined(({ at }) => at),
    );
    expect(finding.by).toContain('joined_at');
    expect(finding.sigmas).toBeGreaterThan(FOUND);
    expect(finding.amongFive).toBeGreaterThan(0.25);
  });
  test('a sequence', async () => {
    const finding = await leak(
      'users',
      'serial',
      'bigint',
      joined((_, place) => place),
    );
    expect(finding.by).toContain('serial');
    expect(finding.sigmas).toBeGreaterThan(FOUND);
  });
  test('the order of insertion', async () => {
    const { pool } = server.deps.database;
    const order = population.joined.map(({ userId }) => userId);
    await pool.query('create table copy as select * from users');
    await pool.query('begin');
    await pool.query('alter table users disable trigger all');
    await pool.query('delete from users');
    await pool.query(
      'insert into users select * from copy order by array_position($1::uuid[], id)',
      [order],
    );
    await pool.query('alter table users enable trigger all');
    await pool.query('commit');
    await pool.query('drop table copy');
    const finding = best(await dumpDatabase(pool));
    expect(finding.by).toContain('public.users.ctid');
    expect(finding.sigmas).toBeGreaterThan(FOUND);
  });
});
