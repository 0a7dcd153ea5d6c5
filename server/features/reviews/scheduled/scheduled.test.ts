import { expect } from 'vitest';
import { accountEndpoints } from '#contract/endpoints/account.ts';
import { employerEndpoints } from '#contract/endpoints/employers.ts';
import { castVoteEndpoints, feedbackEndpoints } from '#contract/endpoints/feedback.ts';
import { moderationEndpoints } from '#contract/endpoints/moderation.ts';
import { positionTitleEndpoints, reviewEndpoints } from '#contract/endpoints/reviews.ts';
import { DAY_MS, PUBLISH_LATER_DAYS } from '#contract/limits.ts';
import { CUSTOM_EMPLOYER_ID } from '#contract/review-choices.ts';
import { type OwnReview, REVIEW_CHECKS, type ReviewRequest } from '#contract/reviews/reviews.ts';
import { rewriteTables } from '#server/db/testing/rewrite.ts';
import { buildTestApp, type TestApp } from '#server/testing/app.ts';
import { reviewOf } from '#server/testing/factories.ts';
import { invalid, type Site, test as siteTest } from '#server/testing/site.ts';
import { randomMinute } from './scheduled-reviews.ts';

const { create, edit, publish, listOwn, list, read, delete: withdraw } = reviewEndpoints;
const at = (id: string | number) => ({ params: { id } });

const test = siteTest
  .extend('me', ({ site }) => newAuthor(site))
  .extend('stranger', ({ site }) => newAuthor(site))
  .extend('employer', ({ site }) => site.employer());

async function newAuthor(site: Site) {
  const account = await site.doctor();
  const client = site.as(account);
  return {
    ...account,
    ...client,
    own: async () => (await client.get(listOwn)).body,
    schedule: async (review: ReviewRequest) =>
      (await client.post(create, { ...review, publish: 'later' })).body as OwnReview,
  };
}

/** Runs the job at this time, here or on another server. */
async function publishAt(now: Date | string, site: Site, ...others: TestApp[]) {
  const clocks = [site, ...others].map(({ time }) => time);
  const before = site.time.now;
  for (const clock of clocks) clock.now = new Date(now);
  await site.run('reviews-due');
  // Sessions are still valid.
  for (const clock of clocks) clock.now = before;
}

/** A name that no other test has. */
const newName = () => `Clinic ${crypto.randomUUID().slice(0, 8)}`;

const custom = (employer: string, fields: Partial<ReviewRequest> = {}) =>
  reviewOf(0, { ...fields, employer, is_custom_employer: 'true' });

/** Which of these reviews are stored as scheduled or held. */
const waiting = ({ deps }: Site, ids: string[]) =>
  deps.db.selectFrom('scheduled_reviews').select('id').where('id', 'in', ids).execute();

test('picks any minute of the next 72 hours', () => {
  const now = new Date('2031-05-06T07:08:09.123Z');
  const minutes = Array.from(
    { length: 20_000 },
    () => (randomMinute(now).getTime() - Date.parse('2031-05-06T07:08:00Z')) / 60_000,
  );
  expect(minutes.every(Number.isInteger)).toBe(true);
  const all = PUBLISH_LATER_DAYS * 24 * 60;
  expect(Math.min(...minutes)).toBeGreaterThanOrEqual(1);
  expect(Math.max(...minutes)).toBeLessThanOrEqual(all);
  // Uniform: each of 72 hours has about 278 of 20,000. One in 10^11 runs has an hour that is more
  // than eight standard deviations off.
  for (let hour = 0; hour < 72; hour += 1) {
    const count = minutes.filter((m) => Math.ceil(m / 60) === hour + 1).length;
    expect(Math.abs(count - 20_000 / 72)).toBeLessThan(8 * Math.sqrt(20_000 / 72));
  }
});

