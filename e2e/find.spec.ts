import type { Page } from '@playwright/test';
import { suggestionEndpoints } from '#contract/endpoints/reviews.ts';
import {
  DIRECTORY_SEARCH_DEBOUNCE_MS,
  OPTION_SEARCH_DEBOUNCE_MS,
  REVIEWS_URL_SYNC_MS,
} from '#contract/limits.ts';
import { titleCase } from '#contract/names.ts';
import { asRedirect, paths } from '#web/lib/paths.ts';
import { browseSlowly, call, DEMO, DESKTOP, hold, logIn, PHONE, refuse } from './account.ts';
import { LANDING_LABEL, NONSENSE, SEARCH } from './employers.ts';
import { expect, LONG, test, withoutScript } from './fixtures.ts';
import { follow } from './forms.ts';
import { openLive } from './hydration.ts';
import { countOf, SEARCH_REVIEWS, says } from './reviews-page.ts';
import type { TestServer } from './server.ts';
import { atSizes, sideways } from './widths.ts';

const SUGGESTIONS_CALL = `**/api${suggestionEndpoints.list.path}?*`;
const SCRIPTS = '**/assets/*.js';
const NO_EXACT_MATCH = 'No exact match. Closest:';
const UNKNOWN = `${NONSENSE} Clinic`;
const CARDIOLOGY = 'Cardiovascular Disease';

/** The search boxes, by page, and the themes in which to check their suggestions. */
const BOXES = [
  [paths.home(), LANDING_LABEL, ['light', 'dark']],
  // The tests of the lists themselves check the light theme.
  [paths.reviews(), SEARCH_REVIEWS, ['dark']],
  [paths.employers(), SEARCH, ['dark']],
] as const;

const suggestionsFor = (server: TestServer, search: string) =>
  call(server, suggestionEndpoints.list, { query: { search } });

const list = (page: Page) => page.getByRole('listbox', { name: 'Suggestions' });
const group = (page: Page, name: string) => list(page).getByRole('group', { name });
/** On the landing page, it becomes a combobox once it is used. */
const box = (page: Page, label: string) => page.getByLabel(label, { exact: true });
const active = (page: Page) => list(page).getByRole('option', { selected: true });
const menuLink = (page: Page) =>
  page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Employers' });

async function open(page: Page, path: string, label: string, search: string) {
  await openLive(page, path);
  await box(page, label).fill(search);
  await expect(list(page)).toBeVisible();
  await expect(page.getByRole('combobox', { name: label, exact: true })).toBeFocused();
}

