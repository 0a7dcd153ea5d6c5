import { expect, onTestFinished, test } from 'vitest';
import { DAY_MS, PUBLISH_LATER_DAYS } from '#contract/limits.ts';
import { CUSTOM_EMPLOYER_ID } from '#contract/review-choices.ts';
import { type OwnReview, REVIEW_CHECKS, type Review } from '#contract/reviews.ts';
import { buildTestApp, type TestApp } from '#server/testing/app.ts';
import {
  newEmployer,
  reviewOf,
  signedInAdmin,
  signedInDoctor,
  type TestAccount,
} from '#server/testing/factories.ts';
import { randomMinute } from './schedule-review.ts';

async function site() {
  const server = await buildTestApp();
  onTestFinished(() => server[Symbol.asyncDispose]());
  const author = await signedInDoctor(server);
  return { server, author, employer: await newEmployer(server), ...callsOf(server, author) };
}

function callsOf({ app, deps, jobs, time }: TestApp, author: TestAccount) {
  const call = (
    method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
    url: string,
    payload?: object,
    account: TestAccount | null = author,
  ) =>
    app.inject({
      method,
      url: `/api${url}`,
      ...(account && { headers: account.headers }),
      ...(payload && { payload }),
    });
  const post = (payload: object, account = author) => call('POST', '/reviews/', payload, account);
  const written = async <T = OwnReview>(payload: object, account = author): Promise<T> => {
    const answer = await post(payload, account);
    expect(answer.statusCode, answer.body).toBe(201);
    return answer.json();
  };
  return {
    call,
    post,
    written,
    schedule: (payload: object, account = author) =>
      written({ ...payload, publish: 'later' }, account),
    own: async (account = author) =>
      (await call('GET', '/reviews/my_reviews/', undefined, account)).json<OwnReview[]>(),
    asAnyone: (url: string) => call('GET', url, undefined, null),
    /** Runs the job at this time, here or on another server. */
    async publishAt(now: Date | string, ...others: TestApp[]) {
      const clocks = [time, ...others.map((other) => other.time)];
      const before = time.now;
      for (const clock of clocks) clock.now = new Date(now);
      await deps.jobs.enqueue(deps.db, 'reviews-due', {});
      await jobs.idle();
      // Sessions are still valid.
      for (const clock of clocks) clock.now = before;
    },
  };
}

const custom = (name: string, fields: object = {}) => ({
  ...reviewOf(0, fields),
  employer: name,
  is_custom_employer: 'true',
});

test('picks any minute of the next 72 hours', () => {
  const now = new Date('2031-05-06T07:08:09.123Z');
  const minutes = Array.from({ length: 20_000 }, () => {
    const ahead = (randomMinute(now).getTime() - Date.parse('2031-05-06T07:08:00Z')) / 60_000;
    expect(Number.isInteger(ahead)).toBe(true);
    return ahead;
  });
  const all = PUBLISH_LATER_DAYS * 24 * 60;
  expect(Math.min(...minutes)).toBeGreaterThanOrEqual(1);
  expect(Math.max(...minutes)).toBeLessThanOrEqual(all);
  // Uniform: each of 72 hours has about 278 of 20,000, within seven standard deviations.
  for (let hour = 0; hour < 72; hour += 1) {
    const count = minutes.filter((m) => Math.ceil(m / 60) === hour + 1).length;
    expect(Math.abs(count - 20_000 / 72)).toBeLessThan(7 * Math.sqrt(20_000 / 72));
  }
});

