import type { Page } from '@playwright/test';
import { moderationEndpoints } from '#contract/endpoints/moderation.ts';
import { caseEndpoints } from '#contract/endpoints/office.ts';
import { QUEUE_INTERVAL_MS } from '#contract/limits.ts';
import { paths } from '#web/lib/paths.ts';
import { call, DEMO, DESKTOP, PHONE, signIn, sure } from './account.ts';
import { expect, testApart } from './fixtures.ts';
import { press } from './forms.ts';
import * as stock from './office-stock.ts';
import { atSizes } from './widths.ts';

const test = testApart();

test.describe.configure({ mode: 'default' });

/** As if the reader had switched to another tab, or back. */
const turn = (page: Page, state: 'hidden' | 'visible') =>
  page.evaluate((visibilityState) => {
    Object.defineProperty(document, 'visibilityState', {
      value: visibilityState,
      configurable: true,
    });
    document.dispatchEvent(new Event('visibilitychange'));
  }, state);

/** The places of all rows on a phone and a desktop, from the top of the page. */
async function places(page: Page): Promise<number[][]> {
  const all: number[][] = [];
  const rows = page.getByRole('region', { name: 'Queue' }).locator('ol > li');
  const tops = (each: Element[]) => each.map((row) => row.getBoundingClientRect().top + scrollY);
  await atSizes(page, [PHONE, DESKTOP], async () => void all.push(await rows.evaluateAll(tops)));
  return all;
}

test('the queue renews, and no row moves', async ({ page, server }) => {
  const other = await stock.newStaff(server, ['moderator']);
  await stock.reportedReview(server, { position_title: 'Claimed one' });
  const decided = await stock.reportedReview(server, { position_title: 'Decided one' });
  await signIn(page, server, DEMO.admin);
  await page.clock.install();
  const asked: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes(caseEndpoints.changes.path)) asked.push(request.url());
  });
  // Of one kind: the decision below may be drawn for a second look.
  await page.goto(paths.office({ kind: 'report' }));
  const row = (title: string) => page.getByRole('listitem').filter({ hasText: title });
  await expect(row('Decided one')).toBeVisible();
  const before = await places(page);
  const status = page.getByRole('region', { name: 'Queue' }).getByRole('status').first();
  await expect(status).toBeEmpty();

  // Somebody else claims one, decides another, and a third comes in.
  const cases = await stock.openCases(server, other, 'report');
  const claimed = sure(cases.find(({ title }) => title === 'Claimed One'));
  await call(server, caseEndpoints.claim, { as: other, params: { id: claimed.id } });
  const params = { id: decided.id };
  await call(server, moderationEndpoints.keep, { as: other, body: {}, params });
  await stock.reportedReview(server, { position_title: 'Added one' });
  expect(asked).toEqual([]);
  await page.clock.fastForward(QUEUE_INTERVAL_MS);
  await expect(status).toHaveText('1 new case, 1 no longer open');
  await expect(row('Claimed one')).toContainText('Claimed by Bea Example until');
  await expect(row('Decided one')).toContainText('No longer open');
  await expect(row('Added one')).toHaveCount(0);
  expect(await places(page)).toEqual(before);
  expect(asked).toHaveLength(1);
  await expect(page).toBeAccessible('light', 'dark');

  // Nobody reads a hidden tab.
  await turn(page, 'hidden');
  await page.clock.fastForward(30 * QUEUE_INTERVAL_MS);
  expect(asked).toHaveLength(1);
  await turn(page, 'visible');
  await expect.poll(() => asked.length).toBe(2);

  await press(page, 'Update the list');
  await expect(row('Added one')).toBeVisible();
  await expect(row('Decided one')).toHaveCount(0);
  await expect(status).toBeEmpty();
  await expect(page.getByRole('main')).toBeFocused();
});

test("leaving ends a queue's asking; an expired code disturbs nobody", async ({ page, server }) => {
  await stock.reportedReview(server, { position_title: 'Left alone' });
  await signIn(page, server, DEMO.admin);
  await page.clock.install();
  const changes = `**/api${caseEndpoints.changes.path}*`;
  let asked = 0;
  await page.route(changes, async (route) => {
    asked += 1;
    const body = { code: 'factor_required', status: 403, detail: 'Enter the code.' };
    await route.fulfill({ status: 403, contentType: 'application/problem+json', json: body });
  });
  await page.goto(paths.office({ kind: 'report' }));
  await expect(page.getByRole('link', { name: 'Left Alone' })).toBeVisible();
  // The list may be visible a moment before it watches the clock.
  await expect
    .poll(async () => {
      await page.clock.fastForward(QUEUE_INTERVAL_MS);
      return asked;
    })
    .toBeGreaterThan(0);
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await page.getByRole('link', { name: 'Left Alone' }).click();
  await expect(page.getByRole('region', { name: 'Case' })).toBeVisible();
  const before = asked;
  await page.clock.fastForward(5 * QUEUE_INTERVAL_MS);
  expect(asked).toBe(before);
});
