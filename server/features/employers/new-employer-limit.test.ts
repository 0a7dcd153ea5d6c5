import { employerEndpoints } from '#contract/endpoints/employers.ts';
import { reviewEndpoints } from '#contract/endpoints/reviews.ts';
import type { ReviewRequest } from '#contract/reviews/reviews.ts';
import { toMinute } from '#server/anonymity/coarse-time.ts';
import { reviewOf } from '#server/testing/factories.ts';
import { expect, testWith } from '#server/testing/site.ts';

const { add, list } = employerEndpoints;
const test = testWith({ config: { rateLimitFactor: 1 } }).extend('poster', async ({ site }) =>
  site.as(await site.doctor()),
);

const DETAIL = /^You can add up to 5 new employers a day\. /;
/** A review that names its employer. */
const naming = (employer: string, position_title: string, publish?: ReviewRequest['publish']) =>
  reviewOf(0, { employer, is_custom_employer: 'true', position_title, publish });

test('an account can add five employers a day, even at the same time', async ({ poster }) => {
  const { count } = (await poster.get(list)).body;
  const replies = await Promise.all(
    Array.from({ length: 20 }, (_, at) => poster.post(add, { name: `Clinic number ${at}` })),
  );
  const statuses = replies.map(({ status }) => status).toSorted();
  expect(statuses).toEqual([...Array(5).fill(200), ...Array(15).fill(429)]);
  expect((await poster.get(list)).body.count).toBe(count + 5);
});

test('a sixth is rejected with the reason; known ones do not count', async ({ site, poster }) => {
  const post = (name: string, title: string) =>
    poster.post(reviewEndpoints.create, naming(name, title));
  await site.employer({ name: 'Known Hospital' });
  for (let at = 0; at < 8; at += 1) {
    expect((await poster.post(add, { name: 'known hospital' })).status).toBe(200);
  }
  for (let at = 0; at < 5; at += 1) expect((await post(`Clinic ${at}`, 'Fellow')).status).toBe(201);
  const refused = await post('Clinic 6', 'Fellow');
  expect(refused.problem).toMatchObject({ status: 429, detail: expect.stringMatching(DETAIL) });
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
  expect((await post('Clinic 1', 'Resident')).status).toBe(201);
  expect((await post('known hospital', 'Resident')).status).toBe(201);
});

test('counts a new employer once, when its review is scheduled', async ({ site, poster }) => {
  const write = (name: string, title: string, publish: 'now' | 'later') =>
    poster.post(reviewEndpoints.create, naming(name, title, publish));
  const published = async () => (await poster.get(reviewEndpoints.list)).body.count;
  const before = await published();
  const ids: string[] = [];
  for (let at = 0; at < 4; at += 1) {
    ids.push((await write(`Ward ${at}`, 'Fellow', 'later')).body.id);
  }
  const [first = '', , immediate = '', due = ''] = ids;
  // An employer named before and a rejected one do not count.
  expect((await write('WARD 0', 'Resident', 'later')).status).toBe(201);
  expect((await write('Ward-1', 'Resident', 'now')).status).toBe(201);
  expect((await write('Ward 2', 'Fellow', 'later')).status).toBe(400);
  // One goes live immediately, one at its minute, and one never.
  await poster.post(reviewEndpoints.publish, { params: { id: immediate } });
  await site.change('scheduled_reviews', { id: due }, { publish_at: toMinute(site.time.now) });
  await site.run('reviews-due');
  expect(await published()).toBe(before + 3);
  const deleted = await poster.delete(reviewEndpoints.delete, { params: { id: first } });
  expect(deleted.status).toBe(204);

  expect((await write('Ward 5', 'Fellow', 'later')).status).toBe(201);
  const { problem } = await write('Ward 6', 'Fellow', 'later');
  expect(problem).toMatchObject({ status: 429, detail: expect.stringMatching(DETAIL) });
  expect((await poster.post(add, { name: 'Ward 6' })).status).toBe(429);
  expect((await poster.get(reviewEndpoints.listOwn)).body).toHaveLength(6);
});
