import { expect, test } from 'vitest';
import { DAY_MS, DEPARTURE_DAYS } from '#contract/limits.ts';
import type { OwnReview, Review } from '#contract/reviews.ts';
import { toMinute } from '#server/anonymity/coarse-time.ts';
import { rewriteTables } from '#server/db/rewrite.ts';
import { buildTestApp, type TestApp } from '#server/testing/app.ts';
import { newEmail, newEmployer, reviewOf } from '#server/testing/factories.ts';
import {
  logIn,
  type Member,
  newMember,
  PASSWORD,
  refusalOf,
  send,
  statusOf,
} from '../testing/account-flows.ts';

/** A member who may post, and has posted twice. */
async function newAuthor(server: TestApp) {
  const member = await newMember(server);
  const profile = { verified: true, can_post_reviews: true };
  await server.deps.db
    .updateTable('doctors')
    .set(profile)
    .where('user_id', '=', member.id)
    .execute();
  const employers = [await newEmployer(server), await newEmployer(server)];
  const reviews: Review[] = [];
  for (const employer of employers) {
    const posted = await send(server, '/reviews/', reviewOf(employer), member);
    expect(posted.statusCode).toBe(201);
    reviews.push(posted.json());
  }
  return { member, reviews };
}

const ownReviews = async ({ app }: TestApp, { headers }: Pick<Member, 'headers'>) =>
  (await app.inject({ url: '/api/reviews/my_reviews/', headers })).json<Review[]>();
const publicIds = async ({ app }: TestApp) =>
  (await app.inject({ url: '/api/reviews/' }))
    .json<{ results: Review[] }>()
    .results.map(({ id }) => id)
    .toSorted();
const remove = (server: TestApp, { headers }: Member, payload: object) =>
  send(server, '/auth/delete-account/', payload, { headers });
const authorKeys = async ({ deps }: TestApp) =>
  (await deps.db.selectFrom('reviews').select('author_key').execute()).map(({ author_key }) =>
    author_key.toString('hex'),
  );

test("the download has the account, the profile, and the member's own reviews, and nobody else's", async () => {
  await using server = await buildTestApp();
  const { member } = await newAuthor(server);
  await newAuthor(server);
  const { headers } = member;
  await send(server, '/saved/', { entries: ['/employers/1'] }, member);
  const answer = await server.app.inject({ url: '/api/auth/export/', headers });
  expect(answer.statusCode).toBe(200);
  expect(answer.headers).toMatchObject({
    'content-disposition': 'attachment; filename="curbside-data.json"',
    'content-type': expect.stringContaining('application/json'),
    'cache-control': 'no-store',
  });
  const of = async (url: string) => (await server.app.inject({ url, headers })).json();
  expect(answer.json()).toEqual({
    exported_on: server.time.now.toISOString().slice(0, 10),
    user: await of('/api/auth/user/'),
    doctor: await of('/api/doctors/me/'),
    letter: null,
    representative: null,
    reviews: await ownReviews(server, member),
    saved: { entries: ['/employers/1'], weekly_mail: false },
  });
  expect(answer.json().reviews).toHaveLength(2);
});

test('a deleted account leaves nothing behind', async () => {
  await using server = await buildTestApp({
    npiRegistry: { lookUp: () => Promise.reject(new Error('down')) },
  });
  const { deps } = server;
  const { member } = await newAuthor(server);
  const { reviews: others } = await newAuthor(server);
  const elsewhere = (await logIn(server, member.email, PASSWORD)).json();
  await send(server, '/auth/password/reset/', { email: member.email });
  const email = newEmail();
  await send(server, `/users/${member.id}/`, { email }, { ...member, method: 'PATCH' });
  await send(server, '/auth/register/', { action: 'resend_otp', email: member.email });
  await server.jobs.idle();
  for (const to of [member.email.toUpperCase(), email]) {
    const mail = { to, template: 'verified', props: {} } as const;
    await deps.jobs.enqueue(deps.db, 'send-mail', mail, { startAfterSeconds: 3600 });
  }

  const answer = await remove(server, member, { password: PASSWORD, reviews: 'delete' });
  expect([answer.statusCode, answer.json()]).toEqual([
    200,
    { message: 'Your account has been deleted.' },
  ]);
  expect(await statusOf(server, member.access)).toBe(401);
  expect(await statusOf(server, elsewhere.access)).toBe(401);
  expect((await logIn(server, member.email, PASSWORD)).statusCode).toBe(401);
  expect(await publicIds(server)).toEqual(others.map(({ id }) => id).toSorted());

  // The rest belongs to the other account.
  const count = async (table: string, where = 'true') =>
    (await deps.database.pool.query(`select from ${table} where ${where}`)).rowCount;
  expect(await count('users')).toBe(1);
  expect(await count('doctors')).toBe(1);
  expect(await count('sessions')).toBe(1);
  expect(await count('password_resets')).toBe(0);
  expect(await count('email_changes')).toBe(0);
  expect(await count('one_time_codes')).toBe(0);
  expect(await count('pgboss.job', "name in ('send-mail', 'password-reset')")).toBe(0);
  expect(await count('pgboss.job', "name = 'verify-npi'")).toBe(1);
});

