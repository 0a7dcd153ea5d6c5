/**
 * Measures the import of the NPPES file: `npm run bench:registry -- --rows 1000000`. Each import is
 * a separate process. All use one embedded database. Needs 2 GB in the temporary folder.
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
import { COLUMNS } from '#server/npi-registry/import/staging.ts';
import { type Figure, median, tableOf } from './figures.ts';
import { registryCommand } from './registry-command.ts';
import { writeRegistryFile } from './registry-file.ts';

const { values } = parseArgs({ options: { rows: { type: 'string', default: '1000000' } } });
const ROWS = Number(values.rows);
const COPY_ROUNDS = 3;
/** Kills the import after three tenths of the file. */
const LINES_BEFORE_KILL = 3;

const folder = await mkdtemp(path.join(tmpdir(), 'curbside-bench-'));
// If root starts PostgreSQL, it runs as another user, who needs access.
await chmod(folder, 0o755);
const dataDir = path.join(folder, 'data');
const embedded = await startEmbedded({ dataDir });
const { background, close } = openDatabase(embedded.connection, () => {});
const { pool } = background;

const run = (...args: string[]) => registryCommand(dataDir, args);
const say = (line: string) => console.error(line);

/** A hash of the registry's content. */
async function digest(): Promise<string> {
  const { rows } = await pool.query(
    `select md5(string_agg(p::text, '' order by npi)) as registry,
       (select md5(string_agg(c::text, '' order by state, city, specialty))
        from physician_counts as c) as counts
     from registry_physicians as p`,
  );
  return JSON.stringify(rows[0]);
}

/** The seconds that COPY takes to load the stored rows into an identical table. */
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
  await registryCommand(dataDir, ['import', large], LINES_BEFORE_KILL);
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
  const perSecond = `${rate.toFixed(0)} and ${copyRate.toFixed(0)} rows per second, ${kept} kept`;
  const memory = [tenth, whole].map(({ peakMb }) => peakMb?.toFixed(0)).join(' and ');
  const figures: Figure[] = [
    {
      what: 'rows of the file per second, relative to COPY of the kept columns',
      measured: rate / copyRate,
      target: { atLeast: 0.1 },
      note: perSecond,
    },
    {
      what: 'peak memory with all rows, relative to a tenth of them',
      measured: tenth.peakMb && whole.peakMb ? whole.peakMb / tenth.peakMb : null,
      target: { atMost: 1.15 },
      note: `${memory} MB`,
    },
    is('killed: the registry is unchanged', keptAfterKill),
    is(
      'killed and run again: the same result as without a kill',
      resumed === once,
      /begun: .*/.exec(status)?.[0],
    ),
    is('run twice: the same result', once === twice, `${again.seconds.toFixed(1)} s`),
  ];
  console.log(tableOf(figures));
} finally {
  await close();
  await embedded.stop();
  await rm(folder, { recursive: true, force: true });
}
