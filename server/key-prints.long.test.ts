import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { openVault } from '#server/backup/testing/backups.ts';
import { curbside } from '#server/cli/testing/curbside.ts';
import { KEYS } from '#server/config/settings.ts';
import { claimKeys, missingKeys } from './key-prints.ts';
import { TEST_CONFIG } from './testing/app.ts';
import { testDatabase } from './testing/database.ts';
import { logOf } from './testing/factories.ts';
import { listening, spawnServer, terminate } from './testing/server-process.ts';
import { newSite } from './testing/site.ts';

/** Servers are started one after the other. */
const { secrets } = TEST_CONFIG;
const other = () => randomBytes(32);
/** The same secrets with another key in one setting. */
const CHANGED = {
  SEALING_KEYS: { ...secrets, sealing: [{ id: 'k1', key: other() }] },
  INDEX_KEY: { ...secrets, index: [other()] },
  AUTHORSHIP_KEY: { ...secrets, authorship: [other()] },
  SESSION_KEY: { ...secrets, session: other() },
};

test('a server with another key than the database was used with does not start, and says which', async () => {
  const { db } = await testDatabase();
  const first = await spawnServer(db);
  await listening(first);
  expect(await terminate(first)).toBe(0);
  const changed = await spawnServer(db, { SESSION_KEY: other().toString('base64') });
  await expect(listening(changed)).rejects.toThrow(
    /ended: curbside: SESSION_KEY lacks a key that this database was used with: set the old value.*\n$/,
  );
  expect(await listening(await spawnServer(db))).toMatch(/^http/);
});

test.for(KEYS)('commands refuse another %s, until its loss is accepted', async (setting) => {
  const site = await newSite();
  const { pool } = site.deps.database;
  await site.doctor();
  await claimKeys(pool, secrets);
  const vault = await openVault();
  expect((await vault.takeInventory(site)).code).toBe(0);
  const config = { ...site.deps.config, secrets: CHANGED[setting] };
  const wrong = { deps: { ...site.deps, config } };
  const refused = {
    code: 1,
    errors: expect.stringMatching(`^curbside: ${setting} lacks a key.*\n$`),
  };
  expect(await vault.takeInventory(wrong)).toMatchObject(refused);
  expect(await vault.backUp(wrong)).toMatchObject(refused);

  const asked = await curbside(wrong, ['keys', 'accept', setting]);
  expect(asked).toMatchObject({ code: 1, errors: expect.stringContaining('nothing was changed') });
  expect(asked.output).toMatch(/\w{5}.*\.\n$/);
  expect(await missingKeys(pool, CHANGED[setting])).toEqual([setting]);
  expect(await curbside(wrong, ['keys', 'accept', setting, '--lost'])).toMatchObject({ code: 0 });
  expect(await logOf(site, setting, 'actor', 'action')).toEqual([
    { actor: 'cli', action: 'keys.accept' },
  ]);
  expect((await vault.backUp(wrong)).code).toBe(0);
  await claimKeys(pool, CHANGED[setting]);
  expect(await missingKeys(pool, secrets)).toEqual([setting]);
});

test('a rotation needs both keys until it has finished, and then only the new one', async () => {
  const site = await newSite();
  const { pool } = site.deps.database;
  await site.doctor();
  await claimKeys(pool, secrets);
  const fresh = other();
  const both = { ...secrets, index: [fresh, ...secrets.index] };
  await claimKeys(pool, both);
  const alone = { ...secrets, index: [fresh] };
  expect(await missingKeys(pool, secrets)).toEqual(['INDEX_KEY']);
  expect(await missingKeys(pool, alone)).toEqual(['INDEX_KEY']);
  const config = { ...site.deps.config, secrets: both };
  expect(await curbside({ deps: { ...site.deps, config } }, ['index', 'rotate'])).toMatchObject({
    code: 0,
  });
  expect(await missingKeys(pool, alone)).toEqual([]);
  expect(await missingKeys(pool, secrets)).toEqual(['INDEX_KEY']);
});

test('of two servers with other keys that start at once, one is refused', async () => {
  const { pool } = (await testDatabase()).background;
  const both = [claimKeys(pool, secrets), claimKeys(pool, CHANGED.SESSION_KEY)];
  const results = await Promise.allSettled(both);
  expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
});

test('prints of the same keys in two databases have nothing in common', async () => {
  const prints = await Promise.all(
    [1, 2].map(async () => {
      const { pool } = (await testDatabase()).background;
      await claimKeys(pool, secrets);
      const { rows } = await pool.query('select salt, print from key_prints');
      return rows.flatMap(({ salt, print }) => [salt, print].map((one) => one.toString('hex')));
    }),
  );
  expect(new Set(prints.flat()).size).toBe(16);
});
