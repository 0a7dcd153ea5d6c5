import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { curbside } from '#server/cli/testing/curbside.ts';
import { holdingLock, LOCKS } from '#server/db/advisory-lock.ts';
import { migrate, readMigrations } from '#server/db/migrate.ts';
import { rewriteTables } from '#server/db/testing/rewrite.ts';
import { startJobs } from '#server/jobs/queue.ts';
import { JOB_NAMES } from '#server/jobs/settings.ts';
import { buildTestApp, type TestApp } from '#server/testing/app.ts';
import { createTestDatabase, type TestDatabase, testDatabase } from '#server/testing/database.ts';
import { newEmployer, reviewOf, signedInDoctor } from '#server/testing/factories.ts';
import { logToLines } from '#server/testing/jobs.ts';
import { newIdentity } from './archive.ts';
import { openFile, restoreBackup } from './restore.ts';
import { restoreRows } from './restore-rows.ts';
import { DERIVED, LEFT_OUT, onOneConnection, tablesToKeep } from './tables.ts';
import {
  contentsOf,
  createEmptyDatabase,
  emptyDatabase,
  makeVault,
  openVault,
  type Vault,
} from './testing/backups.ts';
import { writeBackup } from './write.ts';

/** Each restore creates a database. */
let server: TestApp;
beforeAll(async () => {
  server = await buildTestApp();
  const employer = await newEmployer(server);
  for (let at = 0; at < 30; at += 1) {
    const { headers } = await signedInDoctor(server);
    const payload = reviewOf(employer);
    await server.app.inject({ method: 'POST', url: '/api/reviews/', payload, headers });
  }
});
afterAll(() => server[Symbol.asyncDispose]());

const poolOf = ({ deps }: TestApp) => deps.database.pool;

/** A folder with a backup of the server. */
async function backedUp(): Promise<Vault> {
  const vault = await openVault();
  await vault.backUp(server);
  return vault;
}

test('every table is kept, computed, or omitted', async () => {
  const { pool } = await testDatabase();
  const client = await pool.connect();
  const kept = (await tablesToKeep(client)).map(({ name }) => name);
  client.release();
  const all = Object.keys(await contentsOf(pool));
  expect([...kept, ...DERIVED, ...LEFT_OUT].toSorted()).toEqual(all);
});

test('backs up and restores everything', async () => {
  const vault = await openVault();
  const { code, output } = await vault.backUp(server);
  expect([code, output]).toEqual([0, expect.stringContaining('It contains no keys.')]);
  expect(output).toContain('SEALING_KEYS, INDEX_KEY, AUTHORSHIP_KEY, SESSION_KEY');
  const target = await emptyDatabase();
  const restored = await vault.restore(server, target, ['--no-inventory']);
  expect(restored).toMatchObject({ code: 0, errors: '' });
  expect(restored.output.split('\n')[0]).toBe(output.split('\n')[0]);
  expect(restored.output).toContain('30 accounts, 30 reviews');
  await rewriteTables(poolOf(server));
  const [before, after] = [await contentsOf(poolOf(server)), await contentsOf(target.pool)];
  for (const [table, rows] of Object.entries(before)) {
    if (table === 'audit_log') continue;
    expect([table, after[table]]).toEqual([
      table,
      LEFT_OUT.has(table) && table !== 'migrations' ? [] : rows,
    ]);
  }
  expect(after['audit_log']?.map(({ action }) => action)).toEqual(['database.restore']);
});

test('writes a private file, and nothing else except the time', async () => {
  const vault = await backedUp();
  expect(statSync(vault.file('all.backup')).mode & 0o777).toBe(0o600);
  const files = readdirSync(vault.folder).toSorted();
  expect(files).toEqual(['all.backup', 'identity.txt', 'last-backup.json']);
  const { finished_at } = JSON.parse(readFileSync(vault.file('last-backup.json'), 'utf8'));
  expect(finished_at).toBe(server.time.now.toISOString());
});

