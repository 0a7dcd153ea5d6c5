import type { Page } from '@playwright/test';
import { employerEndpoints } from '#contract/endpoints/employers.ts';
import { NOTE_MAX } from '#contract/limits.ts';
import { paths } from '#web/lib/paths.ts';
import { call, DEMO, DESKTOP, PHONE, requestsOf } from './account.ts';
import { list, namesOf, unchanged } from './employers.ts';
import { expect, onPhone, test } from './fixtures.ts';
import { openLive } from './hydration.ts';
import type { TestServer } from './server.ts';
import { atSizes, boxOf } from './widths.ts';

/** The employers with the most reviews, as the API compares them. */
async function compared(server: TestServer, count: number) {
  const results = (await unchanged(server)).slice(0, count);
  const ids = results.map(({ id }) => id);
  const query = { ids: ids.join(',') };
  const answer = await call(server, employerEndpoints.compare, { query });
  return { ids, names: namesOf(results), answer };
}

const labels = (page: Page) => page.getByRole('rowheader');
const note = (page: Page, name: string) =>
  page.getByRole('textbox', { name: `Your note on ${name}` });

/** The numbers before "stars apart" and, on the same scale, "points apart". */
const differences = (texts: readonly string[]) =>
  texts.map((text) => {
    const [, stars] = /([\d.]+) stars apart/.exec(text) ?? [];
    const [, points] = /(\d+) points apart/.exec(text) ?? [];
    return Number(stars ?? Number(points ?? 0) / 25);
  });

test('the biggest differences come first, with their reviews', async ({ page, server }) => {
  const { ids, names, answer } = await compared(server, 2);
  await openLive(page, paths.compare(ids));
  await atSizes(page, [PHONE, DESKTOP], async () => {
    await expect(labels(page).nth(1)).toContainText('Overall rating');
    const texts = await labels(page)
      .filter({ hasText: /apart|No difference/ })
      .allTextContents();
    const [, ...gaps] = differences(texts);
    expect(gaps.length).toBeGreaterThan(3);
    expect(gaps).toEqual(gaps.toSorted((a, b) => b - a));
    const reviews = page.getByRole('row').filter({ hasText: /^Reviews/, visible: true });
    await expect(reviews.getByRole('cell')).toContainText(
      answer.results.map(({ figures }) => `${figures.overall_rating.reviews} reviewsnewest `),
    );
    await expect(page.getByText(/newest /).filter({ visible: true })).toHaveCount(2);
    const overall = page.getByRole('row').filter({ hasText: /^Overall rating/, visible: true });
    await expect(overall.getByRole('cell')).toContainText(
      answer.results.map(
        ({
          figures: {
            overall_rating: { value, reviews },
          },
        }) => {
          const further = (stars: number) =>
            (((value ?? 0) * reviews + stars) / (reviews + 1)).toFixed(1);
          return `${further(1)} to ${further(5)} after one more review`;
        },
      ),
    );
    await expect(overall).not.toContainText(/\d reviews/);
  });
  for (const kind of ['pro', 'con'] as const) {
    const name = `Read the review with this ${kind} about ${names[0]}`;
    const href = paths.review(answer.results[0]?.[kind]?.review_id ?? '');
    await expect(page.getByRole('link', { name })).toHaveAttribute('href', href);
  }
  // On a desktop. The columns of a phone are checked in employers-compare.spec.ts.
  await expect(page).toBeAccessible('light', 'dark');
});

onPhone('on a phone, two columns stay under their names', async ({ page, server }) => {
  const { ids, names } = await compared(server, 3);
  await page.addInitScript(() => {
    const shared: unknown[] = [];
    Object.assign(window, { shared });
    Object.assign(navigator, { share: async (data: unknown) => void shared.push(data) });
  });
  await openLive(page, paths.compare(ids));
  const heads = page.getByRole('columnheader').filter({ visible: true });
  await expect(heads).toContainText(names.slice(0, 2));
  expect((await boxOf(heads.nth(0))).y).toBe((await boxOf(heads.nth(1))).y);
  await labels(page).filter({ hasText: 'Ownership' }).scrollIntoViewIfNeeded();
  for (const at of [0, 1]) await expect(heads.nth(at)).toBeInViewport({ ratio: 1 });
  const ownership = page.getByRole('row').filter({ hasText: /^Ownership/ });
  const cells = ownership.getByRole('cell').filter({ visible: true });
  await expect(cells).toHaveCount(2);
  // The cells are bare, because the names are in the header.
  for (const name of names.slice(0, 2))
    await expect(cells.filter({ hasText: name })).toHaveCount(0);

  const choice = page.getByRole('group', { name: 'Two of 3 side by side' });
  await choice.getByRole('button', { name: names[2] ?? '' }).tap();
  await expect(heads).toContainText([names[0] ?? '', names[2] ?? '']);

  // Only the URL is shared.
  await note(page, names[0] ?? '').fill('Sounds like home');
  await page.getByRole('button', { name: 'Share' }).tap();
  await expect
    .poll(() => page.evaluate(() => (window as unknown as { shared: unknown[] }).shared))
    .toEqual([{ title: `Compare ${names.join(', ')}`, url: server.url + paths.compare(ids) }]);
});