test('a scheduled review is visible only to its author until its minute, and then public', async () => {
  const { server, employer, asAnyone, call, own, publishAt, schedule } = await site();
  const stranger = await signedInDoctor(server);
  const urls = [
    '/reviews/',
    '/reviews/?search=nights',
    '/reviews/filter_options/',
    '/employers/',
    '/employers/filter_options/',
    `/employers/${employer}/`,
    `/employers/${employer}/reviews/`,
    `/employers/${employer}/insights/`,
    '/position-titles/?search=hospitalist',
  ];
  const told = () => Promise.all(urls.map(async (url) => (await asAnyone(url)).json()));
  const before = await told();
  const start = server.time.now.getTime();

  const review = await schedule(reviewOf(employer));
  expect(review).toMatchObject({ status: 'scheduled', removed_reason: null, helpful_count: 0 });
  const minute = Date.parse(review.created_at);
  expect(minute).toBeGreaterThan(start);
  expect(minute).toBeLessThanOrEqual(start + PUBLISH_LATER_DAYS * DAY_MS);
  expect(await own()).toEqual([review]);
  const exported = await call('GET', '/auth/export/');
  expect(exported.json().reviews).toEqual([review]);

  const hidden = async () => {
    expect(await told()).toEqual(before);
    const path = `/reviews/${review.id}/`;
    expect((await asAnyone(path)).statusCode).toBe(404);
    expect((await call('GET', path)).statusCode).toBe(404);
    for (const deed of ['helpful/', 'not-helpful/', 'report/']) {
      const payload = deed === 'report/' ? { reason: 'other' } : undefined;
      expect((await call('POST', path + deed, payload, stranger)).statusCode).toBe(404);
    }
    const votes = await call('GET', `/reviews/votes/?ids=${review.id}`);
    expect(votes.json().own).toEqual([]);
    expect(await own(stranger)).toEqual([]);
    const admin = await signedInAdmin(server);
    const removal = await call('POST', `/admin${path}remove/`, { reason: 'No' }, admin);
    expect(removal.statusCode).toBe(404);
  };
  await hidden();
  await publishAt(new Date(minute - 1));
  await hidden();

  await publishAt(new Date(minute));
  const { status: _, removed_reason: __, ...published } = review;
  expect((await asAnyone('/reviews/')).json()).toMatchObject({ count: 1, results: [published] });
  expect((await asAnyone(`/reviews/${review.id}/`)).json()).toEqual(published);
  expect((await asAnyone(`/employers/${employer}/`)).json()).toMatchObject({ total_reviews: 1 });
  expect(await own()).toEqual([{ ...review, status: 'published' }]);
  // Its earlier response is not cached.
  const { rows } = await server.deps.database.pool.query('select * from scheduled_reviews');
  expect(rows).toEqual([]);
});

test('other servers notice that it was published', async () => {
  const { server, asAnyone, publishAt, schedule, employer } = await site();
  await using elsewhere = await buildTestApp({ beside: server });
  const count = async () => (await elsewhere.app.inject('/api/reviews/')).json().count;
  expect([await count(), (await asAnyone('/reviews/')).json().count]).toEqual([0, 0]);
  const review = await schedule(reviewOf(employer));
  await publishAt(review.created_at, elsewhere);
  await expect.poll(count).toBe(1);
});

test('is checked like a review that goes live immediately', async () => {
  const { server, post, call, employer } = await site();
  const later = (fields: object) => post({ ...reviewOf(employer), ...fields, publish: 'later' });
  expect((await later({ overall_rating: 0 })).json().detail).toBe(REVIEW_CHECKS.overall_rating);
  expect((await later({ employer: '999999' })).json().detail).toBe(REVIEW_CHECKS.employer);
  expect((await later({ start_year: 1900 })).json().detail).toBe(REVIEW_CHECKS.start_year);
  expect((await later({ pros: 'Call 212-555-0187' })).json().code).toBe('identifying_text');
  expect((await later({ publish_at: '2030-01-01T00:00:00Z' })).json().detail).toBe('Unknown field');
  const refused = await post({ ...reviewOf(employer), publish: 'tomorrow' });
  expect(refused.json().errors).toEqual({ publish: ["Publish must be 'now' or 'later'"] });
  const payload = { ...reviewOf(employer), publish: 'later' };
  expect((await call('POST', '/reviews/', payload, null)).statusCode).toBe(401);
  for (const profile of [{}, { verified: true }]) {
    expect((await post(payload, await signedInDoctor(server, profile))).statusCode).toBe(403);
  }
  expect((await post({ ...reviewOf(employer), publish: 'now' })).json()).not.toHaveProperty(
    'status',
  );
});

