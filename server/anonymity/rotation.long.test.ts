import { afterAll, beforeAll, expect, test } from 'vitest';
import { rewriteTables } from '#server/db/testing/rewrite.ts';
import { type AttackedSite, buildAttackedSite } from './testing/attacked-site.ts';
import { matchChanges, withChanges } from './testing/changes.ts';
import { type Dump, dumpRows } from './testing/dump.ts';
import { CERTAIN, learn } from './testing/measure.ts';
import { rotateAuthorship } from './testing/rotate-keys.ts';
import { ALL_KEYS, type KeyName } from './testing/thief.ts';
import { reviewsOf } from './testing/truth.ts';

let site: AttackedSite;
/** Backups from around a rotation and the first log-ins of every second member, all rewritten. */
let dump: Dump;
beforeAll(async () => {
  site = await buildAttackedSite(undefined, undefined, dumpRows);
  const { world } = site;
  const { pool } = site.server.deps.database;
  const before = site.after;
  await rotateAuthorship(world);
  const between = await dumpRows(pool);
  for (const [at, { person }] of world.members.entries()) {
    const { email, password } = person;
    if (at % 2 === 0) await world.send(person, 'POST', '/auth/login/', { email, password });
  }
  await rewriteTables(pool);
  await pool.query("delete from pgboss.job where name = 'rewrite'");
  const after = await dumpRows(pool);
  dump = withChanges(withChanges(after, 'between', between), 'before', before);
});
afterAll(() => site.server[Symbol.asyncDispose]());

const ALL_BUT_SESSION = ALL_KEYS.filter((name) => name !== 'SESSION_KEY');

/** What the backups tell about reviews of locked authors, together and by what changed. */
function learned(holds: readonly KeyName[]) {
  const target = reviewsOf(site, 'locked');
  const { loot, best, accounts } = learn(site, dump, holds, target);
  return { accounts, findings: [best, matchChanges(loot, target)] };
}

test('backups around a rotation and the log-ins after it tie no locked author to a review', () => {
  for (const holds of [[], ALL_BUT_SESSION]) {
    const { accounts, findings } = learned(holds);
    expect(accounts).toBe(0);
    for (const { byChance, by } of findings) expect(byChance, by).toBeGreaterThan(CERTAIN);
  }
});

test('with the session key, they tie the new sessions to the reviews that moved', () => {
  const [, changes] = learned(['SESSION_KEY']).findings;
  expect(changes).toMatchObject({ by: expect.stringContaining('sessions.same_as_between.row') });
  expect(changes?.byChance).toBeLessThan(CERTAIN);
});