onPhone('on a phone, differences are those of the two columns', async ({ page, server }) => {
  const { ids } = await compared(server, 4);
  const rows = () =>
    page
      .getByRole('row')
      .filter({ hasText: /apart|No difference/, visible: true })
      .allInnerTexts();
  await openLive(page, paths.compare(ids.slice(0, 2)));
  const ofTwo = await rows();
  expect(ofTwo.length).toBeGreaterThan(3);
  await openLive(page, paths.compare(ids));
  await expect(page.getByRole('group', { name: 'Two of 4 side by side' })).toBeVisible();
  await expect.poll(rows).toEqual(ofTwo);
});

test('a phone shows every name in full', async ({ page, server }) => {
  await page.setViewportSize(PHONE);
  const { results } = await list(server, { ordering: 'name', page_size: 4 });
  await openLive(page, paths.compare(results.map(({ id }) => id)));
  const names = page
    .getByRole('group', { name: 'Two of 4 side by side' })
    .getByRole('button')
    .or(page.getByRole('columnheader').locator('a, span'));
  await expect(names).toHaveCount(4 + 2 * 2);
  const cut = await names.evaluateAll((elements) =>
    elements
      // A letter may reach a little beyond its line.
      .filter(
        ({ scrollWidth, clientWidth, scrollHeight, clientHeight }) =>
          clientHeight > 0 && (scrollWidth > clientWidth || scrollHeight > clientHeight + 6),
      )
      .map((each) => each.textContent),
  );
  expect(cut).toEqual([]);
});

test('notes stay here, and signing out removes them', async ({ page, server, signedIn }) => {
  const { ids, names } = await compared(server, 2);
  await signedIn(DEMO.pending);
  await openLive(page, paths.compare(ids));
  const sent = requestsOf(page, () => true);
  const text = 'Ask about the weekend call';
  await note(page, names[0] ?? '').fill(text);
  await note(page, names[1] ?? '').fill('x'.repeat(NOTE_MAX + 10));
  await expect(note(page, names[1] ?? '')).toHaveValue('x'.repeat(NOTE_MAX));
  await page.reload();
  await expect(note(page, names[0] ?? '')).toHaveValue(text);
  const requests = sent.map((request) => request.url() + (request.postData() ?? ''));
  expect(requests.join('\n')).not.toMatch(/weekend|xxx/);
  expect(page.url()).toBe(server.url + paths.compare(ids));

  await page.getByRole('button', { name: /Account menu/ }).click();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.waitForURL(server.url + paths.home());
  expect(await page.evaluate(() => JSON.stringify(localStorage))).not.toContain('weekend');
  await openLive(page, paths.compare(ids));
  await expect(note(page, names[0] ?? '')).toHaveValue('');
});

test('prints on one page, with notes and without controls', async ({ page, server }) => {
  const { ids, names } = await compared(server, 4);
  await openLive(page, paths.compare(ids));
  for (const name of names) await note(page, name).fill('Long note. '.repeat(NOTE_MAX / 11));
  await page.emulateMedia({ media: 'print' });
  const main = page.getByRole('main');
  for (const role of ['button', 'combobox', 'textbox'] as const)
    await expect(main.getByRole(role)).toHaveCount(0);
  for (const name of [/^Remove/, /^Read the review/, 'Find employers'])
    await expect(main.getByRole('link', { name })).toHaveCount(0);
  await expect(main.getByText('Long note.').filter({ visible: true }).first()).toBeVisible();
  await expect(page.getByRole('columnheader')).toContainText(names);
  const pdf = (await page.pdf({ format: 'Letter' })).toString('latin1');
  expect(pdf.match(/\/Type \/Page\b/g)).toHaveLength(1);
});