test('only its author can edit, publish, or withdraw it', async () => {
  const { server, asAnyone, author, call, own, schedule, employer } = await site();
  const review = await schedule(reviewOf(employer));
  const url = `/reviews/${review.id}/`;
  const change = reviewOf(employer, { review_text: 'Better put.', start_year: 2020 });
  const stranger = await signedInDoctor(server);
  for (const [method, path, payload] of [
    ['PATCH', url, change],
    ['POST', `${url}publish/`, undefined],
    ['DELETE', url, undefined],
  ] as const) {
    expect((await call(method, path, payload, null)).statusCode).toBe(401);
    expect((await call(method, path, payload, stranger)).statusCode).toBe(404);
  }
  const edited = await call('PATCH', url, change);
  expect(edited.json()).toEqual({
    ...review,
    ...change,
    employer: review.employer,
    employment_duration: expect.any(String),
    immigration_support_rating: null,
    is_custom_employer: undefined,
  });
  const years = await call('PATCH', url, { ...change, start_year: 1950 });
  expect(years.json().detail).toBe(REVIEW_CHECKS.start_year);
  expect(await own()).toMatchObject([
    { review_text: 'Better put.', created_at: review.created_at },
  ]);

  const permit = (set: object) =>
    server.deps.db.updateTable('doctors').set(set).where('user_id', '=', author.userId).execute();
  await permit({ can_post_reviews: false });
  expect((await call('POST', `${url}publish/`)).statusCode).toBe(403);
  expect((await call('PATCH', url, change)).statusCode).toBe(200);
  await permit({ verified: false });
  expect((await call('PATCH', url, change)).statusCode).toBe(403);
  await permit({ verified: true, can_post_reviews: true });

  server.time.now = new Date(server.time.now.getTime() + 5 * 60_000);
  const published = await call('POST', `${url}publish/`);
  const minute = `${server.time.now.toISOString().slice(0, 16)}:00.000Z`;
  expect(published.json()).toMatchObject({ status: 'published', created_at: minute });
  expect((await asAnyone(url)).json()).toMatchObject({ review_text: 'Better put.' });
  expect(await own()).toEqual([published.json()]);
  // Sent again after a lost response.
  expect((await call('POST', `${url}publish/`)).json()).toEqual(published.json());

  const other = await schedule(reviewOf(employer, { position_title: 'Other' }));
  await permit({ verified: false });
  expect((await call('DELETE', `/reviews/${other.id}/`)).statusCode).toBe(204);
  expect((await call('DELETE', `/reviews/${other.id}/`)).statusCode).toBe(404);
  await permit({ verified: true });
  expect((await own()).map(({ id }) => id)).toEqual([review.id]);
});

test('a new employer is created when its review goes live, not earlier', async () => {
  const { server, asAnyone, call, publishAt, schedule, written } = await site();
  const count = async () => (await asAnyone('/employers/')).json().count;
  const before = await count();
  const review = await schedule(custom('Harbor Light Clinic'));
  expect(review.employer).toEqual({
    id: CUSTOM_EMPLOYER_ID,
    name: 'Harbor Light Clinic',
    city: null,
    state: null,
  });
  const other = await schedule(custom('Second Light Clinic'));
  const edit = await call('PATCH', `/reviews/${review.id}/`, custom('Ignored', { cons: 'Stairs' }));
  expect(edit.json()).toMatchObject({ employer: review.employer, cons: 'Stairs' });
  expect(await count()).toBe(before);

  // Somebody else adds it first.
  const stranger = await signedInDoctor(server);
  const first = await written<Review>(custom('HARBOR LIGHT clinic'), stranger);
  await publishAt(review.created_at);
  const published = await asAnyone(`/reviews/${review.id}/`);
  expect(published.json().employer).toMatchObject({ id: first.employer.id });

  const now = await call('POST', `/reviews/${other.id}/publish/`);
  expect(now.json().employer.name).toBe('Second Light Clinic');
  expect(await count()).toBe(before + 2);
  const made = await asAnyone(`/employers/${now.json().employer.id}/`);
  expect(made.json()).toMatchObject({ total_reviews: 1, user_submitted: true });
});

test('stays with its employer through a merge', async () => {
  const { server, asAnyone, call, own, publishAt, schedule, post, employer } = await site();
  const into = await newEmployer(server);
  const review = await schedule(reviewOf(employer));
  const admin = await signedInAdmin(server);
  await call('POST', `/admin/employers/${employer}/merge/`, { into }, admin);
  expect((await own())[0]?.employer.id).toBe(into);
  expect((await post(reviewOf(employer))).json()).toMatchObject({ review_id: review.id });
  await publishAt(review.created_at);
  expect((await asAnyone(`/reviews/${review.id}/`)).json().employer.id).toBe(into);
  expect((await post(reviewOf(employer))).json()).toMatchObject({ review_id: review.id });
});