for (const [path, label, themes] of BOXES) {
  test(`${path} suggests a search, then employers, selecting none`, async ({ page, server }) => {
    const { employers } = await suggestionsFor(server, 'larkmoor');
    const [first, second] = employers.map(({ name }) => titleCase(name));
    await open(page, path, label, 'larkmoor');
    await expect(box(page, label)).toHaveAttribute('placeholder', /\w/);
    const options = list(page).getByRole('option');
    await expect(options.first()).toHaveText('Search employers for “larkmoor”');
    await expect(options.nth(1)).toContainText(first ?? 'none');
    await expect(options.nth(1)).toContainText(/\d\.\d ★ of 5 stars \d+ reviews?/);
    await expect(options.nth(2)).toContainText(second ?? 'none');
    await expect(active(page)).toHaveCount(0);
    await expect(box(page, label)).toHaveAttribute('aria-expanded', 'true');
    await expect(page).toBeAccessible(...themes);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await atSizes(page, [DESKTOP, PHONE], async () => {
      await expect(active(page)).toBeInViewport();
      expect(await sideways(page)).toBe(0);
    });
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(paths.employer(employers[0]?.id ?? 0));
  });
}
test("the landing page's box is one element, so a phone keeps its keyboard", async ({ page }) => {
  await openLive(page, paths.home());
  const plain = await box(page, LANDING_LABEL).elementHandle();
  const blurs = await plain?.evaluateHandle((input) => {
    const seen: string[] = [];
    input.addEventListener('blur', ({ type }) => seen.push(type));
    return seen;
  });
  await box(page, LANDING_LABEL).pressSequentially('larkmoor');
  await expect(list(page)).toBeVisible();
  const combobox = page.getByRole('combobox', { name: LANDING_LABEL });
  await expect(combobox).toHaveValue('larkmoor');
  expect(await combobox.evaluate((input, before) => input === before, plain)).toBe(true);
  expect(await blurs?.jsonValue()).toEqual([]);
});
test('on a phone, the same box fills the screen until left', LONG, async ({ page }) => {
  await openLive(page, paths.employers(), PHONE);
  const field = box(page, SEARCH);
  await field.click();
  await field.pressSequentially('columbus');
  const place = list(page).getByRole('option', { name: 'All in Columbus, OH' });
  await expect(place).toBeInViewport();
  await expect(field).toBeFocused();
  const header = page.getByRole('link', { name: 'Curbside' }).first();
  const isCovered = () =>
    header.evaluate((link) => {
      const { x, y } = link.getBoundingClientRect();
      return !link.contains(document.elementFromPoint(x + 5, y + 5));
    });
  expect(await isCovered()).toBe(true);
  expect(await sideways(page)).toBe(0);
  await page.getByRole('button', { name: 'Close search' }).click();
  await expect(list(page)).toBeHidden();
  expect(await isCovered()).toBe(false);
  await expect(field).toHaveValue('columbus');
  await field.click();
  await place.click();
  await expect(page).toHaveURL(paths.employers({ search: 'columbus' }));
  await expect(list(page)).toBeHidden();
});
test('Enter searches for what is typed, however fast it was', async ({ page }) => {
  for (const [path, label, results] of [
    [paths.home(), LANDING_LABEL, paths.employers],
    [paths.employers(), SEARCH, paths.employers],
    [paths.reviews(), SEARCH_REVIEWS, paths.reviews],
  ] as const) {
    for (const waits of [false, true]) {
      await openLive(page, path);
      await box(page, label).fill('larkmoor');
      if (waits) await expect(list(page)).toBeVisible();
      await page.keyboard.press('Enter');
      await expect(page).toHaveURL(results({ search: 'larkmoor' }));
      await expect(page.getByRole('article').first()).toBeVisible();
    }
  }
});
test('arrow keys move, and Escape closes the list and keeps the text', async ({ page, server }) => {
  const { employers } = await suggestionsFor(server, 'larkmoor');
  await open(page, paths.home(), LANDING_LABEL, 'larkmoor');
  await page.keyboard.press('ArrowUp');
  await expect(list(page).getByRole('option').last()).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('ArrowDown');
  await expect(active(page)).toHaveCount(0);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await expect(active(page)).toContainText(titleCase(employers[0]?.name ?? 'none'));
  await page.keyboard.press('Escape');
  await expect(list(page)).toBeHidden();
  await expect(box(page, LANDING_LABEL)).toHaveValue('larkmoor');
  await expect(box(page, LANDING_LABEL)).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(paths.employers({ search: 'larkmoor' }));
  await expect(page.getByRole('article').first()).toBeVisible();
});
test('a click opens a suggested review, or all matching reviews', async ({ page, server }) => {
  const { reviews } = await suggestionsFor(server, 'night');
  await open(page, paths.home(), LANDING_LABEL, 'night');
  await group(page, 'Reviews').getByRole('option').nth(1).click();
  await expect(page).toHaveURL(paths.review(reviews[0]?.id ?? ''));
  await open(page, paths.employers(), SEARCH, 'night');
  await list(page).getByRole('option', { name: 'All reviews that match “night”' }).click();
  await expect(page).toHaveURL(paths.reviews({ search: 'night' }));
});
test('a suggested specialty or position becomes one more filter', async ({ page }) => {
  const choose = (kind: string, text: string) => {
    const name = new RegExp(`^${text}`);
    return group(page, kind).getByRole('option', { name }).click();
  };
  await open(page, paths.reviews({ min_rating: 2 }), SEARCH_REVIEWS, 'cardiology');
  await choose('Specialties', CARDIOLOGY);
  const filtered = { specialty: CARDIOLOGY, min_rating: 2 };
  await expect(page).toHaveURL(paths.reviews(filtered));
  await expect(box(page, SEARCH_REVIEWS)).toHaveValue('');
  const title = `Reviews by practitioners: ${CARDIOLOGY}`;
  await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible();
  await expect(page).toHaveTitle(`${title}, 2+ stars · Curbside`);
  await box(page, SEARCH_REVIEWS).fill('cardiologist');
  await choose('Positions', 'Cardiologist');
  await expect(page).toHaveURL(paths.reviews({ position_title: 'Cardiologist', ...filtered }));

  await open(page, paths.employers({ state: 'OH' }), SEARCH, 'cardiology');
  await choose('Specialties', CARDIOLOGY);
  await expect(page).toHaveURL(paths.employers({ state: 'OH', specialty: CARDIOLOGY }));
  const employers = `Employers in Ohio: ${CARDIOLOGY}`;
  await expect(page.getByRole('heading', { level: 1, name: employers })).toBeVisible();
  await expect(page).toHaveTitle(`${employers} · Curbside`);

  await open(page, paths.home(), LANDING_LABEL, 'cardiology');
  await choose('Specialties', CARDIOLOGY);
  const established = { specialty: CARDIOLOGY, ordering: '-established' };
  await expect(page).toHaveURL(paths.employers(established));

  // The employer's page has the figures of the specialty, too.
  await page.getByRole('article').first().getByRole('link').first().click();
  await expect(page).toHaveURL(/\/employers\/\d+\?specialty=Cardiovascular\+Disease$/);
  await expect(page.getByRole('link', { name: 'All employers' })).toHaveAttribute(
    'href',
    paths.employers(established),
  );
});
test('a chosen suggestion wins over a search that has not been sent yet', async ({ page }) => {
  await page.clock.install();
  await openLive(page, paths.employers());
  await page.clock.pauseAt(Date.now() + 3_600_000);
  await box(page, SEARCH).fill('larkmoor');
  await page.clock.runFor(OPTION_SEARCH_DEBOUNCE_MS);
  const { release } = await hold(page, '**/employers/*.data*');
  await group(page, 'Employers')
    .getByRole('option', { name: /Larkmoor/ })
    .first()
    .click();
  await page.clock.runFor(DIRECTORY_SEARCH_DEBOUNCE_MS);
  release();
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Larkmoor');
  await expect(page).toHaveURL(/\/employers\/\d+$/);
});
test('a link that is slow to open wins over a search that has not been sent', async ({ page }) => {
  await page.clock.install();
  await openLive(page, paths.employers(), PHONE);
  await page.clock.pauseAt(Date.now() + 3_600_000);
  await box(page, SEARCH).fill('larkmoor');
  // Otherwise the box covers the page.
  await page.keyboard.press('Escape');
  await browseSlowly(page, DIRECTORY_SEARCH_DEBOUNCE_MS);
});
test(
  'every letter typed on /reviews arrives while the list follows',
  LONG,
  async ({ page, server }) => {
    await openLive(page, paths.reviews());
    const input = box(page, SEARCH_REVIEWS);
    for (const text of ['night shift', 'icu']) {
      await input.fill('');
      await input.pressSequentially(text, { delay: REVIEWS_URL_SYNC_MS });
      await expect(page).toHaveURL(paths.reviews({ search: text }));
      await expect(input).toHaveValue(text);
    }
    await expect(list(page)).toBeVisible();
    await page.keyboard.press('Escape');
    await says(page, await countOf(server, { search: 'icu' }));
    await expect(page.getByRole('article').first()).toBeVisible();
  },
);
test('approximate matches are labeled as closest', async ({ page }) => {
  await open(page, paths.home(), LANDING_LABEL, 'larkmor');
  await expect(page.getByText(NO_EXACT_MATCH)).toBeVisible();
  await expect(group(page, 'Employers').getByRole('option').first()).toContainText('Larkmoor');
  for (const [path, misspelled, exact] of [
    [paths.employers, 'larkmor', 'larkmoor'],
    [paths.reviews, 'anesthesiolgist', 'anesthesiologist'],
  ] as const) {
    await openLive(page, path({ search: misspelled }));
    await expect(page.getByText(NO_EXACT_MATCH)).toBeVisible();
    const html = await (await page.request.get(path({ search: exact }))).text();
    expect(html).toContain('<article');
    expect(html).not.toContain(NO_EXACT_MATCH);
  }
});
test('lists without a result offer to clear it or to add the employer', LONG, async ({ page }) => {
  const search = UNKNOWN;
  const form = paths.createReview({ employer_name: search });
  for (const [path, none] of [
    [paths.reviews, 'No reviews found'],
    [paths.employers, 'No employers found'],
  ] as const) {
    await openLive(page, path({ search, state: 'TX' }));
    await expect(page.getByText(none)).toBeVisible();
    await expect(page.getByRole('navigation', { name: 'Pages' })).toBeHidden();
    await expect(page).toBeAccessible();
    const add = page.getByRole('link', { name: 'Add this employer' });
    await expect(add).toHaveAttribute('href', paths.login({ redirect: asRedirect(form) }));
    await follow(page, 'Clear search and filters', path());
    await expect(page.getByRole('article').first()).toBeVisible();
  }
});
test('"Employers" is one tap away on a desktop and two on a phone', LONG, async ({ page }) => {
  const link = menuLink(page);
  for (const path of [paths.home(), paths.reviews(), paths.terms(), '/no-such-page']) {
    await openLive(page, path, DESKTOP);
    await expect(link).toHaveAttribute('href', paths.employers());
    await expect(link).toBeInViewport();
    await page.setViewportSize(PHONE);
    await expect(link).toBeHidden();
    await page.getByRole('button', { name: 'Menu' }).click();
    await expect(link).toBeInViewport();
  }
  await link.click();
  await expect(page).toHaveURL(paths.employers());
  await expect(page.getByRole('heading', { level: 1, name: 'Employers' })).toBeVisible();
});
withoutScript('without script, each box is a form, and menus work', LONG, async ({ page }) => {
  await page.setViewportSize(PHONE);
  for (const [path, label] of BOXES) {
    await page.goto(path);
    await box(page, label).fill('larkmoor');
    await page.getByRole('button', { name: 'Search', exact: true }).click();
    const results = path === paths.reviews() ? path : paths.employers();
    await expect(page).toHaveURL(new RegExp(`${results}\\?(.*&)?search=larkmoor`));
    await expect(page.getByRole('article').first()).toContainText('Larkmoor');
  }
  const link = menuLink(page);
  await page.goto(paths.employers({ search: NONSENSE }));
  await expect(page.getByRole('link', { name: 'Add this employer' })).toBeVisible();
  await page.setViewportSize(DESKTOP);
  await expect(link).toBeInViewport();
  await page.setViewportSize(PHONE);
  await page.getByRole('button', { name: 'Menu' }).click();
  await link.click();
  await expect(page).toHaveURL(paths.employers());
});

