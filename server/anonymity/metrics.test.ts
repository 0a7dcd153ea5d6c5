import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace';
import type pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DAY_MS } from '#contract/limits.ts';
import type { Review } from '#contract/reviews/reviews.ts';
import { curbside } from '#server/cli/testing/curbside.ts';
import * as accounts from '#server/features/accounts/testing/account-flows.ts';
import { lock } from '#server/features/accounts/testing/locked-account.ts';
import { findTraces } from '#server/features/accounts/testing/traces.ts';
import { openScraper } from '#server/metrics/scrape.ts';
import { METRICS } from '#server/metrics/table.ts';
import { buildTestApp, type TestApp } from '#server/testing/app.ts';
import { newEmployer, reviewOf, signUp } from '#server/testing/factories.ts';
import { pagesOf } from '#server/testing/page-source.ts';
import { startTracing } from '#server/tracing/start.ts';

const { NEW_PASSWORD, bearer, linkFor, newDetails, newMember, send } = accounts;

const scraper = openScraper();
const lines: string[] = [];
const spans: ReadableSpan[] = [];
const exporter: SpanExporter = {
  export(batch, done) {
    spans.push(...batch);
    done({ code: 0 });
  },
  shutdown: async () => {},
};
const traces = { endpoint: 'http://127.0.0.1:1', ratio: 1 };
const stopTracing = startTracing(traces, { warn: () => {} }, exporter);

let server: TestApp;
const employers: number[] = [];
let [author, reader] = [] as unknown as [accounts.Member, accounts.Member];
/** A review by the author, and one by the reader. */
let [own, foreign] = ['', ''];

beforeAll(async () => {
  server = await buildTestApp({
    config: { logLevel: 'trace', traces },
    logTo: (line) => lines.push(line),
    meter: scraper.meter,
    pageSource: pagesOf(),
  });
  await keepConnections(server.deps.database.pool);
  while (employers.length < 6) employers.push(await newEmployer(server));
  author = await newPoster();
  reader = await newPoster();
  own = await write(author, 0);
  foreign = await write(reader, 1);
}, 120_000);
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await stopTracing();
});

/**
 * A gauge shows their number in steps. Half a step above one, and as long as the tests run: idle
 * connections would otherwise end after ten seconds, which a test may need.
 */
async function keepConnections(pool: pg.Pool): Promise<void> {
  pool.options.idleTimeoutMillis = 0;
  const clients = await Promise.all(Array.from({ length: 6 }, () => pool.connect()));
  for (const client of clients) client.release();
}

async function newPoster(): Promise<accounts.Member> {
  const member = await newMember(server);
  for (const act of ['verify', 'allow-posting']) {
    await curbside(server, ['doctors', act, member.npi]);
  }
  await server.jobs.idle();
  return member;
}

async function act(path: string, payload: object = {}, who?: Pick<accounts.Member, 'headers'>) {
  const response = await send(server, path, payload, { headers: who?.headers ?? bearer('') });
  if (response.statusCode >= 300) throw new Error(`${path}: ${response.body}`);
  return response;
}

async function write(who: accounts.Member, at: number, fields = {}): Promise<string> {
  const review = reviewOf(employers[at] ?? 0, fields);
  return (await act('/reviews/', review, who)).json<Review>().id;
}

/** Everything that a scraper reads, by series. */
async function scrape(): Promise<Map<string, string>> {
  const { text, errors } = await scraper.scrape();
  expect(errors).toEqual([]);
  const series = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(series.map((line) => line.split(/ (?=\S+$)/) as [string, string]));
}

/** A list that the test reads only in order to wait. */
const MARK = 'route="/api/transparency/"';

/**
 * Series that change even if nobody does anything: other work on the machine, and jobs that poll
 * every few seconds.
 */