test('allows one review per employer and position, published and scheduled together', async () => {
  const { server, call, post, schedule, written, employer } = await site();
  const later = { ...reviewOf(employer), publish: 'later' };
  const first = await schedule(reviewOf(employer));
  const refused = { code: 'duplicate_review', review_id: first.id };
  expect((await post(later)).json()).toMatchObject({ ...refused, identical: true });
  expect((await post({ ...later, cons: 'New' })).json()).toMatchObject({
    ...refused,
    identical: false,
  });
  // The same text, but with a different publication time.
  expect((await post(reviewOf(employer, { position_title: 'HOSPITALIST' }))).json()).toMatchObject({
    ...refused,
    identical: false,
  });
  await schedule(reviewOf(employer), await signedInDoctor(server));

  const public_ = await written<Review>(reviewOf(employer, { position_title: 'Chief' }));
  const chief = reviewOf(employer, { position_title: 'chief' });
  const isChief = { code: 'duplicate_review', review_id: public_.id, identical: false };
  expect((await post({ ...chief, publish: 'later' })).json()).toMatchObject(isChief);
  expect((await call('PATCH', `/reviews/${first.id}/`, chief)).json()).toMatchObject(isChief);
  const change = await call('PATCH', `/reviews/${public_.id}/`, reviewOf(employer));
  expect(change.json()).toMatchObject(refused);
  const second = await schedule(reviewOf(employer, { position_title: 'Second' }));
  expect((await call('PATCH', `/reviews/${second.id}/`, reviewOf(employer))).json()).toMatchObject(
    refused,
  );

  // By name: an employer that does not exist yet, and one that was added since.
  const named = await schedule(custom('Far Clinic'));
  const again = { code: 'duplicate_review', review_id: named.id };
  expect((await post({ ...custom('FAR-clinic'), publish: 'later' })).json()).toMatchObject(again);
  expect((await post(custom('FAR-clinic'))).json()).toMatchObject(again);
  const far = await newEmployer(server, { name: 'Far Clinic' });
  expect((await post(reviewOf(far))).json()).toMatchObject(again);
  expect((await post({ ...reviewOf(far), publish: 'later' })).json()).toMatchObject(again);
});

test('of several simultaneous reviews, now or later, one is created', async () => {
  const { server, call, own, post, schedule, employer } = await site();
  for (const payload of [reviewOf(employer), custom('Far Clinic')]) {
    const answers = await Promise.all(
      ['later', 'now', 'later', 'now', 'later'].map((publish) => post({ ...payload, publish })),
    );
    const statuses = answers.map(({ statusCode }) => statusCode).sort();
    expect(statuses).toEqual([201, 400, 400, 400, 400]);
    const there = answers.find(({ statusCode }) => statusCode === 201)?.json().id;
    for (const { statusCode, body } of answers) {
      if (statusCode === 400) {
        expect(JSON.parse(body)).toMatchObject({ code: 'duplicate_review', review_id: there });
      }
    }
  }
  expect(await own()).toHaveLength(2);

  // Edits of two reviews into one position, while the second goes live.
  const elsewhere = await newEmployer(server);
  const titled = (position_title: string) => reviewOf(elsewhere, { position_title });
  const [one, two] = [await schedule(titled('One')), await schedule(titled('Two'))];
  await Promise.all([
    call('PATCH', `/reviews/${one.id}/`, titled('Same')),
    call('PATCH', `/reviews/${two.id}/`, titled('Same')),
    call('POST', `/reviews/${two.id}/publish/`),
  ]);
  const titles = (await own()).map(({ position_title }) => position_title);
  expect(titles.filter((title) => title === 'Same')).toHaveLength(1);
});

test('several servers publish each review once', async () => {
  const { server, asAnyone, schedule, employer } = await site();
  await using elsewhere = await buildTestApp({ beside: server });
  const minutes: number[] = [];
  for (let at = 0; at < 12; at += 1) {
    const review = await schedule(
      at % 2 ? custom('Far Clinic') : reviewOf(employer),
      await signedInDoctor(server),
    );
    minutes.push(Date.parse(review.created_at));
  }
  for (const { time } of [server, elsewhere]) time.now = new Date(Math.max(...minutes));
  for (const { deps } of [server, elsewhere, server, elsewhere]) {
    await deps.jobs.enqueue(deps.db, 'reviews-due', {});
  }
  await Promise.all([server.jobs.idle(), elsewhere.jobs.idle()]);
  await expect.poll(async () => (await asAnyone('/reviews/')).json().count).toBe(12);
  const { rows } = await server.deps.database.pool.query(
    'select count(distinct xmin::text)::int as transactions, count(distinct created_at)::int as minutes from reviews',
  );
  // Each in its own transaction, with its own minute, however late.
  expect(rows).toEqual([{ transactions: 12, minutes: new Set(minutes).size }]);
  expect((await asAnyone('/employers/?search=far+clinic')).json().count).toBe(1);
});

