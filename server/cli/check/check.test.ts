import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { SMTPServerOptions } from 'smtp-server';
import { expect, onTestFinished, vi } from 'vitest';
import { storedSecrets } from '#server/config/stored-secrets.ts';
import { key } from '#server/config/testing/production.ts';
import { migrate } from '#server/db/migrate.ts';
import { type Database, openDatabase } from '#server/db/open.ts';
import { smtpReply, startSmtpServer } from '#server/mail/testing.ts';
import { TEST_CONFIG } from '#server/testing/app.ts';
import { createTestDatabase, testDatabase } from '#server/testing/database.ts';
import { newFolder } from '#server/testing/folder.ts';
import { urlOf } from '#server/testing/server-process.ts';
import { testWith } from '#server/testing/site.ts';
import { runCommand } from '../run.ts';
import { checkDatabase } from './database.ts';

const { secrets } = TEST_CONFIG;
const SUBJECTS = 'settings database keys mail registry site disk backup inventory'.split(' ');
const base64 = (bytes: Buffer | undefined) => bytes?.toString('base64') ?? '';

const test = testWith()
  /** The settings of a production server on this machine, with everything in order. */
  .extend('well', { scope: 'file' }, async ({ site }, { onCleanup }) => {
    const smtp = await startSmtpServer();
    const dataDir = mkdtempSync(path.join(tmpdir(), 'curbside-check-'));
    onCleanup(async () => {
      await smtp.close();
      rmSync(dataDir, { recursive: true });
    });
    writeLast('backup', dataDir, 1);
    writeLast('inventory', dataDir, 0.5);
    return {
      DATABASE_URL: await urlWith(site.deps.database, { log_min_messages: 'log' }),
      SMTP_URL: smtp.url,
      PUBLIC_URL: await siteAt(),
      MAIL_FROM: 'Accounts <accounts@hospital.example>',
      SECURITY_CONTACT: 'mailto:security@hospital.example',
      LETTER_SENDER: 'Office|Springfield, IL 62700',
      NPI_REGISTRY_URL: await registry('{"result_count":0,"results":[]}'),
      SEALING_KEYS: `k1:${base64(secrets.sealing[0]?.key)}`,
      INDEX_KEY: base64(secrets.index[0]),
      AUTHORSHIP_KEY: base64(secrets.authorship[0]),
      SESSION_KEY: base64(secrets.session),
      DATA_DIR: dataDir,
    };
  });

function writeLast(what: 'backup' | 'inventory', dataDir: string, hoursAgo: number) {
  const finished_at = new Date(Date.now() - hoursAgo * 3_600_000).toJSON();
  const last = { finished_at, lineage: randomUUID(), accounts: 1, reviews: 1 };
  writeFileSync(path.join(dataDir, `last-${what}.json`), JSON.stringify(last));
}

/** The URL of a database with these settings. */
async function urlWith({ pool, db }: Database, settings: Record<string, string>) {
  const url = await urlOf(db);
  const database = new URL(url).pathname.slice(1);
  for (const [name, value] of Object.entries(settings)) {
    await pool.query(`alter database ${database} set ${name} = '${value}'`);
  }
  return url;
}

/** The port of a server that listens until the tests end. */
async function portOf(server: Server): Promise<number> {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return (server.unref().address() as AddressInfo).port;
}

/** A server that answers every request like Curbside, or like another program. */
async function siteAt(status = 200, isOurs = true): Promise<string> {
  const server = createServer(({ headers }, response) => {
    const id = headers['x-request-id'];
    response.writeHead(status, isOurs && id ? { 'x-request-id': id } : {}).end();
  });
  return `http://127.0.0.1:${await portOf(server)}`;
}

/** A registry that gives every request the same response. */
async function registry(answer: string, status = 200): Promise<string> {
  const server = createServer((_request, response) => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(answer);
  });
  return `http://127.0.0.1:${await portOf(server)}/api/`;
}

