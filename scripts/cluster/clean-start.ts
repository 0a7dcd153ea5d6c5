import { setTimeout as pause } from 'node:timers/promises';
import { startPrimary } from './postgres.ts';
import { newSite, startServer } from './server.ts';
import { type Row, row, secondsSince } from './table.ts';

const SERVERS = 10;
const ABSENT_MS = 3000;
const WAITING = 'waiting for the database';

/**
 * Starts ten servers at once on a database that does not exist yet, and creates it while they wait.
 */
export async function cleanStart(port: number): Promise<Row[]> {
  await using primary = await startPrimary(port);
  await using stack = new AsyncDisposableStack();
  const site = newSite(primary.url());
  const firstWaits = Promise.withResolvers<void>();
  const heard = (line: string) => {
    if (line.includes(WAITING)) firstWaits.resolve();
  };
  const began = performance.now();
  const starting = Promise.allSettled(
    Array.from({ length: SERVERS }, async () => stack.use(await startServer(site, heard))),
  );
  await firstWaits.promise;
  await pause(ABSENT_MS);
  primary.psql('create database curbside');
  const up = (await starting).flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
  const took = secondsSince(began).toFixed(0);
  const waits = up.map(({ lines }) => lines.filter((line) => line.includes(WAITING)).length);
  const most = Math.max(...waits);
  const started = `servers that start, of ${SERVERS} started at once before the database exists`;
  return [
    row(started, `${up.length}, in ${took} s`, SERVERS, up.length === SERVERS),
    row('log lines of the server that waited longest, one every 2 s', most, '1 or more', most >= 1),
  ];
}