test(
  'the review form has the name of the employer to add, even after login',
  LONG,
  async ({ page }) => {
    const name = UNKNOWN;
    const form = paths.createReview({ employer_name: name });
    await page.goto(form);
    await expect(page).toHaveURL(paths.login({ redirect: asRedirect(form) }));
    await logIn(page, DEMO.doctor);
    await expect(page).toHaveURL(form);
    await expect(page.getByLabel('Employer', { exact: true })).toHaveValue(name);
    await expect(page.getByText('(Custom hospital)')).toBeVisible();
    await page.getByRole('button', { name: 'Modify' }).click();
    await expect(page).toHaveURL(paths.createReview());
    await expect(page.getByRole('combobox', { name: 'Employer' })).toHaveValue(name);
  },
);
test(
  'the landing page says when nothing is suggested, and still searches',
  LONG,
  async ({ page }) => {
    await openLive(page, paths.home());
    await box(page, LANDING_LABEL).fill(NONSENSE);
    await expect(
      page.getByText('No suggestions. Press Enter to search all employers.'),
    ).toBeVisible();
    await expect(page).toBeAccessible();
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(paths.employers({ search: NONSENSE }));

    await page.route(SUGGESTIONS_CALL, refuse(503));
    await openLive(page, paths.home());
    const answer = page.waitForResponse(SUGGESTIONS_CALL);
    await box(page, LANDING_LABEL).fill('larkmoor');
    await answer;
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(paths.employers({ search: 'larkmoor' }));
  },
);
test('Enter searches for what was typed, whatever is still suggested', async ({ page }) => {
  await open(page, paths.home(), LANDING_LABEL, 'larkmoor');
  await hold(page, SUGGESTIONS_CALL);
  await box(page, LANDING_LABEL).pressSequentially(' boarding');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(paths.employers({ search: 'larkmoor boarding' }));
});
test('Enter in a box with several matching options keeps them open', async ({ page }) => {
  await openLive(page, paths.reviews());
  const positions = page.getByRole('combobox', { name: 'Position title' });
  await positions.fill('fel');
  await expect(list(page).getByRole('option').nth(1)).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(list(page)).toBeVisible();
  await expect(positions).toHaveValue('fel');
  await positions.fill('fellow');
  await page.keyboard.press('Enter');
  await expect(list(page)).toBeHidden();
  await expect(page).toHaveURL(paths.reviews({ position_title: 'Fellow' }));
});
test("without its script, the landing page's box is a form", LONG, async ({ page }) => {
  await page.route('**/assets/landing-combobox-*', (route) => route.abort());
  await openLive(page, paths.home());
  await box(page, LANDING_LABEL).fill('larkmoor');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(paths.employers({ search: 'larkmoor' }));
});

test('what is typed while the scripts load is kept, and searched for', async ({ page }) => {
  for (const [path, label] of BOXES.slice(1)) {
    const { release } = await hold(page, SCRIPTS);
    await page.goto(path);
    await box(page, label).fill('night shift');
    release();
    await expect(page).toHaveURL(/search=night/);
    await expect(box(page, label)).toHaveValue('night shift');
    await page.unroute(SCRIPTS);
  }
});
