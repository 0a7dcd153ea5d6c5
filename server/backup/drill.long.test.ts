import { afterAll, beforeAll, expect, test } from 'vitest';
import { registryOf } from '#server/anonymity/testing/attacked-site.ts';
import { dumpDatabase } from '#server/anonymity/testing/dump.ts';
import { areLinked } from '#server/anonymity/testing/links.ts';
import { newPeople } from '#server/anonymity/testing/people.ts';
import { populate } from '#server/anonymity/testing/population.ts';
import { randomFrom } from '#server/anonymity/testing/random.ts';
import type { Member, World } from '#server/anonymity/testing/world.ts';
import { rewriteTables } from '#server/db/testing/rewrite.ts';
import { bearer, send } from '#server/features/accounts/testing/account-flows.ts';
import { savedOf } from '#server/features/saved/testing/saved.ts';
import { buildTestApp, type TestApp } from '#server/testing/app.ts';
import type { TestDatabase } from '#server/testing/database.ts';
import { hurry } from '#server/testing/jobs.ts';
import { DERIVED, LEFT_OUT } from './tables.ts';
import {
  type Contents,
  contentsOf,
  emptyDatabase,
  openVault,
  type Row,
} from './testing/backups.ts';
import { aroundBackup } from './testing/later-deeds.ts';

const PEOPLE = 140;

let server: TestApp;
let world: World;
beforeAll(async () => {
  const random = randomFrom(24);
  const people = newPeople(random, PEOPLE);
  server = await buildTestApp({ npiRegistry: registryOf(people) });
  world = await populate(server, people, random);
  await server.deps.database.pool.query("delete from pgboss.job where name = 'rewrite'");
});
afterAll(() => server[Symbol.asyncDispose]());

test('a site with data in every table is restored unchanged', async () => {
  const vault = await openVault();
  const config = { secrets: world.secrets };
  const { pool } = server.deps.database;
  expect(await vault.backUp(server, undefined, config)).toMatchObject({ code: 0, errors: '' });
  await rewriteTables(pool);
  const before = await contentsOf(pool);
  const target = await emptyDatabase();
  const restored = await vault.restore(server, target, ['--no-inventory'], config);
  expect(restored).toMatchObject({ code: 0, errors: '' });
  const after = await contentsOf(target.pool);
  for (const [table, rows] of Object.entries(before)) {
    const isEmpty = LEFT_OUT.has(table) && table !== 'migrations';
    if (table === 'audit_log') continue;
    expect([table, after[table]]).toEqual([table, isEmpty ? [] : rows]);
  }
});

/** Columns that follow the inventory. All others are as in the backup. */
const FOLLOWS: Readonly<Record<string, readonly string[]>> = {
  users: ['is_admin', 'roles', 'end_left', 'end_left_on'],
  doctors: ['verified', 'can_post_reviews', 'posting_from', 'verification_status'],
  reviews: ['removed_reason', 'settled'],
  review_authors: ['author_key'],
  saved_lists: ['sealed'],
  representatives: ['state', 'reason'],
  review_replies: ['deleted', 'removed', 'decided_on', 'rule', 'note'],
};
const keyOf = ({ id, review_id, user_id }: Row) => String(id ?? review_id ?? user_id);
const idsOf = (rows: readonly Row[] = []) => new Set(rows.map(keyOf));

