import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { startEmbedded } from '#server/db/embedded/launch.ts';
import { openDatabase } from '#server/db/open.ts';

const MAIN = path.join(import.meta.dirname, 'main.ts');
const SAMPLE = path.join(
  import.meta.dirname,
  '../features/employers/import/fixtures/hifld-sample.csv',
);

/** Runs the command as a separate process, on the test's own embedded database. */
async function run(args: string[], settings: Record<string, string>) {
  const child = spawn(process.execPath, [MAIN, ...args], {
    env: settings,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [output, errors, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ]);
  return { code, output, errors };
}

function newDataDir(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'curbside-cli-'));
  chmodSync(folder, 0o755);
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
}

test('creates the database if needed, works alongside another process, and exits', async () => {
  const DATA_DIR = newDataDir();
  const alone = await run(['employers', 'import', SAMPLE], { DATA_DIR });
  expect(alone).toMatchObject({
    code: 0,
    output: '36 added, 0 changed, 0 unchanged, 0 skipped\n',
  });
  const embedded = await startEmbedded({ dataDir: DATA_DIR });
  onTestFinished(() => embedded.stop());
  expect(embedded.adopted).toBe(false);
  const database = openDatabase(embedded.connection, () => {});
  onTestFinished(() => database.close());
  const second = await run(['employers', 'import', SAMPLE], { DATA_DIR });
  expect(second.output).toBe('0 added, 0 changed, 36 unchanged, 0 skipped\n');
  const count = database.db.selectFrom('employers').select((eb) => eb.fn.countAll().as('all'));
  expect(await count.execute()).toEqual([{ all: 36 }]);
});

// Four processes, one at a time: this takes a while on a busy machine.
test('reports errors in one line, with exit code 1', async () => {
  const DATA_DIR = newDataDir();
  const key = () => randomBytes(32).toString('base64');
  const server = {
    DATABASE_URL: 'postgres://nobody@127.0.0.1:1/curbside',
    SMTP_URL: 'smtp://127.0.0.1:1',
    PUBLIC_URL: 'https://curbside.example',
    SEALING_KEYS: `k1:${key()}`,
    INDEX_KEY: key(),
    AUTHORSHIP_KEY: key(),
    SESSION_KEY: key(),
    SECURITY_CONTACT: 'mailto:security@curbside.example',
  };
  expect(await run(['doctors', 'list'], { DATA_DIR, PORT: 'x' })).toEqual({
    code: 1,
    output: '',
    errors: 'curbside: PORT: must be a port\n',
  });
  expect(await run(['doctors', 'list'], { DATA_DIR, ...server })).toEqual({
    code: 1,
    output: '',
    errors: 'curbside: cannot connect to the database: connect ECONNREFUSED 127.0.0.1:1\n',
  });
  const unknown = await run(['doctors', 'lits'], { DATA_DIR });
  expect(unknown).toMatchObject({ code: 1, output: '' });
  expect(unknown.errors).toContain("error: unknown command 'lits'");
  expect(await run(['--help'], { DATA_DIR })).toMatchObject({ code: 0, errors: '' });
}, 120_000);
