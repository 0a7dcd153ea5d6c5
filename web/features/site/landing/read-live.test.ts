import { RouterContextProvider } from 'react-router';
import { expect, test } from 'vitest';
import type { Employer } from '#contract/employers/employers.ts';
import { apiContext } from '#web/lib/render-context.ts';
import { readLive } from './read-live.ts';

const averages = {
  overall_rating: 3.46,
  avg_work_life_balance_rating: 2,
  avg_location_rating: null,
};
const employer = (id: number, name: string) =>
  ({ id, name, city: 'boston', state: 'ma', total_reviews: 12, ...averages }) as Partial<Employer>;

function site(total_reviews: number, isBroken = false) {
  const context = new RouterContextProvider();
  context.set(apiContext, async (path) => ({
    status: isBroken ? 500 : 200,
    ok: !isBroken,
    json: async () =>
      path.startsWith('/api/reviews/')
        ? { total_reviews }
        : { count: 8012, results: [employer(1, 'ST. MARY HOSPITAL'), employer(2, 'MERCY CLINIC')] },
  }));
  return context;
}

test('two employers and the numbers of the site, as text', async () => {
  expect(await readLive(site(1204))).toMatchObject({
    numbers: '1,204 reviews, 8,012 employers',
    employers: [
      { name: 'St. Mary Hospital', about: 'Boston, MA · 12 reviews', path: '/employers/1' },
      { name: 'Mercy Clinic', path: '/employers/2' },
    ],
    rows: [
      { label: 'Overall', averages: [3.46, 3.46] },
      { label: 'Work-life balance', averages: [2, 2] },
      {},
      {},
      {},
      { label: 'Immigration support', averages: [null, null] },
    ],
    path: '/compare?ids=1,2',
  });
});

test('nothing with fewer than 20 reviews, or if the data cannot be read', async () => {
  expect(await readLive(site(19))).toBeNull();
  expect(await readLive(site(20))).not.toBeNull();
  expect(await readLive(site(500, true))).toBeNull();
});