/** Runs the command, and returns its exit code and its lines by subject. */
async function check(settings: Record<string, string>) {
  const [output, errors] = [new PassThrough(), new PassThrough()];
  const terminal = { input: Readable.from(['']), output, errors };
  const texts = Promise.all([text(output), text(errors)]);
  const never = () => Promise.reject(new Error('no command runs on the database'));
  const code = await runCommand(['check'], terminal, never, () => settings);
  output.end();
  errors.end();
  const [lines, error] = await texts;
  for (const secret of ['SEALING_KEYS', 'INDEX_KEY', 'AUTHORSHIP_KEY', 'SESSION_KEY']) {
    const value = settings[secret]?.replace(/^k\d:/, '');
    if (value) expect(lines + error).not.toContain(value);
  }
  const about = (what: string) =>
    lines
      .split('\n')
      .filter((line) => line.slice(6).startsWith(what))
      .map((line) => line.replace(/ {2,}\w+ +/, ' '));
  return { code, error, lines: lines.trimEnd().split('\n'), about };
}

test('reports in one line each that everything is in order', async ({ well }) => {
  const { code, lines, error } = await check(well);
  expect(error).toBe('');
  expect(lines.filter((line) => !line.startsWith('ok '))).toEqual([]);
  expect(new Set(lines.map((line) => line.split(/ +/)[1]))).toEqual(new Set(SUBJECTS));
  expect(code).toBe(0);
});

test('lists every error in the settings, and stops', async ({ well }) => {
  const { SMTP_URL: _, ...without } = well;
  const { code, lines, error } = await check({ ...without, PORT: 'x', SESSION_KEY: 'short' });
  expect(code).toBe(1);
  expect(error).toBe('curbside: 3 checks failed\n');
  expect(lines.map((line) => line.slice(0, 28))).toEqual([
    'fail  settings   PORT: must ',
    expect.stringMatching(/^fail {2}settings {3}SESSION_KEY/),
    'fail  settings   SMTP_URL: m',
  ]);
});

test.for([
  ['nothing listens', 'postgres://nobody:canary@127.0.0.1:1/c', /ECONNREFUSED.*check host, port/],
  ['no such host', 'postgres://c@nowhere.invalid/c?sslmode=disable', /ENOTFOUND|EAI_AGAIN/],
] as const)('a database is absent: %s', async ([, DATABASE_URL, expected], { well }) => {
  const { code, about, lines } = await check({ ...well, DATABASE_URL });
  expect(code).toBe(1);
  expect(about('database')).toEqual([expect.stringMatching(/^fail cannot be reached/)]);
  expect(about('database')).toEqual([expect.stringMatching(expected)]);
  expect(lines.join()).not.toContain('canary');
  // The others are still checked.
  expect(about('mail')).toEqual([expect.stringMatching(/^ok/)]);
});

test('the database wants a password that the URL lacks', async ({ well }) => {
  // The beginning of a session with SCRAM (PostgreSQL, "Message Formats").
  const ask = (kind: number, content: string) => {
    const head = Buffer.alloc(9);
    head.write('R');
    head.writeInt32BE(8 + content.length, 1);
    head.writeInt32BE(kind, 5);
    return Buffer.concat([head, Buffer.from(content)]);
  };
  const questions = [ask(10, 'SCRAM-SHA-256\0\0'), ask(11, 'r=x,s=x,i=1')];
  const server = createTcpServer((socket) => {
    const left = questions.values();
    socket.on('data', () => socket.write(left.next().value ?? ''));
    socket.on('error', () => socket.destroy());
  });
  const DATABASE_URL = `postgres://curbside@127.0.0.1:${await portOf(server)}/c?sslmode=disable`;
  const { about } = await check({ ...well, DATABASE_URL });
  expect(about('database')).toEqual([
    'fail wants a password: add the one of its user to DATABASE_URL',
  ]);
});

