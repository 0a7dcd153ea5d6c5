/**
 * Measures a backup, an inventory, and a restore with it: `DATABASE_URL=… node bench/backup.ts
 * --reviews 100000`. Peak memory is that of the whole process, so it includes all earlier steps.
 */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { deriveKeys } from '#server/anonymity/keys.ts';
import { newIdentity } from '#server/backup/archive.ts';
import { restoreBackup } from '#server/backup/restore.ts';
import { writeBackup, writeInventory } from '#server/backup/write.ts';
import { openDatabase } from '#server/db/open.ts';
import { filledDatabase, temporaryDatabase } from './databases.ts';

const { values } = parseArgs({
  options: {
    reviews: { type: 'string', default: '100000' },
    employers: { type: 'string', default: '20000' },
  },
});
const serverUrl = process.env['DATABASE_URL'];
if (!serverUrl) throw new Error('DATABASE_URL must name a PostgreSQL database');
const sizes = { reviews: Number(values.reviews), employers: Number(values.employers) };
const filled = await filledDatabase(serverUrl, sizes, console.log);

const folder = mkdtempSync(path.join(tmpdir(), 'curbside-bench-'));
const [file, inventory, identityFile] = ['backup', 'inventory', 'identity'].map((name) =>
  path.join(folder, name),
) as [string, string, string];
const { identity, recipient } = await newIdentity();
writeFileSync(identityFile, identity);
const key = () => randomBytes(32);
const secrets = {
  sealing: [{ id: 'bench', key: key() }],
  index: [key()],
  authorship: [key()],
  session: key(),
};
const keys = deriveKeys(secrets);
const options = { recipient, keys, secrets, signal: new AbortController().signal };

async function timed(what: string, work: () => Promise<unknown>) {
  const began = performance.now();
  await work();
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  const peak = Math.round(process.resourceUsage().maxRSS / 1024);
  console.log(`${what}: ${seconds} s, peak memory ${peak} MB`);
}
const sizeOf = (name: string) => `${(statSync(name).size / 1e6).toFixed(1)} MB`;

const source = openDatabase({ connectionString: filled }, () => {});
await using empty = await temporaryDatabase(serverUrl, 'curbside_bench_restored');
const target = openDatabase({ connectionString: empty.url }, () => {});
try {
  console.log(`at the start: peak memory ${Math.round(process.resourceUsage().maxRSS / 1024)} MB`);
  const { pool } = source.background;
  await timed('backup', () => writeBackup(pool, { ...options, file }));
  await timed('inventory', () => writeInventory(pool, { ...options, file: inventory }));
  console.log(`backup ${sizeOf(file)}, inventory ${sizeOf(inventory)}`);
  await timed('restore, with the inventory', () =>
    restoreBackup(target.background.pool, {
      file,
      identityFile,
      inventory,
      keys,
      secrets,
      allowsOtherKeys: false,
      acceptsDeletions: true,
      clock: () => new Date(),
      signal: options.signal,
    }),
  );
} finally {
  await source.close();
  await target.close();
  rmSync(folder, { recursive: true });
}
