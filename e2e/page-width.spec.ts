import type { Locator } from '@playwright/test';
import { reviewEndpoints } from '#contract/endpoints/reviews.ts';
import type { Page as ListPage } from '#contract/paging.ts';
import type { Review } from '#contract/reviews.ts';
import { paths } from '#web/lib/paths.ts';
import { DEMO, signIn } from './account.ts';
import { extremes, list } from './employers.ts';
import { expect, test } from './fixtures.ts';
import { expectLaidOut, openLive } from './hydration.ts';
import { ask, fillReview, openForm } from './review.ts';
import type { TestServer } from './server.ts';
import { doubleText, enlarge, sideways, WIDTHS } from './widths.ts';

/** Every page that does not require a login. */
async function publicPages(server: TestServer): Promise<string[]> {
  const { most, none } = await extremes(server);
  const ids = (await list(server)).results.slice(0, 4).map(({ id }) => id);
  const reviews = await ask<ListPage<Review>>(server, reviewEndpoints.list.path);
  return [
    paths.home(),
    paths.reviews(),
    paths.reviews({ search: 'call', state: 'TX', min_rating: 4 }),
    ...reviews.results.slice(0, 1).map(({ id }) => paths.review(id)),
    paths.employers(),
    paths.employers({ search: 'center', state: 'TX', page: 2 }),
    paths.employer(most.id),
    paths.employer(none.id),
    paths.compare(),
    paths.compare(ids),
    paths.login(),
    paths.signup(),
    paths.forgotPassword(),
    paths.passwordReset(),
    paths.verificationRequired(),
    paths.stopEmailChange(),
    paths.saved(),
    '/unsubscribe',
    '/confirm-email',
    paths.terms(),
    paths.privacy(),
    paths.guidelines(),
    paths.howItWorks(),
    paths.transparency(),
    paths.represent(),
    paths.represent({ employer: most.id }),
    '/no-such-page',
  ];
}

for (const [name, width, isLarge] of WIDTHS) {
  test(`no public page scrolls sideways at ${name}`, async ({ page, server }) => {
    test.slow();
    await page.setViewportSize({ width, height: 800 });
    if (isLarge) await doubleText(page);
    for (const path of await publicPages(server)) {
      await openLive(page, path);
      expect.soft([path, await sideways(page)]).toEqual([path, 0]);
    }
  });
}

test('a phone fits the brief and the review form with text at 200%', async ({ page, server }) => {
  const { most, none } = await extremes(server);
  await page.setViewportSize({ width: 375, height: 800 });
  await signIn(page, server, DEMO.doctor);
  for (const path of [
    paths.employer(most.id),
    paths.employer(none.id),
    paths.createReview({ employer: most.id }),
    paths.dashboard(),
  ]) {
    await openLive(page, path);
    await enlarge(page);
    await expect(page.getByRole('main').getByRole('heading').nth(1)).toBeVisible();
    expect.soft([path, await sideways(page)]).toEqual([path, 0]);
    expect.soft([path, await overlaps(page.getByRole('term'))]).toEqual([path, []]);
  }
});

test('the type of an employer does not overlap its buttons, with text at 200%', async ({
  page,
  server,
}) => {
  const { most } = await extremes(server);
  await page.setViewportSize({ width: 375, height: 800 });
  await openLive(page, paths.employer(most.id));
  await enlarge(page);
  const main = page.getByRole('main');
  const type = main.getByText(most.employer_type_display, { exact: true }).first();
  const save = main.getByRole('button', { name: /^Save/ }).first();
  const [typeBox, saveBox] = [await type.boundingBox(), await save.boundingBox()];
  if (!typeBox || !saveBox) throw new Error('not shown');
  expect(typeBox.y + typeBox.height).toBeLessThanOrEqual(saveBox.y);
});

/** Pairs of texts that overlap. */
async function overlaps(texts: Locator): Promise<string[]> {
  await expectLaidOut(texts.page());
  return texts.evaluateAll((elements) => {
    const drawn = elements.map((element) => {
      const range = document.createRange();
      range.selectNodeContents(element);
      return { text: element.textContent, box: range.getBoundingClientRect() };
    });
    return drawn.flatMap(({ text, box }, at) =>
      drawn
        .slice(at + 1)
        .filter(
          ({ box: other }) =>
            box.left < other.right &&
            other.left < box.right &&
            box.top < other.bottom &&
            other.top < box.bottom,
        )
        .map((other) => `${text} / ${other.text}`),
    );
  });
}