test('the database does not exist', async ({ well }) => {
  const DATABASE_URL = String(new URL('/nowhere', well.DATABASE_URL));
  const { about } = await check({ ...well, DATABASE_URL });
  const fault = 'fail does not exist: create the database that DATABASE_URL names';
  expect(about('database')).toEqual([fault]);
});

test('a pooler and replicas are checked separately from the server', async ({ well }) => {
  const direct = well.DATABASE_URL;
  const gone = 'postgres://c:canary@127.0.0.1:1/c';
  const { about, lines, code } = await check({
    ...well,
    DATABASE_URL: gone,
    DATABASE_DIRECT_URL: direct,
    DATABASE_REPLICA_URLS: `${gone},${direct}`,
  });
  expect(about('database').slice(-3)).toEqual([
    expect.stringMatching(/^fail the pooler cannot be reached .* in DATABASE_URL$/),
    expect.stringMatching(/^warn replica 1 cannot be reached .* in DATABASE_REPLICA_URLS\. Mean/),
    'fail replica 2 is not a standby: remove it from DATABASE_REPLICA_URLS',
  ]);
  expect(lines.join()).not.toContain('canary');
  expect(code).toBe(1);
  const pooled = await check({ ...well, DATABASE_DIRECT_URL: direct });
  expect(pooled.about('database')).toContain('ok the pooler responds');
});

test('reports an empty database without changing it', async ({ well }) => {
  const { pool, db } = await testDatabase();
  await pool.query('drop schema public, pgboss cascade; create schema public');
  const DATABASE_URL = await urlOf(db);
  for (let n = 0; n < 2; n += 1) {
    const { about, code } = await check({ ...well, DATABASE_URL });
    expect(about('database')).toContainEqual(
      expect.stringMatching(/^warn \d+ migrations are pending: the next start applies them$/),
    );
    expect(about('keys')).toEqual(['warn not checked before the migrations are applied']);
    expect(code).toBe(0);
  }
  const tables = "select from pg_class where relnamespace = 'public'::regnamespace";
  const { rows } = await pool.query(tables);
  expect(rows).toEqual([]);
});

test('the user may not create tables', async ({ well }) => {
  const { pool, db } = await testDatabase();
  await pool.query('drop schema public, pgboss cascade; create schema public');
  const url = new URL(await urlOf(db));
  url.username = `limited_${randomUUID().slice(0, 8)}`;
  url.password = 'limited';
  await pool.query(`create role ${url.username} login password 'limited'`);
  onTestFinished(async () => {
    await using other = await createTestDatabase();
    await other.pool.query(`drop role ${url.username}`);
  });
  const { about, code } = await check({ ...well, DATABASE_URL: String(url) });
  expect(about('database')).toContain(
    'fail its user may not create tables and schemas: make it the owner of the database',
  );
  expect(code).toBe(1);
  const limited = openDatabase({ connectionString: String(url) }, () => {});
  const failed = migrate(limited.background.pool);
  await expect(failed).rejects.toThrow(/^the database cannot be migrated/);
  await limited.close();
});

test('the database allows too few connections', async ({ well }) => {
  const { about } = await check({ ...well, WORKERS: '50' });
  expect(about('database')).toContainEqual(
    expect.stringMatching(/^fail allows \d+ connections, enough for \d+ processes of 28: raise/),
  );
});

test.for([
  [
    'migrated by a different version',
    "checksum = 'x'",
    /^fail migration 0001-text-functions\.sql has been changed since it was applied: run the matching version of Curbside$/,
  ],
  [
    'from before the first release',
    "name = '0001-text.sql'",
    /^fail this database was made by .* or go back to the version that made it$/,
  ],
] as const)('a database %s', async ([, change, expected], { well }) => {
  const { pool, db } = await testDatabase();
  await pool.query(`update migrations set ${change} where name like '0001-%'`);
  const { about, code } = await check({ ...well, DATABASE_URL: await urlOf(db) });
  expect(about('database')).toContainEqual(expect.stringMatching(expected));
  expect(code).toBe(1);
});