test('kept reviews belong to nobody, and are not linked', async () => {
  await using server = await buildTestApp();
  const { member, reviews } = await newAuthor(server);
  const before = await authorKeys(server);
  expect(new Set(before).size).toBe(1);
  await remove(server, member, { password: PASSWORD, reviews: 'keep' });

  expect(await publicIds(server)).toEqual(reviews.map(({ id }) => id).toSorted());
  const after = await authorKeys(server);
  expect(new Set([...before, ...after]).size).toBe(3);
  for (const key of after) expect(key).toHaveLength(64);

  const { email, npi } = member;
  const again = await newMember(server, { email, npi });
  await server.deps.db.updateTable('doctors').set({ verified: true }).execute();
  expect(await ownReviews(server, again)).toEqual([]);
  const url = `/api/reviews/${reviews[0]?.id}/`;
  const { headers } = again;
  const claimed = await server.app.inject({ method: 'DELETE', url, headers });
  expect(claimed.statusCode).toBe(404);
});

test.each(['delete', 'delete_gradually', 'keep'] as const)(
  'reviews posted while the account is deleted belong to nobody: %s',
  async (reviews) => {
    await using server = await buildTestApp();
    const { member } = await newAuthor(server);
    const employers = await Promise.all(Array.from({ length: 12 }, () => newEmployer(server)));
    const removal = remove(server, member, { password: PASSWORD, reviews });
    const posts = await Promise.all(
      employers.map(async (employer, at) => {
        // Spread over the time it takes to check the password and delete the account.
        for (let turn = 0; turn < at * 40; turn += 1) await new Promise(setImmediate);
        const publish = at % 2 ? 'later' : 'now';
        return send(server, '/reviews/', reviewOf(employer, { publish }), member);
      }),
    );
    expect((await removal).statusCode).toBe(200);
    for (const { statusCode } of posts) expect([201, 401]).toContain(statusCode);
    expect(await keysOf(server, member)).toEqual([]);
  },
);

test.each(['delete', 'delete_gradually', 'keep'] as const)(
  'scheduled reviews published while the account is deleted belong to nobody: %s',
  async (reviews) => {
    await using server = await buildTestApp();
    const { deps } = server;
    const { member } = await newAuthor(server);
    const scheduled: string[] = [];
    for (let at = 0; at < 12; at += 1) {
      const review = reviewOf(await newEmployer(server), { publish: 'later' });
      scheduled.push((await send(server, '/reviews/', review, member)).json().id);
    }
    // All are due, so the job runs in the middle of the deletion.
    await deps.db
      .updateTable('scheduled_reviews')
      .set({ publish_at: toMinute(new Date()) })
      .execute();
    const removal = remove(server, member, { password: PASSWORD, reviews });
    const answers = await Promise.all(
      scheduled.map(async (id, at) => {
        for (let turn = 0; turn < at * 40; turn += 1) await new Promise(setImmediate);
        if (at % 4 === 3) await deps.jobs.enqueue(deps.db, 'reviews-due', {});
        return send(server, `/reviews/${id}/publish/`, {}, member);
      }),
    );
    expect((await removal).statusCode).toBe(200);
    await server.jobs.idle();
    for (const { statusCode } of answers) expect([200, 401, 404]).toContain(statusCode);
    expect(await keysOf(server, member)).toEqual([]);
    if (reviews === 'delete') expect(await publicIds(server)).toEqual([]);
  },
);

/** The keys of all rows that still belong to a deleted member. */
async function keysOf({ deps }: TestApp, { id }: { id: string }) {
  const { rows } = await deps.database.pool.query<{ author_key: Buffer }>(
    'select author_key from reviews union all select author_key from scheduled_reviews',
  );
  const own = deps.keys.authorKeys(id).map(String);
  return rows.filter(({ author_key }) => own.includes(String(author_key)));
}

test('reviews deleted one by one belong to nobody, and no two of them disappear within an hour', async () => {
  await using server = await buildTestApp();
  const { deps } = server;
  const { member, reviews } = await newAuthor(server);
  const { reviews: others } = await newAuthor(server);
  const start = server.time.now.getTime();
  await remove(server, member, { password: PASSWORD, reviews: 'delete_gradually' });
  expect(new Set(await authorKeys(server)).size).toBe(reviews.length + 1);
  expect(await publicIds(server)).toHaveLength(reviews.length + others.length);

  const waiting = await deps.db.selectFrom('departing_reviews').selectAll().execute();
  expect(new Set(waiting.map(({ review_id }) => review_id))).toEqual(
    new Set(reviews.map(({ id }) => id)),
  );
  const minutes = waiting.map(({ leaves_at }) => leaves_at.getTime()).toSorted((a, b) => a - b);
  expect(new Set(minutes.map((time) => Math.floor(time / 3_600_000))).size).toBe(reviews.length);
  // The nightly rewrite moves them without losing any.
  await rewriteTables(deps.database.pool);

  for (const [at, minute] of minutes.entries()) {
    server.time.now = new Date(minute - 1);
    await deps.jobs.enqueue(deps.db, 'reviews-due', {});
    await server.jobs.idle();
    expect(await publicIds(server)).toHaveLength(reviews.length + others.length - at);
    server.time.now = new Date(minute);
    await deps.jobs.enqueue(deps.db, 'reviews-due', {});
    await server.jobs.idle();
    expect(await publicIds(server)).toHaveLength(reviews.length + others.length - at - 1);
  }
  expect(await publicIds(server)).toEqual(others.map(({ id }) => id).toSorted());
  expect(minutes.at(-1)).toBeLessThanOrEqual(start + DEPARTURE_DAYS * DAY_MS);
  expect(await deps.db.selectFrom('departing_reviews').selectAll().execute()).toEqual([]);
});

