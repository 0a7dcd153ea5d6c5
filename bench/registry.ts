/**
 * The import of the NPPES file: `npm run bench:registry -- --rows 1000000`, with a process and an
 * embedded database of its own for each step. It needs 2 GB in the temporary folder.
 */
import { createReadStream, createWriteStream } from 'node:fs';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { parseArgs } from 'node:util';
import type pg from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import { startEmbedded } from '#server/db/embedded/launch.ts';
import { openDatabase } from '#server/db/open.ts';
import { COLUMNS } from '#server/npi-registry/import/copy-text.ts';
import { type Figure, median, tableOf } from './figures.ts';
import { registryCommand } from './registry-command.ts';
import { writeRegistryFile } from './registry-file.ts';

const { values } = parseArgs({ options: { rows: { type: 'string', default: '1000000' } } });
const ROWS = Number(values.rows);
const COPY_ROUNDS = 3;
/** It is killed after the third tenth of the file. */
const KILLED_AFTER_LINES = 3;

const folder = await mkdtemp(path.join(tmpdir(), 'curbside-bench-'));
// Started by root, the server runs as another user, who must get in.
await chmod(folder, 0o755);
const dataDir = path.join(folder, 'data');
const embedded = await startEmbedded({ dataDir });
const { background, close } = openDatabase(embedded.connection, () => {});
const { pool } = background;

const run = (...args: string[]) => registryCommand(dataDir, args);
const say = (line: string) => console.error(line);

/** What the registry holds, as one hash. */
async function digest(): Promise<string> {
  const { rows } = await pool.query(
    `select md5(string_agg(p::text, '' order by npi)) as registry,
       (select md5(string_agg(c::text, '' order by state, city, specialty))
        from physician_counts as c) as counts
     from registry_physicians as p`,
  );
  return JSON.stringify(rows[0]);
}

/** How many seconds COPY takes for what is kept, into the same kind of table. */
async function copySeconds(client: pg.PoolClient, file: string): Promise<number> {
  await client.query('create table copied (like registry_physicians including all)');
  const began = performance.now();
  const copy = client.query(copyFrom(`copy copied (${COLUMNS}) from stdin`));
  await pipeline(createReadStream(file, { highWaterMark: 1024 * 1024 }), copy);
  const seconds = (performance.now() - began) / 1000;
  await client.query('drop table copied');
  return seconds;
}

async function copyMedian(): Promise<number> {
  const client = await pool.connect();
  try {
    const file = path.join(folder, 'rows');
    const out = client.query(copyTo(`copy registry_physicians (${COLUMNS}) to stdout`));
    await pipeline(out, createWriteStream(file));
    const seconds: number[] = [];
    for (let round = 0; round < COPY_ROUNDS; round += 1) {
      seconds.push(await copySeconds(client, file));
    }
    return median(seconds);
  } finally {
    client.release();
  }
}

try {
  say(`writing files of ${ROWS / 10} and ${ROWS} rows`);
  const small = await writeRegistryFile(folder, ROWS / 10);
  const large = await writeRegistryFile(folder, ROWS);
  say('a tenth');
  const tenth = await run('import', small);
  const before = await digest();
  say('killed');
  await registryCommand(dataDir, ['import', large], KILLED_AFTER_LINES);
  const keptAfterKill = (await digest()) === before;
  const { output: status } = await run('status');
  await run('import', large);
  const resumed = await digest();
  say('whole');
  await run('forget');
  const whole = await run('import', large);
  const once = await digest();
  say('again');
  const again = await run('import', large);
  const twice = await digest();
  say('COPY');
  const { rows } = await pool.query<{ n: number }>('select count(*) as n from registry_physicians');
  const kept = rows[0]?.n ?? 0;
  const copied = await copyMedian();

  const is = (what: string, held: boolean, note = ''): Figure => ({
    what,
    measured: held ? 1 : 0,
    target: { atLeast: 1 },
    note,
  });
  const [rate, copyRate] = [ROWS / whole.seconds, kept / copied];
  const perSecond = `${rate.toFixed(0)} and ${copyRate.toFixed(0)} rows a second, ${kept} kept`;
  const memory = [tenth, whole].map(({ peakMb }) => peakMb?.toFixed(0)).join(' and ');
  const figures: Figure[] = [
    {
      what: 'rows of the file a second, against COPY of the columns that are kept',
      measured: rate / copyRate,
      target: { atLeast: 0.1 },
      note: perSecond,
    },
    {
      what: 'most memory with all rows, against a tenth of them',
      measured: tenth.peakMb && whole.peakMb ? whole.peakMb / tenth.peakMb : null,
      target: { atMost: 1.15 },
      note: `${memory} MB`,
    },
    is('killed: the registry stays as it was', keptAfterKill),
    is('killed, and run again: as if in one', resumed === once, /begun: .*/.exec(status)?.[0]),
    is('twice in a row: the same', once === twice, `${again.seconds.toFixed(1)} s`),
  ];
  console.log(tableOf(figures));
} finally {
  await close();
  await embedded.stop();
  await rm(folder, { recursive: true, force: true });
}