test('the database log contains rows or statements', async ({ well }) => {
  const settings: [name: string, unsafe: string, safe: string][] = [
    ['log_min_messages', 'warning', 'log'],
    ['log_statement', 'mod', 'none'],
    ['log_min_duration_statement', '0', '-1'],
    ['log_min_duration_sample', '0', '-1'],
    ['log_transaction_sample_rate', '1', '0'],
    ['log_lock_waits', 'on', 'off'],
    ['log_temp_files', '0', '-1'],
    ['auto_explain.log_min_duration', '0', '-1'],
  ];
  const unsafe = Object.fromEntries(settings.map(([name, value]) => [name, value]));
  const DATABASE_URL = await urlWith(await testDatabase(), unsafe);
  const { about, code } = await check({ ...well, DATABASE_URL });
  const risk = 'warn its log may contain rows and statements: set';
  expect(about('database').filter((line) => line.startsWith('warn'))).toEqual(
    settings.map(([name, , safe]) => `${risk} ${name} to ${safe} (docs/operations.md)`),
  );
  expect(code).toBe(0);
});

// The query of their time may take a few seconds on a busy machine.
test.for([
  [0, /^ok its clock and ours agree$/],
  [-120, /^fail its clock and ours differ by 1[12]\d s: run NTP on both machines$/],
  [30, /^warn its clock and ours differ by (2\d|30) s: run NTP on both machines$/],
] as const)('our clock is off by %i s', async ([seconds, expected], { site, well }) => {
  // On this machine, there is one clock.
  expect((await check(well)).about('database').join()).not.toContain('clock');
  const { pool } = site.deps.database;
  const elsewhere = {
    async query(text: string, values: unknown[]) {
      const { rows } = await pool.query(text, values);
      return { rows: rows.map((row) => ({ ...row, is_local: false })) };
    },
  } as typeof pool;
  const now = Date.now.bind(Date);
  // It advances, unlike Vitest's own: connecting may take a second.
  vi.spyOn(Date, 'now').mockImplementation(() => now() + seconds * 1000);
  onTestFinished(() => void vi.restoreAllMocks());
  const lines: string[] = [];
  const findings = checkDatabase({ directUrl: null, workers: 1 }, { pool: elsewhere });
  for await (const { level, says } of findings) lines.push(`${level} ${says}`);
  expect(lines).toContainEqual(expect.stringMatching(expected));
});

test('a sealing key is missing or wrong', async ({ site, well }) => {
  await site.doctor();
  const keysOf = async (SEALING_KEYS: string) =>
    (await check({ ...well, SEALING_KEYS })).about('keys');
  expect(await keysOf(well.SEALING_KEYS)).toEqual(['ok all keys in use are set']);
  expect(await keysOf(`k2:${key()}`)).toEqual([
    'fail the database needs the key with the id k1: add it to SEALING_KEYS',
  ]);
  expect(await keysOf(`k1:${key()}`)).toEqual([
    'fail SEALING_KEYS has the ids that the database needs, but with other keys',
  ]);
});

async function smtpUrl(options: SMTPServerOptions, login = ''): Promise<string> {
  const server = await startSmtpServer(options);
  onTestFinished(() => server.close());
  return server.url.replace('//', `//${login}`);
}

const REFUSING: SMTPServerOptions = {
  disabledCommands: ['STARTTLS'],
  allowInsecureAuth: true,
  onAuth: (_auth, _session, done) => done(smtpReply(535, 'canary-user may not')),
};