test('whatever was deleted since the backup stays deleted, and everything else is restored', async () => {
  const vault = await openVault();
  const config = { secrets: world.secrets };
  const { pool } = server.deps.database;
  const deeds = await aroundBackup(server, world);
  expect(await vault.backUp(server, undefined, config)).toMatchObject({ code: 0 });
  const before = await contentsOf(pool);
  const mine = await ownReviews(server, deeds.stays);
  await deeds.goOn();
  expect(await vault.takeInventory(server, undefined, config)).toMatchObject({ code: 0 });
  const now = await contentsOf(pool);

  const target = await emptyDatabase();
  const inventory = ['--inventory', vault.file('inventory')];
  const restored = await vault.restore(server, target, inventory, config);
  expect(restored).toMatchObject({ code: 0, errors: '' });
  expect(restored.output).toMatch(/Deleted again: 5 accounts, \d+ reviews\./);
  const after = await contentsOf(target.pool);

  // Table by table.
  const stillThere = (table: string, ...tables: string[]) => {
    const present = [table, ...tables].map((one) => idsOf(now[one]));
    return new Set([...idsOf(before[table])].filter((id) => present.some((ids) => ids.has(id))));
  };
  const accounts = stillThere('users');
  const reviews = stillThere('reviews');
  const scheduled = stillThere('scheduled_reviews', 'reviews');
  const replies = stillThere('review_replies');
  const isThere: Readonly<Record<string, (row: Row) => boolean>> = {
    users: ({ id }) => accounts.has(`${id}`),
    reviews: ({ id }) => reviews.has(`${id}`),
    scheduled_reviews: ({ id }) => scheduled.has(`${id}`),
    review_authors: ({ review_id }) => reviews.has(`${review_id}`) || scheduled.has(`${review_id}`),
    review_replies: ({ review_id }) => replies.has(`${review_id}`),
    reply_reports: ({ review_id }) => replies.has(`${review_id}`),
    email_undos: ({ token_hash }) =>
      now['email_undos']?.some((one) => one['token_hash'] === token_hash) === true,
    review_appeals: ({ decision_id }) => idsOf(after['review_decisions']).has(`${decision_id}`),
    cases: ({ review_id, account_id }) =>
      (review_id === null || reviews.has(`${review_id}`)) &&
      (account_id === null || accounts.has(`${account_id}`)),
  };
  for (const [table, rows] of Object.entries(before)) {
    if (SEPARATE.has(table) || LEFT_OUT.has(table)) continue;
    const remains =
      isThere[table] ??
      (({ review_id, user_id }) =>
        (review_id === undefined || table === 'legal_demands' || reviews.has(`${review_id}`)) &&
        (user_id === undefined || accounts.has(`${user_id}`)));
    const same = (some: readonly Row[]) => some.map((row) => without(row, FOLLOWS[table] ?? []));
    const expected = sorted(same(rows.filter(remains)));
    expect([table, sorted(same(after[table] ?? []))]).toEqual([table, expected]);
  }
  for (const table of ['npi_tombstones', 'saved_mailings']) {
    expect([table, after[table]]).toEqual([table, now[table]]);
  }
  const leaving = [...(before['departing_reviews'] ?? []), ...(now['departing_reviews'] ?? [])];
  const departing = leaving.filter(({ review_id }) => reviews.has(`${review_id}`));
  expect(idsOf(after['departing_reviews'])).toEqual(idsOf(departing));
  expect(after['departing_reviews']?.length).toBeGreaterThan(1);
  await expectDerived(target, after);

  // One action at a time.
  const row = (table: string, id: string) => after[table]?.find((one) => keyOf(one) === id);
  expect([row('reviews', deeds.deleted), row('scheduled_reviews', deeds.takenBack)]).toEqual([
    undefined,
    undefined,
  ]);
  expect(row('reviews', deeds.removed)).toMatchObject({ removed_reason: 'Names a patient' });
  expect(row('doctors', deeds.banned)).toMatchObject({ verified: false, can_post_reviews: false });
  expect(row('users', deeds.auditor)).toMatchObject({ is_admin: false, roles: [] });
  expect(row('representatives', world.speakers[0]?.userId ?? '')?.['state']).toBe('refused');
  const formerKeys = new Set(before['review_authors']?.map(({ author_key }) => author_key));
  for (const { how, userId, ids } of deeds.left) {
    expect(row('users', userId)).toBeUndefined();
    const theirs = ids.map((id) => row('reviews', id));
    if (how === 'delete') expect(theirs.every((one) => one === undefined)).toBe(true);
    else {
      const keys = new Set(ids.map((id) => row('review_authors', id)?.['author_key']));
      expect([how, keys.size]).toEqual([how, ids.length]);
      expect([...keys].filter((key) => formerKeys.has(key))).toEqual([]);
    }
  }
  const changed = after['review_authors']?.filter(
    ({ review_id, author_key }) => row('reviews', `${review_id}`) && !formerKeys.has(author_key),
  );
  const leftBehind = deeds.left.flatMap(({ how, ids }) => (how === 'delete' ? [] : ids));
  expect(idsOf(changed)).toEqual(new Set(leftBehind));

  const dump = await dumpDatabase(target.pool);
  for (const { ids } of deeds.left) expect(areLinked(dump, ids)).toBe(false);

  // People find their own data.
  await using copy = await buildTestApp({ beside: { deps: target } as never, config });
  expect(await ownReviews(copy, deeds.stays)).toEqual(mine);
  for (const { person } of deeds.left) {
    expect((await logIn(copy, person)).statusCode).toBe(401);
  }
  const headers = await signIn(copy, deeds.saver);
  expect(await savedOf(copy, { headers })).toEqual({ entries: deeds.kept, weekly_mail: false });
  // Nobody who left gets mail.
  await hurry(copy.deps.database.pool);
  await copy.jobs.idle();
  const gone = deeds.left.map(({ person }) => person.email);
  expect(copy.mail.map(({ to }) => to)).toContain(deeds.stays.open.person.email);
  expect(copy.mail.filter(({ to }) => gone.includes(to))).toEqual([]);
});

/** Checked separately, or unrelated to the backup. */
const SEPARATE = new Set([
  'audit_log',
  'departing_reviews',
  'npi_tombstones',
  'saved_mailings',
  ...DERIVED,
]);

const without = (row: Row, columns: readonly string[]): Row =>
  Object.fromEntries(Object.entries(row).filter(([name]) => !columns.includes(name)));

const sorted = (rows: readonly Row[]) => rows.map((row) => JSON.stringify(row)).toSorted();

/** Derived tables are equal to what recomputing them gives. */
async function expectDerived(target: TestDatabase, restored: Contents) {
  await target.background.pool.query(
    'select employer_ratings_recompute(array(select id from employers)), words_recompute()',
  );
  const again = await contentsOf(target.pool);
  for (const table of DERIVED) expect([table, restored[table]]).toEqual([table, again[table]]);
}

const logIn = (at: TestApp, { email, password }: Member['person']) =>
  send(at, '/auth/login/', { email, password });

async function signIn(at: TestApp, { person }: Member) {
  const answer = await logIn(at, person);
  if (answer.statusCode !== 200) throw new Error(answer.body);
  return bearer(answer.json().access);
}

/** What each of them reads as their own, without counts of votes by others. */
async function ownReviews(at: TestApp, who: Readonly<Record<string, Member>>) {
  const own: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(who)) {
    const headers = await signIn(at, member);
    own[name] = (await at.app.inject({ url: '/api/reviews/my_reviews/', headers })).json();
    expect(own[name]).not.toEqual([]);
  }
  return own;
}