test('is encrypted, and contains none of its content in the clear', async () => {
  const vault = await backedUp();
  const bytes = readFileSync(vault.file('all.backup'));
  expect(bytes.toString('latin1')).toMatch(/^age-encryption\.org\/v1\n-> X25519 /);
  for (const word of ['Hospitalist', 'author_key', 'taken_at']) {
    expect(bytes.includes(word)).toBe(false);
  }
});

test('keeps no order except that of random ids', async () => {
  const vault = await backedUp();
  const { sections } = await openFile(vault.file('all.backup'), 'backup', vault.identityFile);
  const ids: Record<string, string[]> = {};
  for await (const { name, columns, rows } of sections(server.deps.keys.sessionKey('backup'))) {
    const parts: Buffer[] = [];
    for await (const chunk of rows) parts.push(chunk);
    const lines = Buffer.concat(parts).toString().split('\n').slice(0, -1);
    ids[name] = lines.map((line) => line.split('\t')[columns.indexOf('id')] ?? '');
    // Which reviews have changed since the last rewrite.
    const settled = lines.map((line) => line.split('\t')[columns.indexOf('settled')]);
    if (name === 'reviews') expect(new Set(settled)).toEqual(new Set(['t']));
  }
  for (const table of ['users', 'reviews']) {
    expect(ids[table]).toHaveLength(30);
    expect(ids[table]).toEqual(ids[table]?.toSorted());
  }
});

/** Another empty database on the same server, with the schema only. */
async function another() {
  const database = await testDatabase();
  return { deps: { ...server.deps, database, db: database.db } };
}

test('a failed backup leaves no file, and keeps an earlier one unchanged', async () => {
  const vault = await openVault();
  const other = await another();
  await vault.backUp(other);
  const before = readFileSync(vault.file('all.backup'));
  const files = readdirSync(vault.folder);
  // The jobs are read last.
  await other.deps.database.pool.query('alter table pgboss.job rename column keep_until to until');
  const failed = await vault.backUp(other);
  expect([failed.code, failed.errors]).toEqual([1, expect.stringContaining('keep_until')]);
  expect(readdirSync(vault.folder)).toEqual(files);
  expect(readFileSync(vault.file('all.backup')).equals(before)).toBe(true);
});

test('a stopped backup leaves no file', async () => {
  const vault = await openVault();
  const { keys, config, database } = server.deps;
  const { recipient, file } = vault;
  const options = { file: file('x'), recipient, keys, secrets: config.secrets };
  const stopped = writeBackup(database.pool, { ...options, signal: AbortSignal.abort() });
  await expect(stopped).rejects.toThrow('stopped: nothing was written');
  expect(readdirSync(vault.folder)).toEqual(['identity.txt']);
});

test.each([
  ['without a recipient', { backupRecipient: null }, /^curbside: set BACKUP_RECIPIENT or --recip/],
  [
    'for an invalid age recipient',
    { backupRecipient: 'age1x' },
    /^curbside: the recipient is not an age/,
  ],
])('refuses to write a backup %s', async (_what, config, line) => {
  const vault = await openVault();
  const refused = await vault.backUp(await another(), vault.file('x.backup'), config);
  expect([refused.code, refused.output]).toEqual([1, '']);
  expect(refused.errors).toMatch(line);
  expect(readdirSync(vault.folder)).toEqual(['identity.txt']);
});

test('refuses to write into a folder that does not exist', async () => {
  const vault = await openVault();
  const refused = await vault.backUp(await another(), vault.file('no/x.backup'));
  expect(refused).toMatchObject({
    code: 1,
    errors: `curbside: ${vault.file('no/x.backup')}: file not found\n`,
  });
});

