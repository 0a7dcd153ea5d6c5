import { afterAll, beforeAll, expect, test } from 'vitest';
import { openVault } from '#server/backup/testing/backups.ts';
import { rewriteTables } from '#server/db/testing/rewrite.ts';
import { buildTestApp, type TestApp } from '#server/testing/app.ts';
import { type AttackedSite, registryOf, suspectsOf } from './testing/attacked-site.ts';
import { dumpOfBackup, dumpOfInventory, together } from './testing/backup-dump.ts';
import { findPeople } from './testing/canaries.ts';
import { type Dump, dumpDatabase } from './testing/dump.ts';
import { CERTAIN, learn } from './testing/measure.ts';
import { newPeople, type Person } from './testing/people.ts';
import { populate } from './testing/population.ts';
import { randomFrom } from './testing/random.ts';
import { ALL_KEYS, type KeyName } from './testing/thief.ts';
import { type Cohort, leftBehindOf, reviewsOf } from './testing/truth.ts';
import type { World } from './testing/world.ts';

const ALL_BUT_AUTHORSHIP = ALL_KEYS.filter((name) => name !== 'AUTHORSHIP_KEY');

let people: Person[];
let server: TestApp;
let world: World;
let site: Pick<AttackedSite, 'world' | 'suspects'>;
beforeAll(async () => {
  const random = randomFrom(20_250_812);
  people = newPeople(random, 200);
  server = await buildTestApp({ npiRegistry: registryOf(people) });
  world = await populate(server, people, random);
  site = { world, suspects: suspectsOf(people) };
});
afterAll(() => server[Symbol.asyncDispose]());

/** The best guess at who wrote which reviews. */
const guess = (dump: Dump, holds: readonly KeyName[], cohort?: Cohort) =>
  learn(site, dump, holds, reviewsOf(site, cohort));

test('a backup from before the nightly rewrite reveals no more than a dump from after it', async () => {
  const vault = await openVault();
  await vault.backUp(server, undefined, { secrets: world.secrets });
  const now = await dumpDatabase(server.deps.database.pool);
  expect(guess(now, []).best.byChance).toBeLessThan(CERTAIN);
  const dump = await dumpOfBackup(world, vault);
  expect(findPeople(dump, people)).toEqual([]);
  for (const holds of [[], ALL_BUT_AUTHORSHIP]) {
    const { best, accounts } = guess(dump, holds);
    expect([accounts, best.byChance > CERTAIN, best.by]).toEqual([0, true, best.by]);
  }
  const locked = guess(dump, ALL_KEYS, 'locked');
  expect([locked.accounts, locked.best.byChance > CERTAIN]).toEqual([0, true]);
  // Nor who has returned after leaving reviews behind.
  const { best } = learn(site, dump, ALL_KEYS, leftBehindOf(site));
  expect(best.byChance, best.by).toBeGreaterThan(CERTAIN);
});

test('an inventory links no review to an account, with any keys', async () => {
  const vault = await openVault();
  await vault.takeInventory(server, undefined, { secrets: world.secrets });
  const inventory = await dumpOfInventory(world, vault);
  expect(inventory.tables.get('public.saved')?.length).toBeGreaterThan(20);
  expect(findPeople(inventory, people)).toEqual([]);
  for (const cohort of ['unlocked', 'locked'] as const) {
    const { best, accounts } = guess(inventory, ALL_KEYS, cohort);
    expect([cohort, accounts]).toEqual([cohort, 0]);
    expect(best.byChance, best.by).toBeGreaterThan(CERTAIN);
  }
});

test('an inventory and a dump reveal no more than the dump alone', async () => {
  const vault = await openVault();
  await vault.takeInventory(server, undefined, { secrets: world.secrets });
  const inventory = await dumpOfInventory(world, vault);
  const { pool } = server.deps.database;
  await rewriteTables(pool);
  await pool.query("delete from pgboss.job where name = 'rewrite'");
  const both = together(await dumpDatabase(pool), inventory);
  for (const holds of [[], ALL_BUT_AUTHORSHIP]) {
    const { best, accounts } = guess(both, holds);
    expect(accounts).toBe(0);
    expect(best.byChance, best.by).toBeGreaterThan(CERTAIN);
  }
  const { best, accounts } = guess(both, ALL_KEYS, 'locked');
  expect(accounts).toBe(0);
  expect(best.byChance, best.by).toBeGreaterThan(CERTAIN);
});
