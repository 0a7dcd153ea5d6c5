import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished } from 'vitest';
import { PRODUCTION } from '#server/config/testing/production.ts';
import { isRunningOn, start, temporaryFolder } from '#server/db/embedded/testing/fixtures.ts';
import { openDatabase } from '#server/db/open.ts';
import { describeError } from '#server/describe-error.ts';
import { SAMPLE_FILE } from '#server/features/employers/testing/hospital-file.ts';
import { terminate } from '#server/testing/server-process.ts';
import { test } from '#server/testing/site.ts';
import { curbside } from './testing/curbside.ts';

/** Starts the command as a separate process. */
function begin(args: string[], settings: Record<string, string>) {
  const child = spawn(process.execPath, [path.join(import.meta.dirname, 'main.ts'), ...args], {
    env: settings,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

async function run(args: string[], settings: Record<string, string>) {
  const child = begin(args, settings);
  const [output, errors, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ]);
  return { code, output, errors };
}

// Three processes and a new cluster: this takes a while on a busy machine.
test('a command that is stopped while it starts leaves no embedded PostgreSQL behind; the next one creates the database, works alongside another process, and exits', async () => {
  const DATA_DIR = temporaryFolder();
  const stopped = begin(['doctors', 'list'], { DATA_DIR });
  const found = () => globSync('postgres/postmaster.pid', { cwd: DATA_DIR });
  await expect.poll(found, { interval: 1 }).not.toEqual([]);
  expect(await terminate(stopped)).toBe(1);
  expect(isRunningOn(DATA_DIR)).toBe(false);

  const alone = await run(['employers', 'import', SAMPLE_FILE], { DATA_DIR });
  const added = '36 added, 0 changed, 0 unchanged, 0 skipped\n';
  expect(alone).toMatchObject({ code: 0, output: added });
  const embedded = await start(DATA_DIR);
  expect(embedded.adopted).toBe(false);
  const database = openDatabase(embedded.connection, () => {});
  onTestFinished(() => database.close());
  const second = await run(['employers', 'import', SAMPLE_FILE], { DATA_DIR });
  expect(second.output).toBe('0 added, 0 changed, 36 unchanged, 0 skipped\n');
  const count = database.db.selectFrom('employers').select((eb) => eb.fn.countAll().as('all'));
  expect(await count.execute()).toEqual([{ all: 36 }]);
});

test('reports errors in one line, with exit code 1', async () => {
  const { NODE_ENV: _, ...settings } = PRODUCTION;
  const DATABASE_URL = 'postgres://nobody@127.0.0.1:1/curbside';
  const failed = await Promise.all([
    run(['doctors', 'list'], { DATA_DIR: temporaryFolder(), PORT: 'x' }),
    run(['doctors', 'list'], { ...settings, DATABASE_URL }),
  ]);
  const refused = (message: string) => ({ code: 1, output: '', errors: `curbside: ${message}\n` });
  const connect = 'cannot connect to the database: connect ECONNREFUSED 127.0.0.1:1';
  expect(failed).toEqual([refused('PORT: must be a port'), refused(connect)]);
});

test('nothing from a file or an argument reaches the terminal as it is', async ({ site }) => {
  const hostile = '\u001b]0;owned\u0007\u009b2J\u202e\u2028x';
  const shown = '?]0;owned??2J??x';
  const unknown = await curbside(site, ['doctors', hostile]);
  expect(unknown.errors).toContain(shown);
  const file = path.join(temporaryFolder(), 'npidata_pfile_20050523-20261108.csv');
  writeFileSync(file, `${Array.from({ length: 330 }, () => `"${hostile}"`).join(',')}\n`);
  const columns = await curbside(site, ['registry', 'import', file]);
  expect(columns.code).toBe(1);
  expect(columns.errors).toContain(shown);
  const listing = describeError(
    Object.assign(new Error(`listen EADDRNOTAVAIL: ${hostile}`), {
      code: 'EADDRNOTAVAIL',
      syscall: 'listen',
    }),
  );
  expect(listing).toBe(
    `curbside: listen EADDRNOTAVAIL: ${shown}: set HOST and PORT to where it may listen`,
  );
  for (const text of [unknown.errors, columns.errors, describeError(new Error(hostile))]) {
    expect(text).toContain(shown);
    expect(text).not.toMatch(/[^\P{Cc}\n]|\p{Cf}|\p{Zl}/u);
  }
});

test('reports an unknown command, and shows help', async ({ site }) => {
  const errors = expect.stringContaining("error: unknown command 'lits'");
  const unknown = { code: 1, output: '', errors };
  expect(await curbside(site, ['doctors', 'lits'])).toMatchObject(unknown);
  expect(await curbside(site, ['--help'])).toMatchObject({ code: 0, errors: '' });
});