const NOISE = [
  /^curbside_event_loop_delay_seconds/,
  /^curbside_db_connections\w*{pool="background"/,
];

/** Reads a public list, and waits until the scrape includes it and everything before it. */
async function readInTurn() {
  const count = async () =>
    Number(
      [...(await scrape())].find(
        ([name]) => name.includes('_count{') && name.includes(MARK),
      )?.[1] ?? 0,
    );
  const before = await count();
  await server.app.inject('/api/transparency/');
  await expect.poll(count).toBe(before + 1);
}

/** The series that an action changes. */
async function changedBy(deed: () => Promise<unknown>): Promise<string[]> {
  await server.jobs.idle();
  await readInTurn();
  const before = await scrape();
  await deed();
  await server.jobs.idle();
  await readInTurn();
  const after = await scrape();
  const names = new Set([...before.keys(), ...after.keys()]);
  return [...names].filter(
    (name) =>
      before.get(name) !== after.get(name) &&
      !name.includes(MARK) &&
      !NOISE.some((pattern) => pattern.test(name)),
  );
}

const ACTS: Record<string, () => Promise<unknown>> = {
  'a sign-up': () => signUp(server, newDetails()),
  'a sign-up with a taken address': () =>
    act('/auth/register/', { action: 'create_account', ...newDetails({ email: author.email }) }),
  'a login, a refresh, and a logout': async () => {
    const { email, password } = author;
    const { refresh } = (await act('/auth/login/', { email, password })).json();
    const next = (await act('/auth/token/refresh/', { refresh })).json();
    await act('/auth/logout/', { refresh: next.refresh });
  },
  'a wrong login': () =>
    send(server, '/auth/login/', { email: author.email, password: NEW_PASSWORD }),
  'what members read': async () => {
    for (const url of ['/auth/user/', '/reviews/my_reviews/', '/doctors/me/', '/saved/']) {
      await server.app.inject({ url: `/api${url}`, headers: author.headers });
    }
  },
  'what the forms read': async () => {
    for (const url of ['/csrf/', '/position-titles/', '/physician-counts/?state=IL']) {
      await server.app.inject(`/api${url}`);
    }
    for (const page of ['/login', '/signup', '/create-review', '/dashboard']) {
      await server.app.inject(page);
    }
  },
  'a review': () => write(author, 2),
  'a review to publish later': () => write(author, 3, { publish: 'later' }),
  'an edit': () => {
    const review = { ...reviewOf(0), pros: 'Fewer nights' };
    return send(server, `/reviews/${own}/`, review, { headers: author.headers, method: 'PATCH' });
  },
  'a vote': () => act(`/reviews/${foreign}/helpful/`, {}, author),
  'a changed vote': () => act(`/reviews/${foreign}/not-helpful/`, {}, author),
  'a report': () => act(`/reviews/${foreign}/report/`, { reason: 'other' }, author),
  'a saved employer': () => act('/saved/', { entries: [`/employers/${employers[0]}`] }, author),
  'a password reset': async () => {
    await act('/auth/password/reset/', { email: reader.email });
    const link = await linkFor(server, reader.email, '/password-reset');
    await act('/auth/password/reset/confirm/', { ...link, new_password: NEW_PASSWORD });
  },
  'locking reviews': async () => lock(server, author),
  'deleting an account': async () => {
    const member = await newMember(server);
    await act('/auth/delete-account/', { password: member.password, reviews: 'keep' }, member);
  },
};

test.each(Object.keys(ACTS))('a scrape does not show %s', async (name) => {
  expect(await changedBy(async () => ACTS[name]?.())).toEqual([]);
});

test('a scrape immediately shows what visitors read', async () => {
  const changed = await changedBy(async () => {
    await server.app.inject(`/api/reviews/${foreign}/`);
    await server.app.inject('/employers');
  });
  const routes = changed.map((name) => /route="([^"]*)"/.exec(name)?.[1]);
  expect(new Set(routes)).toEqual(new Set(['/api/reviews/:id/', '/employers']));
});

