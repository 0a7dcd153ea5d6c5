import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { DAY_MS } from '#contract/limits.ts';
import { type Connections, openDatabase } from '#server/db/open.ts';
import { newMember } from '#server/features/accounts/testing/account-flows.ts';
import { smtpMailer } from '#server/mail/mailer.ts';
import { startSmtpServer } from '#server/mail/testing.ts';
import { listenForMetrics, openScraper } from '#server/metrics/scrape.ts';
import { RegistryUnavailable } from '#server/npi-registry/registry.ts';
import { buildTestApp, TEST_CONFIG } from '#server/testing/app.ts';
import { openTestDatabase, testDatabase } from '#server/testing/database.ts';
import { newFolder } from '#server/testing/folder.ts';
import { freePort } from '#server/testing/free-port.ts';
import { hurry } from '#server/testing/jobs.ts';
import { listen } from '#server/testing/listen.ts';
import { PERSON } from '#server/testing/matched-doctor.ts';
import { pagesOf } from '#server/testing/page-source.ts';
import { Metrics } from './metrics.ts';
import { observeDatabase, observeMail, observePools } from './observe-server.ts';
import { DAY_METRICS, METRICS } from './table.ts';

/** Metrics without a server, and the values of a scrape by series. */
function open(clock = () => new Date()) {
  const { meter, scrape } = openScraper();
  const metrics = new Metrics(meter, clock);
  const values = async () => {
    const { text, errors } = await scrape();
    expect(errors).toEqual([]);
    const lines = text.split('\n').filter((line) => /^\w/.test(line));
    return new Map(lines.map((line) => line.split(/ (?=\S+$)/) as [string, string]));
  };
  return { metrics, scrape, values };
}

/** Even a busy machine reads the database's state within this time. */
const BUSY_MS = 60_000;

/** Connections that find these objects of the schema `ahead` before PostgreSQL's own. */
async function withAhead({ pool }: Connections, objects: string): Promise<Connections> {
  const { rows } = await pool.query<{ name: string }>('select current_database() as name');
  const name = rows[0]?.name ?? '';
  await pool.query(`create schema ahead; ${objects};
    alter database "${name}" set search_path = ahead, pg_catalog, public`);
  const fresh = openTestDatabase(name);
  onTestFinished(() => fresh.close());
  return fresh.background;
}

/** Standbys, as on a primary. The test server has none. */
const withStandbys = (database: Connections, rows: string) =>
  withAhead(
    database,
    `create view ahead.pg_stat_replication (application_name, state, replay_lag) as ${rows}`,
  );

/** A database whose clock stands still. */
const withTime = (database: Connections, now: string) =>
  withAhead(
    database,
    `create function ahead.now() returns timestamptz language sql return timestamptz '${now}'`,
  );

