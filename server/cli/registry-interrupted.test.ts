import { utimesSync, writeFileSync } from 'node:fs';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import {
  counts,
  csv,
  FULL,
  fileOf,
  full,
  generated,
  importFile,
  run,
  stored,
} from '#server/npi-registry/testing/imports.ts';
import { npiOf, physician } from '#server/npi-registry/testing/nppes-file.ts';
import { zipOf } from '#server/npi-registry/testing/zip-file.ts';
import { buildTestApp } from '#server/testing/app.ts';

/** Three batches of 10,000 lines. */
const LONG = csv(...generated(25_000));

test.each([
  ['csv', LONG],
  ['zip', zipOf({ [FULL]: LONG })],
])('when stopped, keeps the registry; the next run resumes (%s)', async (_, content) => {
  await using server = await buildTestApp();
  await importFile(server, full(physician(npiOf(0))));
  const file = fileOf(FULL, content);
  const stopped = await importFile(server, file, { stopAt: ' MB\n' });
  expect(stopped).toMatchObject({ code: 1, output: '' });
  expect(stopped.errors).toContain('curbside: stopped: run it again to resume\n');
  expect(await stored(server)).toHaveLength(1);
  expect((await run(server, 'status')).output).toMatch(/in progress: npidata.*csv, [1-9]\d % read/);
  const again = await importFile(server, file);
  expect(again.errors).toMatch(/resuming at [1-9]\d* MB/);
  expect(again.output).toContain('25000 rows read, 1 skipped\n');
  const resumed = [await stored(server), await counts(server)];
  await importFile(server, file);
  expect([await stored(server), await counts(server)]).toEqual(resumed);
  expect((await run(server, 'status')).output).not.toContain('begun');
});

test('reads a file from the beginning if it changed after the import was stopped', async () => {
  await using server = await buildTestApp();
  const file = fileOf(FULL, LONG);
  await importFile(server, file, { stopAt: ' MB\n' });
  // The same size, beginning, and end.
  const [head, tail] = [LONG.slice(0, 2_000_000), LONG.slice(-2_000_000)];
  const middle = LONG.slice(2_000_000, -2_000_000).replaceAll('"SMITH"', '"SMYTH"');
  writeFileSync(file, `${head}${middle}${tail}`);
  utimesSync(file, new Date(), new Date(Date.now() + 10_000));
  const again = await importFile(server, file);
  expect(again.errors).not.toContain('resuming');
  expect(again.output).toContain('25000 rows read');
  const once = await stored(server);
  expect(once.some(({ last_name }) => last_name === 'SMYTH')).toBe(true);
  await run(server, 'forget');
  await importFile(server, file);
  expect(await stored(server)).toEqual(once);
});

test('reports a lost connection in one line, and loses nothing', async () => {
  await using server = await buildTestApp();
  const file = fileOf(FULL, LONG);
  const { pool } = server.deps.database;
  const kill = sql`select pg_terminate_backend(pid) from pg_stat_activity
    where query like 'copy registry_staging%' and datname = current_database()`;
  const importing = importFile(server, file);
  let killed = 0;
  while (killed === 0) killed = (await kill.execute(server.deps.db)).rows.length;
  const { code, errors } = await importing;
  expect(code).toBe(1);
  expect(errors).toMatch(/^curbside: the database stopped the import: .*\ncurbside: run it again/m);
  expect(errors).not.toContain('    at ');
  const again = await importFile(server, file);
  expect(again.output).toContain('25000 rows read, 1 skipped\n');
  expect(pool.idleCount).toBeGreaterThanOrEqual(0);
});

test('rejects another import and `forget` during an import', async () => {
  await using server = await buildTestApp();
  const lock = await server.deps.database.background.pool.connect();
  await lock.query('select pg_advisory_lock(7346215)');
  const file = full(physician(npiOf(1)));
  const { code, errors } = await importFile(server, file);
  expect({ code, errors }).toEqual({
    code: 1,
    errors: 'curbside: another import is running: wait until it finishes\n',
  });
  expect((await run(server, 'forget')).errors).toBe(errors);
  lock.release(true);
  expect((await importFile(server, file)).code).toBe(0);
});