test('only its author sees it until its minute', async ({ site, employer, me, stranger }) => {
  const anyone = site.visitor();
  const start = site.time.now.getTime();
  // What earlier tests have scheduled, and what their deleted accounts leave behind.
  await publishAt(new Date(start + 2 * PUBLISH_LATER_DAYS * DAY_MS), site);
  await site.deps.db.deleteFrom('departing_reviews').execute();
  const told = async () => {
    const answers = await Promise.all([
      anyone.get(list),
      anyone.get(list, { query: { search: 'nights' } }),
      anyone.get(reviewEndpoints.filterOptions),
      anyone.get(employerEndpoints.list),
      anyone.get(employerEndpoints.filterOptions),
      anyone.get(employerEndpoints.read, at(employer)),
      anyone.get(employerEndpoints.reviews, at(employer)),
      anyone.get(employerEndpoints.insights, at(employer)),
      anyone.get(positionTitleEndpoints.list, { query: { search: 'hospitalist' } }),
    ]);
    return answers.map(({ body }) => body);
  };
  const before = await told();
  const { count } = (await anyone.get(list)).body;

  const review = await me.schedule(reviewOf(employer));
  expect(review).toMatchObject({ status: 'scheduled', removed_reason: null, helpful_count: 0 });
  const minute = Date.parse(review.created_at);
  expect(minute).toBeGreaterThan(start);
  expect(minute).toBeLessThanOrEqual(start + PUBLISH_LATER_DAYS * DAY_MS);
  expect(await me.own()).toEqual([review]);
  expect((await me.get(accountEndpoints.export)).body.reviews).toEqual([review]);

  const admin = site.as(await site.admin());
  const hidden = async () => {
    expect(await told()).toEqual(before);
    const refused = [
      await anyone.get(read, at(review.id)),
      await me.get(read, at(review.id)),
      await stranger.post(castVoteEndpoints.helpful, at(review.id)),
      await stranger.post(castVoteEndpoints.not_helpful, at(review.id)),
      await stranger.post(feedbackEndpoints.report, { reason: 'other' }, at(review.id)),
      await admin.post(moderationEndpoints.remove, { reason: 'No' }, at(review.id)),
    ];
    expect(refused.map(({ status }) => status)).toEqual(refused.map(() => 404));
    const votes = await me.get(feedbackEndpoints.ownVotes, { query: { ids: review.id } });
    expect(votes.body.own).toEqual([]);
    expect(await stranger.own()).toEqual([]);
  };
  await hidden();
  await publishAt(new Date(minute - 1), site);
  await hidden();

  await publishAt(new Date(minute), site);
  const { status: _, removed_reason: __, ...published } = review;
  expect((await anyone.get(list)).body.count).toBe(count + 1);
  const listed = await anyone.get(employerEndpoints.reviews, at(employer));
  expect(listed.body).toMatchObject({ count: 1, results: [published] });
  // Its earlier response is not cached.
  expect((await anyone.get(read, at(review.id))).body).toEqual(published);
  const { body } = await anyone.get(employerEndpoints.read, at(employer));
  expect(body).toMatchObject({ total_reviews: 1 });
  expect(await me.own()).toEqual([{ ...review, status: 'published' }]);
  expect(await waiting(site, [review.id])).toEqual([]);
});

test('once published, nothing shows that it was scheduled', async ({ site, employer, me }) => {
  const { pool } = site.deps.database.background;
  const [early, due] = [
    await me.schedule(reviewOf(employer, { position_title: 'Early' })),
    await me.schedule(reviewOf(employer, { position_title: 'Due' })),
  ];
  // Their authors' rows get the transaction of the rewrite.
  await rewriteTables(pool);
  expect((await me.post(publish, at(early.id))).status).toBe(200);
  await publishAt(due.created_at, site);
  const { rows } = await pool.query(
    `select review_authors.xmin = reviews.xmin as is_new,
       exists (select from scheduled_reviews where id = reviews.id) as waits
     from reviews join review_authors on review_id = id where id = any ($1)`,
    [[early.id, due.id]],
  );
  expect(rows).toEqual(Array(2).fill({ is_new: true, waits: false }));
});

test('other servers notice that it was published', async ({ site, employer, me }) => {
  await using elsewhere = await buildTestApp({ beside: site });
  const url = `/api/employers/${employer}/reviews/`;
  const countElsewhere = async () => (await elsewhere.app.inject(url)).json().count;
  expect(await countElsewhere()).toBe(0);
  expect((await site.visitor().get(employerEndpoints.reviews, at(employer))).body.count).toBe(0);
  const review = await me.schedule(reviewOf(employer));
  await publishAt(review.created_at, site, elsewhere);
  await expect.poll(countElsewhere).toBe(1);
});

test('is checked like a review that goes live immediately', async ({ site, employer, me }) => {
  const review = { ...reviewOf(employer), publish: 'later' } as const;
  const refused = async (fields: object) =>
    (await me.post(create, invalid({ ...review, ...fields }))).problem;
  expect((await refused({ overall_rating: 0 })).detail).toBe(REVIEW_CHECKS.overall_rating);
  expect((await refused({ employer: '999999' })).detail).toBe(REVIEW_CHECKS.employer);
  expect((await refused({ start_year: 1900 })).detail).toBe(REVIEW_CHECKS.start_year);
  expect((await refused({ pros: 'Call 212-555-0187' })).code).toBe('identifying_text');
  expect((await refused({ publish_at: '2030-01-01T00:00:00Z' })).detail).toBe('Unknown field');
  expect((await refused({ publish: 'tomorrow' })).errors).toEqual({
    publish: ["Publish must be 'now' or 'later'"],
  });
  expect((await site.visitor().post(create, review)).status).toBe(401);
  for (const profile of [{}, { verified: true }]) {
    expect((await site.as(await site.doctor(profile)).post(create, review)).status).toBe(403);
  }
  expect((await me.post(create, { ...review, publish: 'now' })).body).not.toHaveProperty('status');
});