test.for<[what: string, url: () => Promise<string>, expected: RegExp]>([
  ['the port is wrong', async () => 'smtp://127.0.0.1:1', /cannot be reached/],
  ['the host is wrong', async () => 'smtps://nowhere.invalid', /cannot be found/],
  [
    'the login is wrong',
    () => smtpUrl(REFUSING, 'canary-user:canary-password@'),
    /rejects the login: check user and password in SMTP_URL/,
  ],
  [
    'it accepts no connections from us',
    () => smtpUrl({ onConnect: (_session, done) => done(smtpReply(554, 'canary')) }),
    /rejects/,
  ],
  [
    'it does not support TLS',
    async () => (await smtpUrl({})).replace('smtp:', 'smtps:'),
    /cannot be reached, or its certificate is not valid|offers no TLS/,
  ],
])('mail: %s', async ([, url, expected], { well }) => {
  const { about, lines, code } = await check({ ...well, SMTP_URL: await url() });
  expect(about('mail')).toEqual([expect.stringMatching(/^fail /)]);
  expect(about('mail')).toEqual([expect.stringMatching(expected)]);
  expect(lines.join()).not.toContain('canary');
  expect(code).toBe(1);
});

test('the registry does not respond', async ({ well }) => {
  const { about, code } = await check({ ...well, NPI_REGISTRY_URL: await registry('{}', 500) });
  const fault = expect.stringMatching(/^fail .* does not respond as expected/);
  expect(about('registry')).toEqual([fault]);
  expect(code).toBe(1);
});

test('queries no registry once one is imported', async ({ well }) => {
  const { pool, db } = await testDatabase();
  await pool.query(`insert into registry_files (file_name, kind, imported_on, lines, skipped)
    values ('npidata.csv', 'full', '2026-11-01', 1, 0)`);
  const NPI_REGISTRY_URL = await registry('{}', 500);
  const DATABASE_URL = await urlOf(db);
  const { about } = await check({ ...well, NPI_REGISTRY_URL, DATABASE_URL });
  expect(about('registry')).toEqual(['ok imported on 2026-11-01']);
});

test('the site or a server does not respond, or is another program', async ({ well }) => {
  // Nobody listens there, and no browser refuses it.
  const closed = 2;
  const nobody = 'cannot be reached (ECONNREFUSED)';
  const around = 'check the proxy, its certificate, DNS, and PUBLIC_URL';
  for (const [PUBLIC_URL, what] of [
    [`http://127.0.0.1:${closed}`, nobody],
    [await siteAt(200, false), 'leads to another program'],
    [await siteAt(502, false), 'answers 502'],
  ] as const) {
    const { about, code } = await check({ ...well, PUBLIC_URL });
    expect([code, ...about('site')]).toEqual([1, `fail PUBLIC_URL ${what}: ${around}`]);
  }
  const [ready, busy] = [new URL(await siteAt()).port, new URL(await siteAt(503)).port];
  const { about, code } = await check({ ...well, SERVICE_PORTS: `${ready}\n${busy}\n${closed}\n` });
  const server = 'curbside-server@';
  expect([code, ...about('site')]).toEqual([
    1,
    `ok ${server}${ready} is ready`,
    `fail ${server}${busy} is not ready (503): see journalctl -u ${server}${busy}`,
    `fail ${server}${closed} ${nobody}: see systemctl status ${server}${closed}`,
    'ok PUBLIC_URL leads to Curbside',
  ]);
});

