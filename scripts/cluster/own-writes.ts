import { type ChildProcess, spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { call, newClinic, openWriters, postReview, type Writer } from './members.ts';
import { type Cluster, startPrimary, startStandby } from './postgres.ts';
import { newSite, type Server, startServer } from './server.ts';
import { type Row, row } from './table.ts';

const WRITES = 10_000;
const WRITERS = 8;
/** This standby always lags. */
const LATE_STANDBY = "recovery_min_apply_delay = '300ms'\n";

/**
 * Votes on one server, and immediately reads the number of votes on another, which reads from two
 * standbys, one of which always lags. Meanwhile, one busy process per processor keeps the machine
 * under load. First without tokens, as other readers read.
 */
export async function ownWrites(port: number): Promise<Row[]> {
  await using primary = await startPrimary(port);
  primary.psql('create database curbside');
  await using soon = await startStandby(primary, port + 1);
  await using late = await startStandby(primary, port + 2, LATE_STANDBY);
  const site = newSite(primary.url());
  const replicas = [soon, late].map((each) => each.url()).join();
  await using writing = await startServer({ ...site, WORKERS: '2' });
  await using reading = await startServer({ ...site, DATABASE_REPLICA_URLS: replicas });
  const writers = await openWriters(site, WRITERS);
  const before = readsOf(soon);
  const bare = await staleReads({ writing, reading, writers }, WRITES / 10, false);
  const burners = Array.from({ length: availableParallelism() }, burn);
  try {
    const stale = await staleReads({ writing, reading, writers }, WRITES, true);
    const onReplica = readsOf(soon) - before;
    const raced = `stale reads on another server, of ${WRITES} right after a write, on busy processors`;
    const untold = `the same without tokens, of ${WRITES / 10}, on idle processors`;
    return [
      row(raced, stale, 0),
      row(untold, bare, 'none', true),
      row('transactions of the standby meanwhile', onReplica, 'more than 0', onReplica > 0),
    ];
  } finally {
    for (const burner of burners) burner.kill('SIGKILL');
  }
}

/** Exits by itself after ten minutes. */
const burn = (): ChildProcess =>
  spawn(process.execPath, ['-e', 'const end = Date.now() + 600_000; while (Date.now() < end);']);

const readsOf = (cluster: Cluster): number =>
  Number(cluster.psql("select xact_commit from pg_stat_database where datname = 'curbside'"));

interface Race {
  readonly writing: Server;
  readonly reading: Server;
  readonly writers: readonly Writer[];
}

/** Counts the reads right after a vote that do not show it. */
async function staleReads({ writing, reading, writers }: Race, writes: number, withToken: boolean) {
  const [author, ...voters] = writers;
  if (!author) throw new Error('no writers');
  let left = writes;
  let stale = 0;
  // One at a time for each review, because another voter would change the number.
  const voteOn = async (voter: Writer, id: string) => {
    for (let isHelpful = true; left > 0; isHelpful = !isHelpful) {
      left -= 1;
      const method = isHelpful ? 'POST' : 'DELETE';
      const vote = await call(writing, method, `/reviews/${id}/helpful/`, voter);
      const token = vote.headers.get('x-write-position') ?? '';
      const headers: Record<string, string> = withToken ? { 'x-write-position': token } : {};
      const seen = await call(reading, 'GET', `/reviews/${id}/`, { headers });
      if (seen.body['helpful_count'] !== vote.body['helpful_count']) stale += 1;
    }
  };
  await Promise.all(
    voters.map(async (voter) => {
      const { body } = await postReview(writing, author, newClinic());
      await voteOn(voter, String(body['id']));
    }),
  );
  return stale;
}