test('only its author can edit, publish, withdraw it', async ({ site, employer, me, stranger }) => {
  const review = await me.schedule(reviewOf(employer));
  const url = at(review.id);
  const change = reviewOf(employer, { review_text: 'Better put.', start_year: 2020 });
  const { publish: _, ...changed } = change;
  for (const [other, status] of [
    [site.visitor(), 401],
    [stranger, 404],
  ] as const) {
    expect((await other.patch(edit, changed, url)).status).toBe(status);
    expect((await other.post(publish, url)).status).toBe(status);
    expect((await other.delete(withdraw, url)).status).toBe(status);
  }
  expect((await me.patch(edit, changed, url)).body).toEqual({
    ...review,
    ...changed,
    employer: review.employer,
    employment_duration: expect.any(String),
    immigration_support_rating: null,
    is_custom_employer: undefined,
  });
  const { problem } = await me.patch(edit, { ...changed, start_year: 1950 }, url);
  expect(problem.detail).toBe(REVIEW_CHECKS.start_year);
  expect(await me.own()).toMatchObject([
    { review_text: 'Better put.', created_at: review.created_at },
  ]);

  const permit = (set: object) => site.change('doctors', { user_id: me.userId }, set);
  await permit({ can_post_reviews: false });
  expect((await me.post(publish, url)).status).toBe(403);
  expect((await me.patch(edit, changed, url)).status).toBe(200);
  await permit({ verified: false });
  expect((await me.patch(edit, changed, url)).status).toBe(403);
  await permit({ verified: true, can_post_reviews: true });

  site.pass(5 * 60_000);
  const { body: published } = await me.post(publish, url);
  const minute = `${site.time.now.toISOString().slice(0, 16)}:00.000Z`;
  expect(published).toMatchObject({ status: 'published', created_at: minute });
  expect((await site.visitor().get(read, url)).body).toMatchObject({ review_text: 'Better put.' });
  expect(await me.own()).toEqual([published]);
  // Sent again after a lost response.
  expect((await me.post(publish, url)).body).toEqual(published);

  const other = at((await me.schedule(reviewOf(employer, { position_title: 'Other' }))).id);
  await permit({ verified: false });
  expect((await me.delete(withdraw, other)).status).toBe(204);
  expect((await me.delete(withdraw, other)).status).toBe(404);
  await permit({ verified: true });
  expect((await me.own()).map(({ id }) => id)).toEqual([review.id]);
});

test('a new employer is created when its review goes live', async ({ site, me, stranger }) => {
  const name = newName();
  const named = async () => {
    const { body } = await site.visitor().get(employerEndpoints.list, { query: { search: name } });
    return body.results.filter((one) => one.name.toLowerCase().includes(name.toLowerCase()));
  };
  const review = await me.schedule(custom(name));
  expect(review.employer).toEqual({ id: CUSTOM_EMPLOYER_ID, name, city: null, state: null });
  const other = await me.schedule(custom(`Second ${name}`));
  const edited = await me.patch(edit, custom('Ignored', { cons: 'Stairs' }), at(review.id));
  expect(edited.body).toMatchObject({ employer: review.employer, cons: 'Stairs' });
  expect(await named()).toEqual([]);

  // Somebody else adds it first.
  const { body: first } = await stranger.post(create, custom(name.toUpperCase()));
  await publishAt(review.created_at, site);
  const published = await site.visitor().get(read, at(review.id));
  expect(published.body.employer).toMatchObject({ id: first.employer.id });

  const { body: now } = await me.post(publish, at(other.id));
  expect(now.employer.name).toBe(`Second ${name}`);
  expect(await named()).toHaveLength(2);
  const made = await site.visitor().get(employerEndpoints.read, at(now.employer.id));
  expect(made.body).toMatchObject({ total_reviews: 1, user_submitted: true });
});

