import { type ChildProcess, spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { deriveKeys } from '#server/anonymity/keys.ts';
import { loadConfig } from '#server/config.ts';
import { openDatabase } from '#server/db/open.ts';
import { POSTER, reviewOf, signedInDoctor, type TestAccount } from '#server/testing/factories.ts';
import { type Cluster, startPrimary, startStandby } from './postgres.ts';
import { newSite, type Server, startServer } from './server.ts';
import type { Row } from './table.ts';

const WRITES = 10_000;
const WRITERS = 8;
/** This standby is always behind. */
const LATE_STANDBY = "recovery_min_apply_delay = '300ms'\n";

/**
 * Votes on one server, and reads the number of votes on another one at once, which reads from two
 * standbys, one of which is always late. Beside them, as many processes as there are processors keep
 * them busy. First without tokens, as other readers read.
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
  const writers = await makeWriters(site);
  const before = readsOf(soon);
  const bare = await staleReads({ writing, reading, writers }, WRITES / 10, false);
  const burners = Array.from({ length: availableParallelism() }, burn);
  try {
    const stale = await staleReads({ writing, reading, writers }, WRITES, true);
    const onReplica = readsOf(soon) - before;
    return [
      {
        what: `stale reads on another server, of ${WRITES} straight after a write, on busy processors`,
        measured: String(stale),
        target: '0',
        isMet: stale === 0,
      },
      {
        what: `the same without tokens, of ${WRITES / 10}, on free processors`,
        measured: String(bare),
        target: 'none',
        isMet: true,
      },
      {
        what: 'transactions of the standby meanwhile',
        measured: String(onReplica),
        target: 'more than 0',
        isMet: onReplica > 0,
      },
    ];
  } finally {
    for (const burner of burners) burner.kill('SIGKILL');
  }
}

/** Ends by itself after ten minutes. */
const burn = (): ChildProcess =>
  spawn(process.execPath, ['-e', 'const end = Date.now() + 600_000; while (Date.now() < end);']);

const readsOf = (cluster: Cluster): number =>
  Number(cluster.psql("select xact_commit from pg_stat_database where datname = 'curbside'"));

/** Doctors who may post. */
async function makeWriters(site: Record<string, string>): Promise<TestAccount[]> {
  const config = loadConfig(site);
  const database = openDatabase({ connectionString: site['DATABASE_URL'] }, () => {});
  const keys = deriveKeys(config.secrets);
  const deps = { config, database, db: database.db, keys, clock: () => new Date() };
  try {
    return await Promise.all(
      Array.from({ length: WRITERS }, () => signedInDoctor({ deps } as never, POSTER)),
    );
  } finally {
    await database.close();
  }
}

interface Race {
  readonly writing: Server;
  readonly reading: Server;
  readonly writers: readonly TestAccount[];
}

/** How many of the reads that follow a vote at once do not show it. */
async function staleReads({ writing, reading, writers }: Race, writes: number, withToken: boolean) {
  const [author, ...voters] = writers;
  if (!author) throw new Error('no writers');
  let left = writes;
  let stale = 0;
  // One after another for each review, since a vote of somebody else would change the number.
  const voter = async (account: TestAccount, id: string) => {
    for (let isHelpful = true; left > 0; isHelpful = !isHelpful) {
      left -= 1;
      const method = isHelpful ? 'POST' : 'DELETE';
      const { token, body } = await call(writing, method, `/reviews/${id}/helpful/`, account);
      const headers = withToken ? { 'x-write-position': token } : {};
      const seen = await call(reading, 'GET', `/reviews/${id}/`, { headers });
      if (seen.body['helpful_count'] !== body['helpful_count']) stale += 1;
    }
  };
  await Promise.all(
    voters.map(async (account) => voter(account, await postReview(writing, author))),
  );
  return stale;
}

async function postReview(server: Server, author: TestAccount): Promise<string> {
  const name = `Clinic ${crypto.randomUUID()}`;
  const { body: employer } = await call(server, 'POST', '/employers/custom/', author, { name });
  const review = reviewOf(Number(employer['id']));
  const { body } = await call(server, 'POST', '/reviews/', author, review);
  return String(body['id']);
}

/** Calls the API. Throws unless it succeeds. */
async function call(
  { url }: Server,
  method: string,
  path: string,
  { headers }: { headers: Record<string, string> },
  payload?: object,
) {
  const answer = await fetch(`${url}/api${path}`, {
    method,
    headers: { ...headers, ...(payload && { 'content-type': 'application/json' }) },
    ...(payload && { body: JSON.stringify(payload) }),
  });
  const body = (await answer.json()) as Record<string, unknown>;
  if (!answer.ok) throw new Error(`${method} ${path}: ${JSON.stringify(body)}`);
  return { token: answer.headers.get('x-write-position') ?? '', body };
}