test('a setting is misspelled, unknown, missing, or for trying it out', async ({ well }) => {
  const { MAIL_FROM: _, SECURITY_CONTACT: __, LETTER_SENDER: ___, ...without } = well;
  const bad = { ...without, MAIL_FORM: 'x', VERIFICATION: 'registry', HOME: '/', TZ: 'UTC' };
  const names = 'MAIL_FORM\nPROT\nNODE_EXTRA_CA_CERTS\nPUBLIC_URL\n';
  const machine = { SERVICE_SETTINGS: names, SERVICE_SETTINGS_MODE: '644' };
  const { about, code } = await check({ ...bad, ...machine });
  expect(code).toBe(1);
  expect(about('settings')).toEqual([
    'fail MAIL_FORM is not a setting: remove it, or write MAIL_FROM',
    'fail PROT is not a setting: remove it, or write PORT',
    'fail its file has mode 644: run chmod 600 on it',
    'fail MAIL_FROM: set it to an address of yours',
    'warn SECURITY_CONTACT: set it, so that people can report a vulnerability',
    'warn LETTER_SENDER: set it, or no letter can be printed',
    'warn VERIFICATION=registry verifies whoever knows the name of an NPI: set it to proof',
  ]);
  const good = { SERVICE_SETTINGS: 'PUBLIC_URL', SERVICE_SETTINGS_MODE: '600' };
  expect((await check({ ...well, ...good })).about('settings')).toEqual([
    'ok all settings are present and safe',
  ]);
});

test('few files may be open', async ({ well }) => {
  const report = { userLimits: { open_files: { soft: 256, hard: 256 } } };
  const limits = vi.spyOn(process.report, 'getReport').mockReturnValue(report);
  onTestFinished(() => limits.mockRestore());
  expect((await check(well)).about('settings')).toContain(
    'warn only 256 open files: raise LimitNOFILE or ulimit -n to 1024',
  );
});

test.skipIf(process.platform !== 'linux')('the disk is full', async ({ well }) => {
  const { about, code } = await check({ ...well, DATA_DIR: '/proc' });
  expect(about('disk')).toEqual(['fail 0 MB free for DATA_DIR: free at least 1024 MB']);
  expect(code).toBe(1);
  const others = await check({ ...well, SERVICE_FOLDERS: '/proc/self /proc' });
  expect(others.about('disk').slice(1)).toEqual(
    ['/proc/self', '/proc'].map((name) => `fail 0 MB free for ${name}: free at least 1024 MB`),
  );
});

test.for([
  ['backup', 25, 'ok the last one finished 25 hours ago', 0],
  ['backup', 27, 'warn the last one finished 27 hours ago: it should run every night', 0],
  ['backup', 51, 'fail the last one finished 51 hours ago: find out why it fails', 1],
  ['inventory', 0.5, 'ok the last one finished 30 minutes ago', 0],
  [
    'inventory',
    2,
    'warn the last one finished 120 minutes ago: it should run every ten minutes',
    0,
  ],
] as const)('the last %s was %d hours ago', async ([what, hours, line, exitCode], { well }) => {
  const DATA_DIR = newFolder();
  writeLast(what, DATA_DIR, hours);
  const { about, code } = await check({ ...well, DATA_DIR });
  expect([code, ...about(what)]).toEqual([exitCode, line]);
});

test('there is no backup, or its file has no time', async ({ well }) => {
  const DATA_DIR = newFolder();
  const backups = async () => (await check({ ...well, DATA_DIR })).about('backup');
  expect(await backups()).toEqual([expect.stringMatching(/^warn no backup has finished yet/)]);
  writeFileSync(path.join(DATA_DIR, 'last-backup.json'), '{"finished_at":"yesterday"}');
  expect(await backups()).toEqual([
    expect.stringMatching(/^fail .*last-backup\.json does not say when the last backup finished/),
  ]);
});

test('starts nothing on the embedded default, and creates nothing', async () => {
  const DATA_DIR = newFolder();
  const fresh = await check({ DATA_DIR });
  expect(fresh.lines).toEqual([
    'warn  settings   the embedded default, which has never been started: run npm start',
  ]);
  expect(readdirSync(DATA_DIR)).toEqual([]);
  storedSecrets(DATA_DIR);
  const stopped = await check({ DATA_DIR });
  const absent = 'fail the embedded database is not running: run npm start';
  expect(stopped.about('database')).toEqual([absent]);
  expect(stopped.code).toBe(1);
  expect(readdirSync(DATA_DIR)).toEqual(['secrets.json']);
});
