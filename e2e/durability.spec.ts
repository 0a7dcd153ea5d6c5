import { expect, test } from '@playwright/test';
import type { Employer } from '#contract/employers.ts';
import type { Review } from '#contract/reviews.ts';
import { makeDataDir, startServer } from './server.ts';

const SUBMISSIONS = 200;
const AT_A_TIME = 20;
const ANSWERS_BEFORE_KILL = 60;

async function logIn(url: string): Promise<Record<string, string>> {
  const answer = await fetch(`${url}/api/auth/login/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'doctor@curbside.example', password: 'Curbside-demo-1' }),
  });
  const { access } = (await answer.json()) as { access: string };
  return { authorization: `Bearer ${access}`, 'content-type': 'application/json' };
}

const reviewOf = (employer: number, at: number) => ({
  employer: String(employer),
  overall_rating: 1 + (at % 5),
  work_life_balance_rating: 3,
  mentorship_growth_rating: 4,
  team_collaboration_rating: 5,
  compensation_benefits_rating: 1 + (at % 3),
  review_text: `Submission ${at} of a long night.`,
  position_title: `Night Physician ${at}`,
  start_year: 2020,
  end_year: null,
  is_current_employee: true,
  would_recommend: at % 2 === 0,
});

test('kill -9 during 200 submissions: each answered one is stored once, and the averages match', {
  tag: '@long',
}, async () => {
  const dataDir = await makeDataDir();
  const server = await startServer({ dataDir });
  const headers = await logIn(server.url);
  const employers = await fetch(`${server.url}/api/employers/?page_size=5`);
  const { results } = (await employers.json()) as { results: Employer[] };

  const answered: string[] = [];
  async function submit(at: number) {
    const employer = results[at % results.length];
    const body = JSON.stringify(reviewOf(employer?.id ?? 0, at));
    try {
      const answer = await fetch(`${server.url}/api/reviews/`, { method: 'POST', headers, body });
      if (answer.status !== 201) return;
      answered.push(((await answer.json()) as Review).id);
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
    const own = await fetch(`${again.url}/api/reviews/my_reviews/`, {
      headers: await logIn(again.url),
    });
    const reviews = (await own.json()) as Review[];
    const ids = reviews.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).toEqual(expect.arrayContaining(answered));
    const texts = reviews.map(({ review_text }) => review_text);
    expect(new Set(texts).size).toBe(texts.length);

    for (const { id } of results) {
      const detail = (await (await fetch(`${again.url}/api/employers/${id}/`)).json()) as Employer;
      const list = await fetch(`${again.url}/api/employers/${id}/reviews/?page_size=100`);
      const page = (await list.json()) as { count: number; results: Review[] };
      const sum = page.results.reduce((total, review) => total + review.overall_rating, 0);
      expect(detail.total_reviews).toBe(page.results.length);
      expect(page.count).toBe(page.results.length);
      expect(detail.overall_rating).toBe(Math.round((sum * 1e4) / page.results.length) / 1e4);
    }
  } finally {
    await again.stop();
  }
});