test('holds a review for its author if it would be a second one', async () => {
  const { server, asAnyone, call, own, publishAt, schedule, written, employer } = await site();
  const { deps } = server;
  const first = await written<Review>(reviewOf(employer));
  const review = await schedule(custom('Renamed Clinic', { review_text: 'Typed with care.' }));
  const other = await schedule(reviewOf(employer, { position_title: 'Other' }));
  // The employer of the first review gets the name of the new one.
  const admin = await signedInAdmin(server);
  await call('PATCH', `/admin/employers/${employer}/`, { name: 'Renamed Clinic' }, admin);

  const now = await call('POST', `/reviews/${review.id}/publish/`);
  expect(now.json()).toMatchObject({ code: 'duplicate_review', review_id: first.id });
  const last = new Date(Math.max(...[review, other].map((one) => Date.parse(one.created_at))));
  await publishAt(last);
  await publishAt(new Date(last.getTime() + 60_000));
  expect((await asAnyone(`/reviews/${other.id}/`)).statusCode).toBe(200);
  expect((await asAnyone(`/reviews/${review.id}/`)).statusCode).toBe(404);
  expect(await own()).toMatchObject([
    { id: review.id, status: 'held', review_text: 'Typed with care.' },
    { id: other.id },
    { id: first.id },
  ]);

  const change = custom('Renamed Clinic', { position_title: 'Third' });
  const edited = (await call('PATCH', `/reviews/${review.id}/`, change)).json<OwnReview>();
  expect(edited.status).toBe('scheduled');
  expect(Date.parse(edited.created_at)).toBeGreaterThan(server.time.now.getTime());
  await publishAt(edited.created_at);
  expect((await asAnyone(`/reviews/${review.id}/`)).json()).toMatchObject({
    position_title: 'Third',
    employer: { id: employer },
  });
  const { rows } = await deps.database.pool.query('select * from scheduled_reviews');
  expect(rows).toEqual([]);
});

test('a review that cannot be stored does not delay the others', async () => {
  const { server, own, publishAt, schedule } = await site();
  const { pool } = server.deps.database;
  const reviews = [];
  for (let at = 0; at < 4; at += 1)
    reviews.push(await schedule(reviewOf(await newEmployer(server))));
  const [broken] = reviews.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  await pool.query(`alter table reviews add constraint broken check (id <> '${broken?.id}')`);
  const last = Math.max(...reviews.map(({ created_at }) => Date.parse(created_at)));
  await publishAt(new Date(last));
  const waiting = async () => (await own()).filter(({ status }) => status !== 'published');
  expect((await waiting()).map(({ id }) => id)).toEqual([broken?.id]);
  await pool.query('alter table reviews drop constraint broken');
  await publishAt(new Date(last + 60_000));
  expect(await waiting()).toEqual([]);
});

test('screens the text again when it goes live, because the rules may be stricter by then', async () => {
  const { server, asAnyone, call, own, publishAt, schedule, employer } = await site();
  const review = await schedule(reviewOf(employer));
  const { db } = server.deps;
  await db.updateTable('scheduled_reviews').set({ cons: 'Call 212-555-0187' }).execute();
  const refused = await call('POST', `/reviews/${review.id}/publish/`);
  expect([refused.statusCode, refused.json().code]).toEqual([400, 'identifying_text']);
  await publishAt(review.created_at);
  expect(await own()).toMatchObject([{ status: 'held', cons: 'Call 212-555-0187' }]);
  expect((await asAnyone('/reviews/')).json().count).toBe(0);

  const edited = await call('PATCH', `/reviews/${review.id}/`, reviewOf(employer));
  await publishAt(edited.json().created_at);
  expect(await own()).toMatchObject([{ status: 'published' }]);
});
