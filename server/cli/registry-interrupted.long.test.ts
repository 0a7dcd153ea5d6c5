import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { type RawBuilder, sql } from 'kysely';
import { expect, onTestFinished } from 'vitest';
import { PRODUCTION } from '#server/config/testing/production.ts';
import { LOCKS } from '#server/db/advisory-lock.ts';
import { generatedRow } from '#server/npi-registry/testing/generated-rows.ts';
import * as imports from '#server/npi-registry/testing/imports.ts';
import { npiOf, physician } from '#server/npi-registry/testing/nppes-file.ts';
import { zipOf } from '#server/npi-registry/testing/zip-file.ts';
import { newFile } from '#server/testing/folder.ts';
import { urlOf } from '#server/testing/server-process.ts';
import { type Site, testWith } from '#server/testing/site.ts';
import { expectRefusal } from './testing/curbside.ts';

const { FULL, counts, csv, full, importFile, run, stored } = imports;

const test = testWith();
test.beforeEach(({ site }) => run(site, 'forget'));

/** Most lines are empty, which saves time. One is bad. */
const LONG = csv(...Array.from({ length: 25_000 }, (_, n) => (n % 4 === 2 ? generatedRow(n) : '')));

test.for([
  ['csv', LONG],
  ['zip', zipOf({ [FULL]: LONG })],
] as const)('if stopped, keeps all; the next run reads all (%s)', async ([, content], { site }) => {
  await importFile(site, full(physician(npiOf(0))));
  const file = newFile(FULL, content);
  const stopped = await importFile(site, file, { stopAt: ' MB\n' });
  expect(stopped).toMatchObject({ code: 1, output: '' });
  expect(stopped.errors).toContain('curbside: stopped: run it again\n');
  expect(await stored(site)).toHaveLength(1);
  const again = await importFile(site, file);
  expect(again.output).toContain('25000 rows read, 1 skipped\n');
  const once = [await stored(site), await counts(site)];
  await importFile(site, file);
  expect([await stored(site), await counts(site)]).toEqual(once);
});

/** Until the test ends or `release` is called, statements that need such a lock on the registry wait. */
async function holdRegistry({ deps }: Site, against: 'reading' | 'replacing') {
  const client = await deps.database.background.pool.connect();
  const mode = against === 'reading' ? 'access exclusive' : 'share';
  await client.query(`begin; lock table registry_physicians in ${mode} mode`);
  const held = new AsyncDisposableStack();
  held.defer(async () => {
    await client.query('rollback');
    client.release();
  });
  onTestFinished(() => held.disposeAsync());
  return { release: () => held.disposeAsync() };
}

/** Does this to the statement that waits for the registry. */
const whileItWaits = ({ deps }: Site, what: RawBuilder<unknown>) =>
  expect
    .poll(async () => {
      const { rows } = await sql`select ${what} from pg_stat_activity
        where query ~ 'table registry_' and wait_event_type = 'Lock'
          and datname = current_database()`.execute(deps.db);
      return rows;
    })
    .toHaveLength(1);

test('rejects a file that changes during the import', async ({ site }) => {
  const file = newFile(FULL, LONG);
  const { release } = await holdRegistry(site, 'reading');
  const importing = importFile(site, file);
  await whileItWaits(site, sql`pid`);
  writeFileSync(file, LONG.replaceAll('"SMITH"', '"SMYTHE"'));
  await release();
  const { code, errors } = await importing;
  expect(code).toBe(1);
  expect(errors).toContain(`curbside: ${file} changed during the import: run it again\n`);
  expect(await stored(site)).toEqual([]);
});

test('reports a lost connection in one line, and loses nothing', async ({ site }) => {
  const file = newFile(FULL, LONG);
  const { release } = await holdRegistry(site, 'replacing');
  const importing = importFile(site, file);
  await whileItWaits(site, sql`pg_terminate_backend(pid)`);
  const { code, errors } = await importing;
  await release();
  expect(code).toBe(1);
  expect(errors).toMatch(
    /^curbside: the database stopped the import: .*\ncurbside: run it again$/m,
  );
  expect(errors).not.toContain('    at ');
  const again = await importFile(site, file);
  expect(again.output).toContain('25000 rows read, 1 skipped\n');
});

test('a killed import loses nothing, and the next one completes it', async ({ site }) => {
  await importFile(site, full(physician(npiOf(0))));
  const before = await stored(site);
  const file = newFile(FULL, LONG);
  const { NODE_ENV: _, ...settings } = PRODUCTION;
  // Otherwise the import could end before it is killed.
  const { release } = await holdRegistry(site, 'replacing');
  const args = [path.join(import.meta.dirname, 'main.ts'), 'registry', 'import', file];
  const killed = spawn(process.execPath, args, {
    env: { ...settings, DATABASE_URL: await urlOf(site.deps.db) },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const [line] = await once(createInterface(killed.stderr), 'line');
  expect(line).toMatch(/^\d of \d MB$/);
  killed.kill('SIGKILL');
  await once(killed, 'exit');
  expect(await stored(site)).toEqual(before);
  await release();
  const running = sql`select from pg_locks
    where locktype = 'advisory' and objid = ${LOCKS.registryImport}
      and database = (select oid from pg_database where datname = current_database())`;
  await expect.poll(async () => (await running.execute(site.deps.db)).rows).toEqual([]);

  const again = await importFile(site, file);
  expect(again.output).toContain('25000 rows read, 1 skipped\n');
  const completed = await stored(site);
  await run(site, 'forget');
  await importFile(site, file);
  expect(await stored(site)).toEqual(completed);
});

test('rejects another import and `forget` during an import', async ({ site }) => {
  const lock = await site.deps.database.background.pool.connect();
  await lock.query('select pg_advisory_lock($1)', [LOCKS.registryImport]);
  const file = full(physician(npiOf(1)));
  const busy = 'another import is running: wait until it finishes';
  await Promise.all([
    expectRefusal(importFile(site, file), busy),
    expectRefusal(run(site, 'forget'), busy),
  ]);
  await lock.query('select pg_advisory_unlock_all()');
  lock.release();
  expect((await importFile(site, file)).code).toBe(0);
});