test('a scrape has every metric of the table', async () => {
  const { meter, scrape } = openScraper();
  const dataDir = newFolder();
  const finished_at = new Date().toJSON();
  const last = { finished_at, lineage: randomUUID(), accounts: 1, reviews: 1 };
  for (const what of ['backup', 'inventory']) {
    writeFileSync(path.join(dataDir, `last-${what}.json`), JSON.stringify(last));
  }
  await using server = await buildTestApp({ meter, pageSource: pagesOf(), config: { dataDir } });
  const { deps, app } = server;
  const { metrics } = deps;
  const streaming = "values ('east', 'streaming', interval '1 second')";
  observeDatabase(metrics, await withStandbys(deps.database, streaming));
  observeMail(metrics, async () => {});
  await app.inject('/api/reviews/');
  metrics.jobEnded('rewrite', 'given_up');
  for (const name of DAY_METRICS) for (let n = 0; n < 5; n += 1) metrics.countByDay(name, {});
  server.time.now = new Date(server.time.now.getTime() + DAY_MS);
  const names = async () => {
    const { text } = await scrape();
    return [...text.matchAll(/^# TYPE (\S+) \S+$/gm)].map(([, name]) => name).toSorted();
  };
  await expect.poll(names).toEqual(Object.keys(METRICS).toSorted());
});

test.each([
  ['none', 'select null::text, null::text, null::interval where false', { standbys: '0' }],
  [
    'one that is idle, one behind, and a backup in progress',
    `values ('east', 'streaming', null::interval), ('west', 'streaming', interval '90.7 seconds'),
      ('pg_basebackup', 'backup', null)`,
    { standbys: '2', 'lag_seconds{standby="east"}': '0', 'lag_seconds{standby="west"}': '90' },
  ],
  ['no pg_monitor', 'values (null::text, null::text, null::interval)', { standbys: '1' }],
])('replication: %s', async (_what, rows, expected) => {
  const { metrics, values } = open();
  observeDatabase(metrics, await withStandbys(await testDatabase(), rows), BUSY_MS);
  const found = [...(await values())].filter(([name]) => name.startsWith('curbside_replication_'));
  const short = found.map(([name, value]) => [name.replace('curbside_replication_', ''), value]);
  expect(Object.fromEntries(short)).toEqual(expected);
});

test('the waiting time of an account job shows only clock hours', async () => {
  const { pool } = await withTime(await testDatabase(), '2026-03-01 12:20Z');
  const enqueue = (name: string, due: string) =>
    pool.query(`insert into pgboss.job (name, data, start_after) values ('${name}', '{}', ${due})`);
  const { metrics, values } = open();
  observeDatabase(metrics, { pool }, BUSY_MS);
  const overdue = async (queue: string) =>
    Number((await values()).get(`curbside_job_overdue_seconds{queue="${queue}"}`));
  const hour = "date_trunc('hour', now())";
  await enqueue('send-mail', hour);
  await enqueue('verify-npi', `${hour} - interval '1 second'`);
  await enqueue('password-reset', "now() + interval '1 hour'");
  await enqueue('rewrite', `${hour} - interval '61 minutes'`);
  await enqueue('reviews-due', "now() - interval '400 seconds'");
  const ofAccounts = { 'send-mail': 0, 'verify-npi': 3600, 'password-reset': 0, rewrite: 7200 };
  for (const [queue, seconds] of Object.entries({ ...ofAccounts, 'reviews-due': 400 }))
    expect([queue, await overdue(queue)]).toEqual([queue, seconds]);
});

test("counts a day's mail, jobs, and registry checks by outcome", async () => {
  const { meter, scrape } = openScraper();
  let asked = 0;
  const lookUp = async () => {
    if (++asked <= 5) throw new RegistryUnavailable('answered 503');
    if (asked <= 10) return { kind: 'unknown' as const };
    return { ...PERSON, names: [{ first: 'ADA', last: 'EXAMPLE' }] };
  };
  await using server = await buildTestApp({ meter, npiRegistry: { lookUp } });
  for (let n = 0; n < 5; n += 1) await newMember(server);
  await hurry(server.deps.database.pool);
  await server.jobs.idle();
  for (let n = 0; n < 5; n += 1) await newMember(server);
  server.time.now = new Date(server.time.now.getTime() + DAY_MS);
  const { text } = await scrape();
  expect(text.split('\n')).toEqual(
    expect.arrayContaining([
      'curbside_day_registry_checks{outcome="unavailable"} 5',
      'curbside_day_registry_checks{outcome="not_passed"} 5',
      'curbside_day_registry_checks{outcome="passed"} 5',
      'curbside_day_jobs{queue="verify-npi",outcome="failed"} 5',
      'curbside_day_jobs{queue="verify-npi",outcome="done"} 10',
      expect.stringMatching(/^curbside_day_mails{outcome="sent"} \d+$/),
      'curbside_day_requests{method="POST",route="/api/auth/register/",status="2xx"} 20',
    ]),
  );
});

test('the duration of a cached response does not reveal who has just written something', async () => {
  const times = async (ms: number) => {
    const { metrics, values } = open();
    metrics.requestOfAll('/reviews', '2xx', ms);
    return [...(await values())].filter(([name]) => name.includes('_request_duration_'));
  };
  const ahead = await times(0);
  expect(ahead).toContainEqual([
    'curbside_http_request_duration_seconds_bucket{route="/reviews",status="2xx",le="0.01"}',
    '1',
  ]);
  expect(await times(6)).toEqual(ahead);
  expect(await times(60)).not.toEqual(ahead);
});

test('immediately counts only scheduled jobs, once they are given up', async () => {
  const { metrics, values } = open();
  metrics.jobEnded('send-mail', 'given_up');
  metrics.jobEnded('rewrite', 'failed');
  metrics.jobEnded('rewrite', 'given_up');
  const given = [...(await values())].filter(([name]) => name.includes('given_up'));
  expect(given).toEqual([['curbside_jobs_given_up_total{queue="rewrite"}', '1']]);
});

test('a database that is gone is down, and so is one that does not respond', async () => {
  const gone = new pg.Pool({ host: '127.0.0.1', port: 1 });
  const silent = createServer();
  let connections = 0;
  silent.on('connection', () => ++connections);
  const port = await listen(silent);
  const mute = new pg.Pool({ host: '127.0.0.1', port, connectionTimeoutMillis: 2000 });
  for (const pool of [gone, mute]) {
    const { metrics, values } = open();
    observeDatabase(metrics, { pool }, 50);
    for (const scrape of [values, values]) {
      const found = await scrape();
      expect(found.get('curbside_db_up')).toBe('0');
      expect([...found.keys()].filter((name) => /replication|overdue/.test(name))).toEqual([]);
    }
  }
  // The second scrape sent no query while the first one was pending.
  expect(connections).toBe(1);
});

test('each pool is shown, replicas by number', async () => {
  const { metrics, values } = open();
  const on = (host: string) => ({ connectionString: `postgres://${host}.invalid/secret` });
  const replicas = [on('east'), on('west')];
  const direct = on('direct');
  const database = openDatabase({ ...on('pooler'), max: 8 }, () => {}, { direct, replicas });
  onTestFinished(() => database.close());
  observePools(metrics, database);
  const found = [...(await values())].filter(([name]) => name.includes('_connections_limit'));
  const limit = (pool: string) => `curbside_db_connections_limit{pool="${pool}"}`;
  const pools = ['requests', 'background', 'replica_1', 'replica_2'];
  expect(found).toEqual(pools.map((pool) => [limit(pool), '8']));
});

test('checks the SMTP server without sending anything', async () => {
  const smtp = await startSmtpServer();
  const mailer = smtpMailer(smtp.url, 'no-reply@curbside.test');
  onTestFinished(() => mailer.close());
  const up = async () => {
    const { metrics, values } = open();
    observeMail(metrics, mailer.verify);
    const value = async () => (await values()).get('curbside_mail_up');
    await expect.poll(value).toBeDefined();
    return value();
  };
  expect(await up()).toBe('1');
  expect(smtp.received).toEqual([]);
  await smtp.close();
  expect(await up()).toBe('0');
});

test('each process has its own port, which serves only the metrics', async () => {
  const port = await freePort(2);
  const config = { ...TEST_CONFIG, metricsPort: port };
  const { scrape } = open();
  for (const index of [0, 1]) onTestFinished(await listenForMetrics(config, { scrape }, index));
  const ask = (path: string, index = 0) => fetch(`http://127.0.0.1:${port + index}${path}`);
  const answer = await ask('/metrics');
  expect(answer.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
  expect(await answer.text()).toContain('# TYPE curbside_http_server_errors_total counter\n');
  expect((await ask('/metrics', 1)).status).toBe(200);
  expect((await ask('/api/reviews/')).status).toBe(404);
  const taken = `127.0.0.1:${port + 1} is in use: change METRICS_PORT or METRICS_HOST`;
  await expect(listenForMetrics(config, { scrape }, 1)).rejects.toThrow(taken);
});

test('a metric that cannot be read is reported, and the others are still served', async () => {
  const lines: string[] = [];
  const { metrics, scrape } = open();
  metrics.observe(() => {
    throw new Error('canary');
  });
  const config = { ...TEST_CONFIG, metricsPort: await freePort(), logLevel: 'warn' as const };
  onTestFinished(await listenForMetrics(config, { scrape }, 0, (line) => lines.push(line)));
  const answer = await fetch(`http://127.0.0.1:${config.metricsPort}/metrics`);
  expect(await answer.text()).toContain('curbside_day_timestamp_seconds');
  expect(lines.join()).toContain('a metric could not be read');
  expect(lines.join()).not.toContain('canary');
});