describe('rejects a restore in one line, and leaves the database empty', () => {
  let vault: Vault;
  /** Stays empty, as each test checks. */
  let target: TestDatabase;
  let files: [name: string, content: Buffer][];
  let whole: Buffer;
  beforeAll(async () => {
    [vault, target] = [await makeVault(), await createEmptyDatabase()];
    await using database = await createTestDatabase();
    const other = { deps: { ...server.deps, database, db: database.db } };
    // Several of the chunks that are encrypted one by one.
    await other.deps.database.pool.query(
      `insert into institution_domains
        select md5(n::text) || '.example', 'school', md5('name' || n) from generate_series(1, 9000) n`,
    );
    await vault.backUp(other);
    await vault.replaceInventory(other);
    whole = readFileSync(vault.file('all.backup'));
    files = ['all.backup', 'inventory', 'identity.txt'].map((name) => [
      name,
      readFileSync(vault.file(name)),
    ]);
  });
  beforeEach(() => {
    for (const [name, content] of files) writeFileSync(vault.file(name), content);
  });
  afterAll(async () => {
    await target.close();
    vault.remove();
  });

  /** Expects one line of output, no tables, and no queue. */
  async function expectRefused(line: RegExp, more = ['--no-inventory'], config = {}) {
    const refused = await vault.restore(server, target, more, config);
    expect([refused.code, refused.output]).toEqual([1, '']);
    expect(refused.errors).toMatch(line);
    expect(refused.errors.split('\n')).toHaveLength(2);
    const { rows } = await target.pool.query(
      `select relname from pg_class join pg_namespace on pg_namespace.oid = relnamespace
       where nspname in ('public', 'pgboss')`,
    );
    expect(rows).toEqual([]);
  }

  test('with the wrong identity', async () => {
    const { identity } = await newIdentity();
    writeFileSync(vault.identityFile, identity);
    await expectRefused(/all\.backup is for another identity, or its header was modified: use/);
  });

  test('without a file or an identity', async () => {
    await expectRefused(/no.backup: file not found/, [vault.file('no.backup'), '--no-inventory']);
    writeFileSync(vault.identityFile, 'nothing');
    await expectRefused(/identity\.txt has no identity/);
    writeFileSync(vault.identityFile, 'AGE-SECRET-KEY-1X');
    await expectRefused(/identity\.txt has an incomplete identity/);
    await expectRefused(/none: file not found/, [
      '--no-inventory',
      '--identity',
      vault.file('none'),
    ]);
  });

  test('of a truncated file', async () => {
    expect(whole.length).toBeGreaterThan(200_000);
    for (const length of [0, 100, 1000, 100_000, 150_000, whole.length - 1]) {
      writeFileSync(vault.file('all.backup'), whole.subarray(0, length));
      await expectRefused(/all\.backup is incomplete or was modified/);
    }
  });

  test('of a modified file', async () => {
    const changeAt = (at: number, byte = (whole[at] ?? 0) ^ 1) => {
      const changed = Buffer.from(whole);
      changed[at] = byte;
      writeFileSync(vault.file('all.backup'), changed);
    };
    for (const share of [0.01, 0.3, 0.7, 0.999]) {
      changeAt(Math.floor(share * whole.length));
      await expectRefused(/all\.backup is incomplete or was modified/);
    }
    // Another letter of base64, in the line that only the recipient's identity opens.
    const letter = whole.indexOf('\n', whole.indexOf('-> X25519 ')) + 5;
    changeAt(
      letter,
      (whole.toString('latin1', letter, letter + 1) === 'A' ? 'B' : 'A').charCodeAt(0),
    );
    await expectRefused(/all\.backup is for another identity, or its header was modified/);
    writeFileSync(vault.file('all.backup'), Buffer.concat([whole, Buffer.from('x')]));
    await expectRefused(/all\.backup is incomplete or was modified/);
  });

  test('of a file that somebody else encrypted to its recipient', async () => {
    // With the same fingerprints, but without the key.
    const keys = { ...server.deps.keys, sessionKey: () => randomBytes(32) };
    const forger = { deps: { ...(await another()).deps, keys } };
    await vault.backUp(forger);
    await expectRefused(/all\.backup is incomplete or was modified \(its counts or its HMAC/);
  });

  test('of a file with escape sequences or a malformed row, in one line, before its HMAC is checked', async () => {
    const { head, sections, close } = await openFile(
      vault.file('all.backup'),
      'backup',
      vault.identityFile,
    );
    let columns: readonly string[] = [];
    for await (const section of sections(null)) {
      for await (const _chunk of section.rows);
      if (section.name === 'users') columns = section.columns;
    }
    close();
    await vault.forge(head, { name: '\u001b[2J\nusers', columns, rows: '' });
    await expectRefused(
      /^curbside: \S+all\.backup .*unknown table \?\[2J\?users\): use another\n$/,
    );
    await vault.forge(head, { name: 'users', columns, rows: '\u001b[2Jsecret\n' });
    await expectRefused(/^curbside: \S+all\.backup .*rejects a row: 22P0\d\): use another\n$/);
  });

  test('of a backup written with other keys', async () => {
    const session = randomBytes(32);
    const secrets = { ...server.deps.config.secrets, session, index: [randomBytes(32)] };
    await expectRefused(/^curbside: INDEX_KEY, SESSION_KEY lack keys of /, ['--no-inventory'], {
      secrets,
    });
    await expectRefused(/ current ones, and set SESSION_KEY to the one it/, undefined, { secrets });
    const single = { ...server.deps.config.secrets, session };
    await expectRefused(/: set SESSION_KEY to the one it was written with \(/, undefined, {
      secrets: single,
    });
    const target = await emptyDatabase();
    const allowed = ['--no-inventory', '--other-keys'];
    expect(await vault.restore(server, target, allowed, { secrets })).toMatchObject({ code: 0 });
  });

  test.each([
    [
      "insert into migrations values ('9999-later.sql', 'x')",
      /from a newer program: it has 9999-la/,
    ],
    [
      "update migrations set checksum = 'x' where name = '0005-reviews.sql'",
      /has a different 0005-rev/,
    ],
  ])('after %s', async (statement, line) => {
    const other = await another();
    await other.deps.database.pool.query(statement);
    await vault.backUp(other);
    await expectRefused(line);
  });

  test('of a backup from before the first release', async () => {
    const { head, close } = await openFile(vault.file('all.backup'), 'backup', vault.identityFile);
    close();
    const migrations = [{ name: '0001-text.sql', checksum: 'x' }];
    await vault.forge({ ...head, migrations }, { name: 'users', columns: [], rows: '' });
    await expectRefused(
      /^curbside: \S+all\.backup is from a version before the first release and cannot be restored: use the version that wrote it\n$/,
    );
  });

  test('of a file of the wrong kind', async () => {
    const inventory = vault.file('i.backup');
    await vault.replaceInventory(server, inventory);
    await expectRefused(/is not a backup, but an inventory/, [inventory, '--no-inventory']);
    const backup = vault.file('all.backup');
    await expectRefused(/is not an inventory, but a backup/, [backup, '--inventory', backup]);
  });

  test('without an inventory option', async () => {
    await expectRefused(/^curbside: add --inventory FILE/, []);
  });

  test('with an inventory that is older, from another database, or incomplete', async () => {
    const [late, inventory] = [vault.file('late.backup'), vault.file('inventory')];
    const other = await another();
    await vault.backUp(other, late);
    await expectRefused(/the inventory is older than the backup/, [late, '--inventory', inventory]);
    await other.deps.database.pool.query('update lineage set id = gen_random_uuid()');
    await vault.replaceInventory(other);
    await expectRefused(/the inventory is from another database/, ['--inventory', inventory]);
    await vault.replaceInventory(server);
    const half = readFileSync(inventory);
    writeFileSync(inventory, half.subarray(0, half.length - 9));
    await expectRefused(/inventory is incomplete or was modified/, ['--inventory', inventory]);
  });

  test('of rows that violate a constraint', async () => {
    const other = await another();
    const { pool } = other.deps.database;
    await pool.query(
      'alter table institution_domains drop constraint institution_domains_kind_check',
    );
    await pool.query("insert into institution_domains values ('a.example', 'wrong', 'A')");
    await vault.backUp(other);
    const refused = await vault.restore(server, target, ['--no-inventory']);
    expect(refused.errors).toContain('institution_domains_kind_check');
    expect(await contentsOf(target.pool)).toEqual({});
  });
});

test.each(['inventory', 'backup'] as const)('%s leaves a new database empty', async (command) => {
  const vault = await openVault();
  const target = await emptyDatabase();
  const config = { ...server.deps.config, dataDir: vault.folder, backupRecipient: vault.recipient };
  const deps = { ...server.deps, config, database: target, db: target.db };
  const needs: unknown[] = [];
  const { code, errors } = await curbside({ deps }, [command, vault.file('x')], {
    onNeeds: (what) => needs.push(what),
  });
  expect([code, needs]).toEqual([1, [{ migrates: false }]]);
  expect(errors).toMatch(/^curbside: migrations are pending, as in a new database/);
  expect(await contentsOf(target.pool)).toEqual({});
  expect(readdirSync(vault.folder)).toEqual(['identity.txt']);
});

test('an inventory after an accident replaces the last one only with --replace', async () => {
  const vault = await backedUp();
  await vault.takeInventory(server);
  const inventory = readFileSync(vault.file('inventory'));
  const keeps = async (from: Pick<TestApp, 'deps'>, why: RegExp) => {
    const { code, errors } = await vault.takeInventory(from);
    expect([code, errors]).toEqual([1, expect.stringMatching(why)]);
    expect(readFileSync(vault.file('inventory')).equals(inventory)).toBe(true);
  };
  const other = await another();
  await keeps(other, /^curbside: the database has no accounts/);
  const copy = await emptyDatabase();
  expect(await vault.restore(server, copy, ['--no-inventory'])).toMatchObject({ code: 0 });
  const site = { deps: { ...server.deps, database: copy, db: copy.db } };
  await copy.pool.query('update lineage set id = gen_random_uuid()');
  await keeps(site, /^curbside: the last inventory is from another database/);
  await copy.pool.query('update lineage set id = $1', [await lineageOf(server)]);
  await copy.pool.query('delete from reviews');
  await keeps(site, /^curbside: of 30 accounts and 30 reviews on .*, only 30 and 0 are left/);

  expect(await vault.replaceInventory(site)).toMatchObject({ code: 0 });
  const again = ['--inventory', vault.file('inventory')];
  const target = await emptyDatabase();
  const refused = await vault.restore(server, target, again);
  expect([refused.code, refused.errors]).toEqual([
    1,
    expect.stringMatching(
      /^curbside: the inventory from 2\S+Z would delete 0 of 30 accounts and 30 of 30 reviews from the backup of 2\S+Z/,
    ),
  ]);
  expect(await contentsOf(target.pool)).toEqual({});
  const accepted = await vault.restore(server, target, [...again, '--accept-deletions']);
  expect(accepted.output).toMatch(
    /Deleted again: 0 accounts, 30 reviews\. The inventory is from 2\S+Z\./,
  );
});

const lineageOf = async (from: TestApp) =>
  (await poolOf(from).query<{ id: string }>('select id from lineage')).rows[0]?.id;

test('a stopped restore leaves the database empty', async () => {
  const vault = await backedUp();
  const { keys, config, clock } = server.deps;
  const target = await emptyDatabase();
  const stopped = restoreBackup(target.background.pool, {
    file: vault.file('all.backup'),
    identityFile: vault.identityFile,
    inventory: null,
    keys,
    secrets: config.secrets,
    allowsOtherKeys: false,
    acceptsDeletions: false,
    clock,
    signal: AbortSignal.abort(),
  });
  await expect(stopped).rejects.toThrow('stopped: nothing was restored');
  expect(await contentsOf(target.pool)).toEqual({});
});

test('of two restores at once, one restores all, and the other changes nothing', async () => {
  const vault = await backedUp();
  const target = await emptyDatabase();
  const waiting = async () => {
    const { rows } = await target.pool.query(
      `select from pg_locks where locktype = 'advisory' and not granted
         and database = (select oid from pg_database where datname = current_database())`,
    );
    return rows.length;
  };
  // Until both have found the database empty.
  const restoring = await holdingLock(target.background.pool, LOCKS.start, async () => {
    const both = [1, 2].map(() => vault.restore(server, target, ['--no-inventory']));
    await expect.poll(waiting).toBe(2);
    return both;
  });
  const done = await Promise.all(restoring);
  expect(done.map(({ code }) => code).toSorted()).toEqual([0, 1]);
  const refused = /^curbside: the database is not empty: it has the table \w+\..*\n$/;
  expect(done.find(({ code }) => code === 1)?.errors).toMatch(refused);
  const { rows } = await target.pool.query('select name from pgboss.queue order by name');
  expect(rows).toHaveLength(JOB_NAMES.length);
});

test('does not restore into a database that has a table', async () => {
  const vault = await backedUp();
  const target = await testDatabase();
  const before = await contentsOf(target.pool);
  const refused = await vault.restore(server, { ...target, [Symbol.asyncDispose]: target.close }, [
    '--no-inventory',
  ]);
  expect(refused).toMatchObject({ code: 1, output: '' });
  expect(refused.errors).toMatch(
    /^curbside: the database is not empty: it has the table \w+\..*\n$/,
  );
  expect(await contentsOf(target.pool)).toEqual(before);
});

test('applies migrations newer than the backup to its rows', async () => {
  const vault = await backedUp();
  const { keys } = server.deps;
  const later = {
    name: '9999-later.sql',
    checksum: 'later',
    least: null,
    sql: `alter table users add column length integer;
      update users set length = octet_length(password_hash)`,
  };
  const { background, pool } = await emptyDatabase();
  const { log } = logToLines();
  await (await startJobs({ database: background, keys, log, schedule: false })).stop();
  const backup = await openFile(vault.file('all.backup'), 'backup', vault.identityFile);
  const rows = backup.sections(keys.sessionKey('backup'));
  const known = [...(await readMigrations()), later];
  await onOneConnection(background.pool, 'read committed', (client) =>
    restoreRows(client, backup.head, rows, known),
  );
  const { rows: found } = await pool.query(
    `select (select count(*)::int from users where length > 0) as users,
      (select checksum from migrations where name = '9999-later.sql') as checksum`,
  );
  expect(found).toEqual([{ users: 30, checksum: 'later' }]);
  // As the server does on start.
  await pool.query("delete from migrations where name = '9999-later.sql'");
  expect(await migrate(pool)).toEqual([]);
});

test('the rewrite locks no table while a backup is written', async () => {
  const { pool } = (await another()).deps.database.background;
  const waiting = `select
    count(*) filter (where locktype = 'advisory' and not granted)::int as waiting,
    count(*) filter (where mode in ('ShareRowExclusiveLock', 'AccessExclusiveLock'))::int as tables
    from pg_locks where database = (select oid from pg_database where datname = current_database())`;
  let rewritten: Promise<void> | undefined;
  await holdingLock(pool, LOCKS.rewrite, async () => {
    rewritten = rewriteTables(pool);
    const locks = async () => (await pool.query(waiting)).rows[0];
    await expect.poll(locks).toEqual({ waiting: 1, tables: 0 });
  });
  await rewritten;
});

test('backup-key prints an identity that can read what is encrypted to its recipient', async () => {
  const { code, output } = await curbside(server, ['backup-key']);
  expect(code).toBe(0);
  const [, recipient = ''] = /recipient: (age1\w+)/.exec(output) ?? [];
  const vault = await openVault();
  writeFileSync(vault.identityFile, output);
  await vault.backUp(server, vault.file('all.backup'), { backupRecipient: recipient });
  const target = await emptyDatabase();
  expect(await vault.restore(server, target, ['--no-inventory'])).toMatchObject({ code: 0 });
});