test("a day's actions are published after it ends, in multiples of 5", async () => {
  const day = server.time.now;
  const requests = async () =>
    [...(await scrape())].filter(([name]) => name.startsWith('curbside_day_requests'));
  const login = 'curbside_day_requests{method="POST",route="/api/auth/login/",status="2xx"}';
  const logIn = async (times: number) => {
    const { email, password } = author;
    for (let n = 0; n < times; n += 1) await act('/auth/login/', { email, password });
    await readInTurn();
  };
  server.time.now = new Date(day.getTime() + DAY_MS);
  await scrape();
  await logIn(9);
  await act('/auth/password/reset/', { email: reader.email });
  expect((await requests()).find(([name]) => name === login)).toBeUndefined();
  server.time.now = new Date(day.getTime() + 2 * DAY_MS);
  expect(await requests()).toEqual([[login, '5']]);
  server.time.now = new Date(day.getTime() + 4 * DAY_MS);
  expect(await requests()).toEqual([]);
  server.time.now = day;
});

test('no scrape, log line, or trace contains anything that people send', async () => {
  const search = 'canarysearch';
  const from = '198.51.100.77';
  const agent = 'Canary-Agent/7';
  const headers = {
    'user-agent': agent,
    traceparent: `00-${'4bf92f35'.repeat(4)}-${'a'.repeat(16)}-01`,
  };
  for (const url of [
    `/api/reviews/?search=${search}`,
    `/employers?search=${search}`,
    `/${search}`,
  ]) {
    await server.app.inject({ url, headers, remoteAddress: from });
  }
  await server.app.inject(`/api/employers/${employers[0]}/`);
  // A client that has just written something.
  const written = { 'x-write-position': 'any' };
  await server.app.inject({ url: '/feeds/reviews', headers: written });
  await server.app.inject({ url: '/sitemap.xml', headers: { cookie: 'write_position=any' } });
  await readInTurn();
  await stopTracing();
  const seen = (span: ReadableSpan) =>
    JSON.stringify([span.name, span.attributes, span.events, span.links, span.resource.attributes]);
  const texts = [(await scraper.scrape()).text, ...lines, ...spans.map(seen)];
  const markers = [author, reader].flatMap(({ id, email, npi, password, access }) => [
    id,
    email,
    npi,
    password,
    access,
  ]);
  expect(findTraces(texts, [...markers, own, foreign, search, from, agent])).toEqual([]);
  expect(spans.map((span) => span.spanContext().traceId)).not.toContain('4bf92f35'.repeat(4));
  expect(spans.length).toBeGreaterThan(5);
});

test('only responses that are the same for everyone are traced, with only the pattern, status, and times', () => {
  const roots = spans.filter(({ parentSpanContext }) => !parentSpanContext);
  expect(roots.map(({ name }) => name)).toContain('GET /api/reviews/:id/');
  expect(new Set(roots.map(({ attributes }) => Object.keys(attributes).join()))).toEqual(
    new Set(['http.request.method,http.route,http.response.status_code']),
  );
  const parts = spans.filter(({ parentSpanContext }) => parentSpanContext);
  expect(new Set(parts.map(({ name }) => name))).toEqual(
    new Set(['database', 'render', 'GET /api/employers/']),
  );
  for (const { attributes, name } of parts) {
    if (!name.startsWith('GET')) expect(attributes).toEqual({});
  }
  const traced = new Set(roots.map(({ name }) => name));
  expect([...traced].filter((name) => /POST|PATCH|login|auth|saved|titles/.test(name))).toEqual([]);
  expect([...traced].filter((name) => /feeds|sitemap/.test(name))).toEqual([]);
});

test('a scrape contains only documented metrics', async () => {
  const { text } = await scraper.scrape();
  const names = [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name, kind]) => [name, kind]);
  expect(names.length).toBeGreaterThan(10);
  for (const [name = '', kind] of names) {
    expect(METRICS, name).toHaveProperty(name, expect.objectContaining({ kind }));
  }
});
