import fc from 'fast-check';
import type pg from 'pg';
import { expect, test } from 'vitest';
import { CONCERN_FILTERS } from '#contract/concerns.ts';
import { EMPLOYER_ORDERING_KEYS } from '#contract/employers/employer-choices.ts';
import { REVIEW_ORDERING_KEYS } from '#contract/review-choices.ts';
import { REPORT_LISTS } from '#contract/reviews/review-moderation.ts';
import { NAMED_MAX } from '#server/db/statements.ts';
import { buildTestApp, type TestApp } from './testing/app.ts';
import { newEmployer, reviewOf, signedInAdmin, signedInDoctor } from './testing/factories.ts';

/** The server's statements must stay well below the limit. Reaching it would slow down others. */
const NAMED_IN_USE = 160;
/** All SQL texts, including unnamed ones. */
const TEXTS = 400;
const REQUESTS = 320;

const words = ['er', 'physician', 'hospitl', 'nights', 'texas', 'a', 'gi', '%', 'st. mary', 'o'];
const halfTheTime = { nil: undefined, freq: 2 };
const maybe = <T>(values: readonly T[]) => fc.option(fc.constantFrom(...values), halfTheTime);
const search = fc
  .array(fc.constantFrom(...words), { maxLength: 12 })
  .map((some) => some.join(' ') || undefined);
const paging = {
  page: maybe([1, 2, 3, 500]),
  page_size: fc.option(fc.integer({ min: 1, max: 100 }), halfTheTime),
};
const flag = maybe(['true', 'false']);

const specialty = maybe(['Hospital Medicine', 'Emergency Medicine', 'Nephrology']);

const reviewQuery = fc.record({
  ...paging,
  search: fc.option(search, halfTheTime),
  position_title: maybe(['Hospitalist', 'Fellow']),
  state: maybe(['IL', 'tx']),
  city: maybe(['Springfield', 'Springfield,Reno', 'a,b,c']),
  min_rating: maybe([1, 2, 3, 4, 5]),
  max_rating: maybe([1, 2, 3, 4, 5]),
  would_recommend: flag,
  is_current_employee: flag,
  specialty,
  ordering: maybe(REVIEW_ORDERING_KEYS),
});
const employerQuery = fc.record({
  ...paging,
  search: fc.option(search, halfTheTime),
  state: maybe(['IL', 'tx']),
  employer_type: maybe(['hospital', 'clinic']),
  ownership_type: maybe(['Not Specified']),
  trauma_level: maybe(['Level I']),
  hospital_status: maybe(['Open']),
  has_helipad: flag,
  min_beds: maybe([0, 5]),
  max_beds: maybe([10, 500]),
  min_staff: maybe([0, 5]),
  max_staff: maybe([10, 500]),
  hospitals_only: flag,
  has_reviews: flag,
  min_reviews: maybe([1, 3]),
  min_immigration_support_rating: maybe([3, 4]),
  specialty,
  ordering: maybe(EMPLOYER_ORDERING_KEYS),
});
const titleQuery = fc.record({ ...paging, search });
const employerReviews = fc.record({
  ...paging,
  search: fc.option(search, halfTheTime),
  concern: maybe(CONCERN_FILTERS),
  specialty,
  position_title: maybe(['Hospitalist', 'Fellow']),
  min_rating: maybe([1, 2, 3, 4, 5]),
  max_rating: maybe([1, 2, 3, 4, 5]),
  ordering: maybe(REVIEW_ORDERING_KEYS),
});

/** A query, or a single parameter of it. */
const oneOrAll = (query: fc.Arbitrary<object>) =>
  fc.tuple(query, fc.boolean(), fc.nat()).map(([all, isAll, nth]) => {
    const entries = Object.entries(all).filter(([, value]) => value !== undefined);
    const one = entries[nth % entries.length];
    return isAll ? all : Object.fromEntries(one ? [one] : []);
  });

const url = (path: string, query: object) => {
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  return `${path}?${new URLSearchParams(given.map(([name, value]) => [name, String(value)]))}`;
};

type Ask = { method: 'GET' | 'POST' | 'PATCH' | 'DELETE'; url: string; payload?: object };
const get = (path: string): Ask => ({ method: 'GET', url: path });