test('stays with its employer through a merge', async ({ site, employer, me }) => {
  const into = await site.employer();
  const review = await me.schedule(reviewOf(employer));
  await site.as(await site.admin()).post(employerEndpoints.merge, { into }, at(employer));
  expect((await me.own())[0]?.employer.id).toBe(into);
  const again = async () => (await me.post(create, reviewOf(employer))).problem;
  expect(await again()).toMatchObject({ review_id: review.id });
  await publishAt(review.created_at, site);
  expect((await site.visitor().get(read, at(review.id))).body.employer.id).toBe(into);
  expect(await again()).toMatchObject({ review_id: review.id });
});

test('allows one per job, published or scheduled', async ({ site, employer, me, stranger }) => {
  const name = newName();
  const refusal = async (review: ReviewRequest) => (await me.post(create, review)).problem;
  const refusalOfEdit = async (id: string, review: ReviewRequest) =>
    (await me.patch(edit, review, at(id))).problem;
  const later = { ...reviewOf(employer), publish: 'later' } as const;
  const first = await me.schedule(reviewOf(employer));
  const isFirst = { code: 'duplicate_review', review_id: first.id };
  expect(await refusal(later)).toMatchObject({ ...isFirst, identical: true });
  expect(await refusal({ ...later, cons: 'New' })).toMatchObject({ ...isFirst, identical: false });
  // The same text, but with a different publication time.
  const hospitalist = reviewOf(employer, { position_title: 'HOSPITALIST' });
  expect(await refusal(hospitalist)).toMatchObject({ ...isFirst, identical: false });
  await stranger.schedule(reviewOf(employer));

  const { id } = await site.review({ by: me, at: employer, position_title: 'Chief' });
  const chief = reviewOf(employer, { position_title: 'chief' });
  const isChief = { code: 'duplicate_review', review_id: id, identical: false };
  expect(await refusal({ ...chief, publish: 'later' })).toMatchObject(isChief);
  expect(await refusalOfEdit(first.id, chief)).toMatchObject(isChief);
  expect(await refusalOfEdit(id, reviewOf(employer))).toMatchObject(isFirst);
  const second = await me.schedule(reviewOf(employer, { position_title: 'Second' }));
  expect(await refusalOfEdit(second.id, reviewOf(employer))).toMatchObject(isFirst);

  // By name: an employer that does not exist yet, and one that was added since.
  const named = await me.schedule(custom(name));
  const isNamed = { code: 'duplicate_review', review_id: named.id };
  const sameName = custom(name.toUpperCase().replace(' ', '-'));
  expect(await refusal({ ...sameName, publish: 'later' })).toMatchObject(isNamed);
  expect(await refusal(sameName)).toMatchObject(isNamed);
  const added = reviewOf(await site.employer({ name }));
  expect(await refusal(added)).toMatchObject(isNamed);
  expect(await refusal({ ...added, publish: 'later' })).toMatchObject(isNamed);
});

test('of simultaneous reviews, now or later, one is created', async ({ site, employer, me }) => {
  const sent = [
    { review: reviewOf(employer), order: ['later', 'now', 'later', 'now', 'later'] },
    { review: custom(newName()), order: ['later', 'now', 'later', 'now', 'later'] },
    { review: custom(newName()), order: ['now', 'later', 'now', 'later', 'now'] },
  ] as const;
  for (const { review, order } of sent) {
    const replies = await Promise.all(
      order.map((publish) => me.post(create, { ...review, publish })),
    );
    expect(replies.map(({ status }) => status).sort()).toEqual([201, 400, 400, 400, 400]);
    const id = replies.find(({ status }) => status === 201)?.body.id;
    for (const { problem } of replies.filter(({ status }) => status === 400)) {
      expect(problem).toMatchObject({ code: 'duplicate_review', review_id: id });
    }
  }
  expect(await me.own()).toHaveLength(sent.length);

  // Edits of two reviews into one position, while the second goes live.
  const elsewhere = await site.employer();
  const titled = (position_title: string) => reviewOf(elsewhere, { position_title });
  const [one, two] = [await me.schedule(titled('One')), await me.schedule(titled('Two'))];
  await Promise.all([
    me.patch(edit, titled('Same'), at(one.id)),
    me.patch(edit, titled('Same'), at(two.id)),
    me.post(publish, at(two.id)),
  ]);
  const titles = (await me.own()).map(({ position_title }) => position_title);
  expect(titles.filter((title) => title === 'Same')).toHaveLength(1);
});

