import { expect, test } from '@playwright/test';
import { employerEndpoints } from '#contract/endpoints/employers.ts';
import { reviewEndpoints } from '#contract/endpoints/reviews.ts';
import { call, DEMO, headersOf } from './account.ts';
import { reviewOf } from './review.ts';
import { preparedDataDir, startServer } from './server.ts';

const SUBMISSIONS = 200;
const AT_A_TIME = 20;
const ANSWERS_BEFORE_KILL = 60;

test('kill -9 during 200 submissions: each answered one is stored once, and the averages match', async () => {
  const dataDir = await preparedDataDir();
  const server = await startServer({ dataDir });
  const as = await headersOf(server, DEMO.doctor);
  const { results } = await call(server, employerEndpoints.list, { query: { page_size: 5 } });

  const answered: string[] = [];
  async function submit(at: number) {
    const employer = results[at % results.length];
    if (!employer) throw new Error('no employers');
    const body = reviewOf(employer, {
      overall_rating: 1 + (at % 5),
      review_text: `Submission ${at} of a long night.`,
    });
    try {
      answered.push((await call(server, reviewEndpoints.create, { as, body })).id);
    } catch {
      // The server was killed before it answered. The client cannot know, and retries later.
    }
    if (answered.length === ANSWERS_BEFORE_KILL) server.process.kill('SIGKILL');
  }
  // Not all at once, because a fast server would answer them before this process notices.
  const doctors = Array.from({ length: AT_A_TIME }, async (_, first) => {
    for (let at = first; at < SUBMISSIONS; at += AT_A_TIME) await submit(at);
  });
  await Promise.all(doctors);
  expect(answered.length).toBeGreaterThanOrEqual(ANSWERS_BEFORE_KILL);
  expect(answered.length).toBeLessThan(SUBMISSIONS);

  const again = await startServer({ dataDir });
  try {
    const reviews = await call(again, reviewEndpoints.listOwn, { as: DEMO.doctor });
    const ids = reviews.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).toEqual(expect.arrayContaining(answered));
    const texts = reviews.map(({ review_text }) => review_text);
    expect(new Set(texts).size).toBe(texts.length);

    for (const { id } of results) {
      const params = { id };
      const detail = await call(again, employerEndpoints.read, { params });
      const query = { page_size: 100 };
      const page = await call(again, employerEndpoints.reviews, { params, query });
      const sum = page.results.reduce((total, review) => total + review.overall_rating, 0);
      expect(detail.total_reviews).toBe(page.results.length);
      expect(page.count).toBe(page.results.length);
      expect(detail.overall_rating).toBe(Math.round((sum * 1e4) / page.results.length) / 1e4);
    }
  } finally {
    await again.stop();
  }
});