/** All kinds of requests that a member and an administrator may send. */
function requests(employers: number[], reviews: string[]): fc.Arbitrary<Ask> {
  const employer = fc.constantFrom(...employers);
  const review = fc.constantFrom(...reviews);
  const someReviews = fc.uniqueArray(review, { minLength: 1, maxLength: reviews.length });
  const body = fc.record({
    overall_rating: fc.integer({ min: 1, max: 5 }),
    review_text: search.map((text) => text ?? 'x'),
    position_title: fc.nat().map((n) => `Fellow ${n}`),
  });
  return fc.oneof(
    {
      weight: 6,
      arbitrary: oneOrAll(reviewQuery).map((query) => get(url('/api/reviews/', query))),
    },
    {
      weight: 6,
      arbitrary: oneOrAll(employerQuery).map((query) => get(url('/api/employers/', query))),
    },
    { weight: 4, arbitrary: titleQuery.map((query) => get(url('/api/position-titles/', query))) },
    { weight: 4, arbitrary: search.map((text) => get(url('/api/suggestions/', { search: text }))) },
    fc
      .tuple(employer, employerReviews)
      .map(([id, query]) => get(url(`/api/employers/${id}/reviews/`, query))),
    employer.map((id) => get(`/api/employers/${id}/`)),
    fc
      .tuple(employer, specialty)
      .map(([id, one]) => get(url(`/api/employers/${id}/insights/`, { specialty: one }))),
    fc
      .tuple(fc.uniqueArray(employer, { minLength: 2, maxLength: 4 }), specialty)
      .map(([ids, one]) => get(url('/api/employers/compare/', { ids, specialty: one }))),
    fc.constantFrom('IL', 'TX').map((state) => get(`/api/physician-counts/?state=${state}`)),
    fc.uniqueArray(employer, { minLength: 1 }).map((ids) => ({
      method: 'POST' as const,
      url: '/api/saved/employers/',
      payload: { ids },
    })),
    fc
      .tuple(
        fc.constantFrom('', 'remove/'),
        fc.uniqueArray(
          employer.map((id) => `/employers/${id}`),
          { minLength: 1 },
        ),
      )
      .map(([path, entries]) => ({
        method: 'POST' as const,
        url: `/api/saved/${path}`,
        payload: { entries },
      })),
    fc.constantFrom('/api/employers/filter_options/', '/api/reviews/filter_options/').map(get),
    fc.constantFrom('/api/reviews/my_reviews/', '/api/admin/employers/submitted/').map(get),
    fc.constantFrom(...REPORT_LISTS).map((show) => get(`/api/admin/reports/?show=${show}`)),
    someReviews.map((ids) => get(`/api/reviews/votes/?ids=${ids}`)),
    fc.tuple(employer, body).map(([id, fields]) => ({
      method: 'POST' as const,
      url: '/api/reviews/',
      payload: reviewOf(id, fields),
    })),
    fc
      .tuple(review, fc.constantFrom('POST' as const, 'DELETE' as const), flag)
      .map(([id, method, kind]) => ({
        method,
        url: `/api/reviews/${id}/${kind === 'true' ? 'helpful' : 'not-helpful'}/`,
      })),
    review.map((id) => ({
      method: 'POST' as const,
      url: `/api/reviews/${id}/report/`,
      payload: { reason: 'other' },
    })),
    fc
      .tuple(
        employer,
        fc.record({
          hospital_status: maybe(['Open', 'Closed']),
          name: maybe(['Alder Hospital', 'Birch Hospital']),
        }),
      )
      .map(([id, payload]) => ({
        method: 'PATCH' as const,
        url: `/api/admin/employers/${id}/`,
        payload,
      })),
  );
}

async function prepare(server: TestApp) {
  const { app, deps } = server;
  // Few connections, so that each one soon has all statements.
  deps.database.pool.options.max = 2;
  const callers = [await signedInDoctor(server), await signedInAdmin(server)];
  const employers: number[] = [];
  for (let n = 0; n < 5; n += 1) employers.push(await newEmployer(server));
  const reviews: string[] = [];
  for (const id of employers) {
    const { headers } = await signedInDoctor(server);
    const payload = reviewOf(id);
    const answer = await app.inject({ method: 'POST', url: '/api/reviews/', headers, payload });
    reviews.push(answer.json().id);
  }
  return { callers, asks: requests(employers, reviews) };
}

/** Queries each connection of the pool while all are idle. */
async function ofEachConnection(pool: pg.Pool, sql: string): Promise<number[]> {
  const clients = await Promise.all(Array.from({ length: 2 }, () => pool.connect()));
  try {
    return await Promise.all(
      clients.map(async (client) => Number((await client.query(sql)).rows[0].n)),
    );
  } finally {
    for (const client of clients) client.release();
  }
}

test("whatever clients request, there are few SQL texts and PostgreSQL's memory stays flat", async () => {
  await using server = await buildTestApp();
  const { database } = server.deps;
  const { callers, asks } = await prepare(server);
  const send = (ask: Ask) => {
    const caller = callers[ask.url.includes('/admin/') ? 1 : 0];
    return server.app.inject({ ...ask, headers: caller?.headers ?? {} });
  };
  const drive = async (numRuns: number, seed: number) => {
    const sampled = fc.sample(asks, { numRuns, seed });
    // Two at a time, to use both connections.
    for (let at = 0; at < numRuns; at += 2) {
      const answers = await Promise.all(sampled.slice(at, at + 2).map(send));
      for (const { statusCode } of answers) expect(statusCode).toBeLessThan(500);
    }
  };
  const memory = async () => {
    const bytes = await ofEachConnection(
      database.pool,
      'select sum(total_bytes) as n from pg_backend_memory_contexts',
    );
    return bytes.reduce((sum, one) => sum + one, 0);
  };
  await drive(REQUESTS, 1);
  const once = await memory();
  await drive(3 * REQUESTS, 2);
  const fourTimes = await memory();
  const prepared = await ofEachConnection(
    database.pool,
    'select count(*) as n from pg_prepared_statements',
  );
  expect(Math.max(...prepared)).toBeLessThan(NAMED_IN_USE);
  expect(database.namedStatements()).toBeLessThan(NAMED_IN_USE);
  expect(NAMED_IN_USE).toBeLessThan(NAMED_MAX);
  expect(server.statements.size).toBeLessThan(TEXTS);
  expect(fourTimes / once).toBeLessThan(1.25);
});