test('several servers publish each review once', async ({ site, employer }) => {
  const name = newName();
  await using elsewhere = await buildTestApp({ beside: site });
  const reviews: OwnReview[] = [];
  for (let number = 0; number < 12; number += 1) {
    const review = number % 2 ? custom(name) : reviewOf(employer);
    reviews.push(await (await newAuthor(site)).schedule(review));
  }
  const minutes = reviews.map(({ created_at }) => Date.parse(created_at));
  for (const { time } of [site, elsewhere]) time.now = new Date(Math.max(...minutes));
  for (const { deps } of [site, elsewhere, site, elsewhere]) {
    await deps.jobs.enqueue(deps.db, 'reviews-due', {});
  }
  await Promise.all([site.jobs.idle(), elsewhere.jobs.idle()]);
  const published = () =>
    Promise.all(reviews.map(async ({ id }) => (await site.visitor().get(read, at(id))).status));
  await expect.poll(published).toEqual(reviews.map(() => 200));
  const { rows } = await site.deps.database.pool.query(
    `select count(distinct xmin::text)::int as transactions,
       count(distinct created_at)::int as minutes from reviews where id = any($1)`,
    [reviews.map(({ id }) => id)],
  );
  // Each in its own transaction, with its own minute, however late.
  expect(rows).toEqual([{ transactions: 12, minutes: new Set(minutes).size }]);
  const { body } = await site.visitor().get(employerEndpoints.list, { query: { search: name } });
  expect(body.count).toBe(1);
});

test("holds a review that would be its author's second", async ({ site, employer, me }) => {
  const name = newName();
  const first = await site.review({ by: me, at: employer });
  const review = await me.schedule(custom(name, { review_text: 'Typed with care.' }));
  const other = await me.schedule(reviewOf(employer, { position_title: 'Other' }));
  // The employer of the first review gets the name of the new one.
  await site.as(await site.admin()).patch(employerEndpoints.curate, { name }, at(employer));

  const { problem } = await me.post(publish, at(review.id));
  expect(problem).toMatchObject({ code: 'duplicate_review', review_id: first.id });
  const last = new Date(Math.max(...[review, other].map((one) => Date.parse(one.created_at))));
  await publishAt(last, site);
  await publishAt(new Date(last.getTime() + 60_000), site);
  expect((await site.visitor().get(read, at(other.id))).status).toBe(200);
  expect((await site.visitor().get(read, at(review.id))).status).toBe(404);
  expect(await me.own()).toMatchObject([
    { id: review.id, status: 'held', review_text: 'Typed with care.' },
    { id: other.id },
    { id: first.id },
  ]);

  const third = custom(name, { position_title: 'Third' });
  const { body: edited } = await me.patch(edit, third, at(review.id));
  expect(edited).toHaveProperty('status', 'scheduled');
  expect(Date.parse(edited.created_at)).toBeGreaterThan(site.time.now.getTime());
  await publishAt(edited.created_at, site);
  expect((await site.visitor().get(read, at(review.id))).body).toMatchObject({
    position_title: 'Third',
    employer: { id: employer },
  });
  expect(await waiting(site, [review.id, other.id])).toEqual([]);
});

test('a review that cannot be stored does not delay the others', async ({ site, me }) => {
  const { pool } = site.deps.database;
  const reviews: OwnReview[] = [];
  for (let number = 0; number < 4; number += 1) {
    reviews.push(await me.schedule(reviewOf(await site.employer())));
  }
  const ids = reviews.map(({ id }) => id).sort();
  await pool.query(`alter table reviews add constraint broken check (id <> '${ids[0]}')`);
  const last = Math.max(...reviews.map(({ created_at }) => Date.parse(created_at)));
  await publishAt(new Date(last), site);
  await pool.query('alter table reviews drop constraint broken');
  expect(await waiting(site, ids)).toEqual([{ id: ids[0] }]);
  await publishAt(new Date(last + 60_000), site);
  expect(await waiting(site, ids)).toEqual([]);
  expect((await me.own()).map(({ status }) => status)).toEqual(reviews.map(() => 'published'));
});

test('screens the text again when it goes live, by newer rules', async ({ site, employer, me }) => {
  const review = await me.schedule(reviewOf(employer));
  await site.change('scheduled_reviews', { id: review.id }, { cons: 'Call 212-555-0187' });
  const { problem } = await me.post(publish, at(review.id));
  expect(problem).toMatchObject({ status: 400, code: 'identifying_text' });
  await publishAt(review.created_at, site);
  expect(await me.own()).toMatchObject([{ status: 'held', cons: 'Call 212-555-0187' }]);
  expect((await site.visitor().get(read, at(review.id))).status).toBe(404);

  const edited = await me.patch(edit, reviewOf(employer), at(review.id));
  await publishAt(edited.body.created_at, site);
  expect(await me.own()).toMatchObject([{ status: 'published' }]);
});
