import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { sql } from 'kysely';
import { expect, onTestFinished } from 'vitest';
import { PRODUCTION } from '#server/config/testing/production.ts';
import { LOCKS } from '#server/db/advisory-lock.ts';
import { generatedRow } from '#server/npi-registry/testing/generated-rows.ts';
import {
  counts,
  csv,
  FULL,
  full,
  importFile,
  run,
  stored,
} from '#server/npi-registry/testing/imports.ts';
import { npiOf, physician } from '#server/npi-registry/testing/nppes-file.ts';
import { zipOf } from '#server/npi-registry/testing/zip-file.ts';
import { newFile } from '#server/testing/folder.ts';
import { urlOf } from '#server/testing/server-process.ts';
import { type Site, testWith } from '#server/testing/site.ts';
import { expectRefusal } from './testing/curbside.ts';

const test = testWith();
test.beforeEach(({ site }) => run(site, 'forget'));

/** Three batches of 10,000 lines. Most are empty, which saves time. One is bad. */
const LONG = csv(...Array.from({ length: 25_000 }, (_, n) => (n % 4 === 2 ? generatedRow(n) : '')));

test.for([
  ['csv', LONG],
  ['zip', zipOf({ [FULL]: LONG })],
] as const)(
  'when stopped, keeps the registry; the next run resumes (%s)',
  async ([, content], { site }) => {
    await importFile(site, full(physician(npiOf(0))));
    const file = newFile(FULL, content);
    const stopped = await importFile(site, file, { stopAt: ' MB\n' });
    expect(stopped).toMatchObject({ code: 1, output: '' });
    expect(stopped.errors).toContain('curbside: stopped: run it again to resume\n');
    expect(await stored(site)).toHaveLength(1);
    const status = async () => (await run(site, 'status')).output;
    expect(await status()).toMatch(/in progress: npidata.*csv, [1-9]\d % read/);
    const again = await importFile(site, file);
    expect(again.errors).toMatch(/resuming at [1-9]\d* MB/);
    expect(again.output).toContain('25000 rows read, 1 skipped\n');
    const resumed = [await stored(site), await counts(site)];
    await importFile(site, file);
    expect([await stored(site), await counts(site)]).toEqual(resumed);
    expect(await status()).not.toContain('begun');
  },
);

test('reads a file from the beginning if it changed after the import was stopped', async ({
  site,
}) => {
  const file = newFile(FULL, LONG);
  await importFile(site, file, { stopAt: ' MB\n' });
  // The same size, beginning, and end.
  const [head, tail] = [LONG.slice(0, 2_000_000), LONG.slice(-2_000_000)];
  const middle = LONG.slice(2_000_000, -2_000_000).replaceAll('"SMITH"', '"SMYTH"');
  writeFileSync(file, `${head}${middle}${tail}`);
  utimesSync(file, new Date(), new Date(Date.now() + 10_000));
  const again = await importFile(site, file);
  expect(again.errors).not.toContain('resuming');
  expect(again.output).toContain('25000 rows read');
  const once = await stored(site);
  expect(once.some(({ last_name }) => last_name === 'SMYTH')).toBe(true);
  await run(site, 'forget');
  await importFile(site, file);
  expect(await stored(site)).toEqual(once);
});

/** Until the test ends or `release` is called, statements that write to the table wait. */
async function holdWrites({ deps }: Site, table: string) {
  const client = await deps.database.background.pool.connect();
  await client.query(`begin; lock table ${table} in share mode`);
  const held = new AsyncDisposableStack();
  held.defer(async () => {
    await client.query('rollback');
    client.release();
  });
  onTestFinished(() => held.disposeAsync());
  return { release: () => held.disposeAsync() };
}

test('reports a lost connection in one line, and loses nothing', async ({ site }) => {
  const file = newFile(FULL, LONG);
  await importFile(site, file, { stopAt: ' MB\n' });
  const { release } = await holdWrites(site, 'registry_staging');
  const importing = importFile(site, file);
  const kill = sql`select pg_terminate_backend(pid) from pg_stat_activity
    where query like 'copy registry_staging%' and datname = current_database()
      and wait_event_type = 'Lock'`;
  await expect.poll(async () => (await kill.execute(site.deps.db)).rows).toHaveLength(1);
  const { code, errors } = await importing;
  await release();
  expect(code).toBe(1);
  expect(errors).toMatch(/^curbside: the database stopped the import: .*\ncurbside: run it again/m);
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
  const { release } = await holdWrites(site, 'registry_physicians');
  const args = [path.join(import.meta.dirname, 'main.ts'), 'registry', 'import', file];
  const killed = spawn(process.execPath, args, {
    env: { ...settings, DATABASE_URL: await urlOf(site.deps.db) },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  // By now, the first batch is committed.
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
  expect(again.errors).toMatch(/resuming at \d+ MB/);
  expect(again.output).toContain('25000 rows read, 1 skipped\n');
  const completed = await stored(site);
  await run(site, 'forget');
  await importFile(site, file);
  expect(await stored(site)).toEqual(completed);
}, 120_000);

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