test('deletions delayed by an outage do not happen together', async () => {
  await using server = await buildTestApp();
  const { deps } = server;
  const { member, reviews } = await newAuthor(server);
  await remove(server, member, { password: PASSWORD, reviews: 'delete_gradually' });
  server.time.now = new Date(server.time.now.getTime() + (DEPARTURE_DAYS + 1) * DAY_MS);
  for (let left = reviews.length; left > 0; left -= 1) {
    expect(await publicIds(server)).toHaveLength(left);
    await deps.jobs.enqueue(deps.db, 'reviews-due', {});
    await server.jobs.idle();
  }
  expect(await publicIds(server)).toEqual([]);
});

test('scheduled reviews are in the download, and go live only if reviews are kept', async () => {
  await using server = await buildTestApp();
  const { deps } = server;
  const waiting = () => deps.db.selectFrom('scheduled_reviews').selectAll().execute();
  const start = server.time.now;
  for (const reviews of ['delete', 'delete_gradually', 'keep'] as const) {
    const { member, reviews: published } = await newAuthor(server);
    const scheduled: OwnReview[] = [];
    for (const employer of [await newEmployer(server), await newEmployer(server)]) {
      const later = { ...reviewOf(employer), publish: 'later' };
      scheduled.push((await send(server, '/reviews/', later, member)).json());
    }
    const { headers } = member;
    const exported = await server.app.inject({ url: '/api/auth/export/', headers });
    expect(exported.json().reviews).toHaveLength(4);
    expect(exported.json().reviews).toEqual(expect.arrayContaining(scheduled));
    const keys = (await waiting()).map(({ author_key }) => author_key.toString('hex'));

    await remove(server, member, { password: PASSWORD, reviews });
    const left = await waiting();
    if (reviews !== 'keep') {
      expect(left).toEqual([]);
      continue;
    }
    const after = left.map(({ author_key }) => author_key.toString('hex'));
    expect(new Set([...keys, ...after]).size).toBe(3);
    server.time.now = new Date(Math.max(...left.map(({ publish_at }) => publish_at.getTime())));
    await deps.jobs.enqueue(deps.db, 'reviews-due', {});
    await server.jobs.idle();
    server.time.now = start;
    const ids = await publicIds(server);
    for (const { id } of [...scheduled, ...published]) expect(ids).toContain(id);
  }
});

test('a held review is deleted with its author, because nobody else could change it', async () => {
  await using server = await buildTestApp();
  const { deps } = server;
  const { member } = await newAuthor(server);
  const later = { ...reviewOf(await newEmployer(server)), publish: 'later' };
  await send(server, '/reviews/', later, member);
  await deps.db.updateTable('scheduled_reviews').set({ held: true }).execute();
  await remove(server, member, { password: PASSWORD, reviews: 'keep' });
  expect(await deps.db.selectFrom('scheduled_reviews').selectAll().execute()).toEqual([]);
});

test('deleting an account requires the password', async () => {
  await using server = await buildTestApp();
  const member = await newMember(server);
  for (const [payload, field, message] of [
    [{ password: 'Wrong-1', reviews: 'keep' }, 'password', 'Incorrect password.'],
    [{ reviews: 'keep' }, 'password', 'Password is required'],
    [{ password: PASSWORD }, 'reviews', "Reviews must be 'delete', 'delete_gradually' or 'keep'"],
    [
      { password: PASSWORD, reviews: 'sell' },
      'reviews',
      "Reviews must be 'delete', 'delete_gradually' or 'keep'",
    ],
  ] as const) {
    expect(refusalOf(await remove(server, member, payload))).toEqual({
      status: 400,
      code: 'validation_error',
      detail: message,
      errors: { [field]: [message] },
    });
  }
  expect(await statusOf(server, member.access)).toBe(200);
});

test('two simultaneous deletions delete the account once', async () => {
  await using server = await buildTestApp();
  const member = await newMember(server);
  const payload = { password: PASSWORD, reviews: 'delete' };
  const answers = await Promise.all([
    remove(server, member, payload),
    remove(server, member, payload),
  ]);
  for (const { statusCode } of answers) expect(statusCode).toBeLessThan(500);
  expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1);
});
