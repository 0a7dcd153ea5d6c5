import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { createZstdCompress } from 'node:zlib';
import type pg from 'pg';
import { inject, onTestFinished } from 'vitest';
import { curbside } from '#server/cli/testing/curbside.ts';
import type { Config } from '#server/config/config.ts';
import { openDatabase } from '#server/db/open.ts';
import type { TestApp } from '#server/testing/app.ts';
import { openTestDatabase, type TestDatabase } from '#server/testing/database.ts';
import { encryptionFor, type Head, newIdentity, writeArchive } from '../archive.ts';

type Server = Pick<TestApp, 'deps'>;

/** A vault that ends with the running test. */
export async function openVault(): Promise<Vault> {
  const vault = await makeVault();
  onTestFinished(vault.remove);
  return vault;
}

/** A folder with an identity, and the backup commands. */
export async function makeVault() {
  const folder = mkdtempSync(path.join(tmpdir(), 'curbside-vault-'));
  const { identity, recipient } = await newIdentity();
  const identityFile = path.join(folder, 'identity.txt');
  writeFileSync(identityFile, `# recipient: ${recipient}\n${identity}\n`);
  const file = (name: string) => path.join(folder, name);
  const settings = { dataDir: folder, backupRecipient: recipient };

  return {
    remove: () => rmSync(folder, { recursive: true }),
    folder,
    identityFile,
    recipient,
    file,
    backUp: (server: Server, to = file('all.backup'), config: Partial<Config> = {}) =>
      curbside(withConfig(server, { ...settings, ...config }), ['backup', to]),
    /** Replaces the backup by one with a single section, encrypted to the same recipient. */
    async forge(
      head: Head,
      { name, columns, rows }: { name: string; columns: readonly string[]; rows: string },
    ) {
      const section = { name, columns, rows: Readable.from([Buffer.from(rows)]), count: () => 1 };
      const archive = writeArchive(head, [section], randomBytes(32));
      const packed = Readable.from(archive, { objectMode: false }).pipe(createZstdCompress());
      const encrypted = await encryptionFor(recipient)(packed);
      writeFileSync(file('all.backup'), await buffer(encrypted));
    },
    takeInventory: (server: Server, to = file('inventory'), config: Partial<Config> = {}) =>
      curbside(withConfig(server, { ...settings, ...config }), ['inventory', to]),
    replaceInventory: (server: Server, to = file('inventory')) =>
      curbside(withConfig(server, settings), ['inventory', to, '--replace']),
    /** Restores into the database, with the server's keys and settings. */
    restore(server: Server, into: TestDatabase, more: string[], config: Partial<Config> = {}) {
      const { deps } = withConfig(server, { ...settings, ...config });
      const target = { ...deps, database: into, db: into.db };
      const identity = more.includes('--identity') ? [] : ['--identity', identityFile];
      const from = more.some((one) => one.endsWith('.backup')) ? [] : [file('all.backup')];
      return curbside({ deps: target }, ['restore', ...from, ...identity, ...more]);
    },
  };
}
export type Vault = Awaited<ReturnType<typeof makeVault>>;

const withConfig = ({ deps }: Server, config: Partial<Config>): Server => ({
  deps: { ...deps, config: { ...deps.config, ...config } },
});

/** An empty database that is closed when the running test ends. */
export async function emptyDatabase(): Promise<TestDatabase> {
  const database = await createEmptyDatabase();
  onTestFinished(() => database.close());
  return database;
}

/** A new database without any table. */
export async function createEmptyDatabase(): Promise<TestDatabase> {
  const name = `test_${randomBytes(8).toString('hex')}`;
  const admin = openDatabase({ ...inject('testServer').connection, max: 1 }, () => {});
  await admin.background.pool.query(`create database ${name}`).finally(admin.close);
  return openTestDatabase(name);
}

export type Row = Readonly<Record<string, unknown>>;
/** Table -> its rows, in a fixed order. */
export type Contents = Readonly<Record<string, readonly Row[]>>;

/** All rows of our tables, sorted by their text. `spellings` is computed, in no fixed order. */
export async function contentsOf(pool: pg.Pool): Promise<Contents> {
  const { rows: tables } = await pool.query<{ name: string }>(
    `select relname as name from pg_class
     where relkind in ('r', 'p') and not relispartition
       and relnamespace = 'public'::regnamespace order by 1`,
  );
  const contents: Record<string, Row[]> = {};
  for (const { name } of tables) {
    const { rows } = await pool.query<{ row: Row }>(
      `select to_jsonb(t) - 'spellings' as row from ${name} as t
       order by (to_jsonb(t) - 'spellings')::text collate "C"`,
    );
    contents[name] = rows.map(({ row }) => row);
  }
  return contents;
}