/** Words that wrap onto a second line. */
const brokenWords = (texts: Locator) =>
  texts.evaluateAll((elements) =>
    elements.flatMap((element) => {
      const text = element.firstChild as Text;
      return Array.from(text.data.matchAll(/[^\s-]+/g)).flatMap(({ 0: word, index }) => {
        const range = document.createRange();
        range.setStart(text, index);
        range.setEnd(text, index + word.length);
        return range.getClientRects().length > 1 ? [word] : [];
      });
    }),
  );

test('with text at 200%, no word of a category is broken', async ({ page }) => {
  await page.setViewportSize({ width: 375, height: 800 });
  await openLive(page, paths.reviews());
  await enlarge(page);
  const terms = page.getByRole('article').first().getByRole('term');
  await expect(terms.first()).toHaveText('Work-life balance');
  expect(await brokenWords(terms)).toEqual([]);
});

test('with text at 200%, no word of a heading is broken', async ({ page, server }) => {
  await page.setViewportSize({ width: 375, height: 800 });
  await doubleText(page);
  const { most } = await extremes(server);
  for (const path of [paths.home(), paths.reviews(), paths.employers(), paths.employer(most.id)]) {
    await openLive(page, path);
    const broken = await brokenWords(page.getByRole('heading', { level: 1 }));
    expect.soft([path, broken]).toEqual([path, []]);
  }
});

test('with text at 200%, no labels overlap', async ({ page, server }) => {
  const { most } = await extremes(server);
  await page.setViewportSize({ width: 375, height: 800 });
  await doubleText(page);
  await openLive(page, paths.employers());
  const tabs = page.getByRole('navigation', { name: 'Tabs' });
  expect(await overlaps(tabs.getByRole('link'))).toEqual([]);
  await page.getByRole('button', { name: 'Filters' }).click();
  const dialog = page.getByRole('dialog', { name: 'Filters' });
  await expect(dialog).toBeVisible();
  expect(await overlaps(dialog.locator('label'))).toEqual([]);
  await openLive(page, paths.employer(most.id));
  expect(await overlaps(page.getByRole('term'))).toEqual([]);
});

test('with text at 200%, a search box is as wide as its form, below its full label', async ({
  page,
  server,
}) => {
  await page.setViewportSize({ width: 375, height: 800 });
  const { most } = await extremes(server);
  for (const path of [paths.reviews(), paths.employers(), paths.employer(most.id)]) {
    await openLive(page, path);
    await enlarge(page);
    const box = page.getByRole('main').locator('input[type=search]');
    const shown = await box.evaluate((input: HTMLInputElement) => ({
      isWide: input.offsetWidth === input.form?.clientWidth,
      isLabeled: (input.labels?.[0]?.getBoundingClientRect().height ?? 0) > 1,
    }));
    expect.soft([path, shown]).toEqual([path, { isWide: true, isLabeled: true }]);
  }
});

test('with text at 200%, the review form shows the years and the grades in full', async ({
  page,
  server,
}) => {
  await page.setViewportSize({ width: 375, height: 800 });
  const { most } = await extremes(server);
  await openForm(page, server, { employer: most });
  await fillReview(page, { title: 'Transplant Hepatologist' });
  await enlarge(page);
  for (const label of ['Start Year *', 'End Year']) {
    const room = await page.getByLabel(label).evaluate((select: HTMLSelectElement) => {
      const style = getComputedStyle(select);
      const canvas = document.createElement('canvas').getContext('2d');
      if (!canvas) throw new Error('no canvas');
      canvas.font = `${style.fontSize} ${style.fontFamily}`;
      const { width } = canvas.measureText('2019');
      const padding = Number.parseFloat(style.paddingLeft) + Number.parseFloat(style.paddingRight);
      return select.clientWidth - padding - width;
    });
    expect.soft([label, room >= 0]).toEqual([label, true]);
  }
  const grades = page.getByText(/^(Many|A few|Perhaps only you)$/);
  await expect(grades).toHaveCount(3);
  const cut = await grades.evaluateAll((elements) =>
    elements.filter((each) => each.scrollWidth > each.clientWidth).map((each) => each.textContent),
  );
  expect(cut).toEqual([]);
});

test('with text at 200%, no word of a saved employer is broken', async ({ page, server }) => {
  await page.setViewportSize({ width: 375, height: 800 });
  const { most } = await extremes(server);
  await page.addInitScript(
    (address) => localStorage.setItem('saved', JSON.stringify([address])),
    paths.employer(most.id),
  );
  await openLive(page, paths.saved());
  const link = page.getByRole('main').getByRole('listitem').getByRole('link');
  await expect(link).toHaveCount(1);
  await enlarge(page);
  expect(await brokenWords(link)).toEqual([]);
});
