import type { Locator, Page } from '@playwright/test';
import { paths } from '#web/lib/paths.ts';
import { DEMO } from './account.ts';
import { extremes, list } from './employers.ts';
import { expect, test } from './fixtures.ts';
import { expectLaidOut, openLive } from './hydration.ts';
import { fillReview, openForm } from './review.ts';
import { listOf } from './reviews-page.ts';
import type { TestServer } from './server.ts';
import { boxOf, doubleText, enlarge, setTextSize, sideways, WIDTHS } from './widths.ts';

/** Every page that does not require a login. */
const PUBLIC_PAGES: readonly [kind: string, pages: (server: TestServer) => Promise<string[]>][] = [
  [
    'page of reviews and employers',
    async (server) => {
      const { most, none } = await extremes(server);
      const ids = (await list(server)).results.slice(0, 4).map(({ id }) => id);
      const reviews = await listOf(server, {});
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
        paths.saved(),
      ];
    },
  ],
  [
    'other public page',
    async (server) => [
      paths.login(),
      paths.signup(),
      paths.forgotPassword(),
      paths.passwordReset(),
      paths.verificationRequired(),
      paths.stopEmailChange(),
      '/unsubscribe',
      '/confirm-email',
      paths.terms(),
      paths.privacy(),
      paths.guidelines(),
      paths.howItWorks(),
      paths.transparency(),
      paths.represent(),
      paths.represent({ employer: (await extremes(server)).most.id }),
      '/no-such-page',
    ],
  ],
];

for (const [kind, pages] of PUBLIC_PAGES) {
  test(`no ${kind} scrolls sideways on a phone, even at 200%`, async ({ page, server }) => {
    test.slow();
    for (const path of await pages(server)) {
      await page.setViewportSize({ width: 320, height: 800 });
      await openLive(page, path);
      expect.soft([path, 320, await sideways(page)]).toEqual([path, 320, 0]);
      await page.setViewportSize({ width: 375, height: 800 });
      expect.soft([path, 375, await sideways(page)]).toEqual([path, 375, 0]);
      await doubleText(page);
      expect.soft([path, '200%', await sideways(page)]).toEqual([path, '200%', 0]);
      await setTextSize(page, 100);
    }
  });

  test(`no ${kind} that loads with text at 200% scrolls sideways`, async ({ page, server }) => {
    test.slow();
    await page.goto('about:blank');
    await doubleText(page);
    for (const path of await pages(server)) {
      await openLive(page, path, { width: 320, height: 800 });
      for (const [name, width] of WIDTHS.filter(([, , isLarge]) => isLarge)) {
        await page.setViewportSize({ width, height: 800 });
        expect.soft([path, name, await sideways(page)]).toEqual([path, name, 0]);
      }
    }
  });
}

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

/** Asserts that the search box is as wide as its form, below its full label. */
async function expectWideSearchBox(page: Page): Promise<void> {
  const box = page.getByRole('main').locator('input[type=search]');
  const shown = await box.evaluate((input: HTMLInputElement) => ({
    isWide: input.offsetWidth === input.form?.clientWidth,
    isLabeled: (input.labels?.[0]?.getBoundingClientRect().height ?? 0) > 1,
  }));
  expect.soft([page.url(), shown]).toEqual([page.url(), { isWide: true, isLabeled: true }]);
}

test.describe('on a phone with text at 200%', () => {
  test.use({ viewport: { width: 375, height: 800 } });

  test('the brief and the dashboard fit without overlaps', async ({ page, server, signedIn }) => {
    const { most, none } = await extremes(server);
    await signedIn(DEMO.doctor);
    for (const path of [paths.dashboard(), paths.employer(none.id), paths.employer(most.id)]) {
      await openLive(page, path);
      await enlarge(page);
      await expect(page.getByRole('main').getByRole('heading').nth(1)).toBeVisible();
      expect.soft([path, await sideways(page)]).toEqual([path, 0]);
      expect.soft([path, await overlaps(page.getByRole('term'))]).toEqual([path, []]);
    }
    const main = page.getByRole('main');
    const place = main.getByText(`${most.city}, ${most.state}`).first();
    const save = main.getByRole('button', { name: /^Save/ }).first();
    expect((await boxOf(place)).bottom).toBeLessThanOrEqual((await boxOf(save)).y);
    await expectWideSearchBox(page);
  });

  test('the review form fits and shows years and grades in full', async ({ page, server }) => {
    const { most } = await extremes(server);
    await openForm(page, server, { employer: most });
    await fillReview(page, { title: 'Transplant Hepatologist' });
    const grades = page.getByText(/^(Many|A few|Perhaps only you)$/);
    await expect(grades).toHaveCount(3);
    await enlarge(page);
    expect(await sideways(page)).toBe(0);
    expect(await overlaps(page.getByRole('term'))).toEqual([]);
    for (const label of ['Start Year *', 'End Year']) {
      const room = await page.getByLabel(label).evaluate((select: HTMLSelectElement) => {
        const style = getComputedStyle(select);
        const canvas = document.createElement('canvas').getContext('2d');
        if (!canvas) throw new Error('no canvas');
        canvas.font = `${style.fontSize} ${style.fontFamily}`;
        const { width } = canvas.measureText('2019');
        const padding =
          Number.parseFloat(style.paddingLeft) + Number.parseFloat(style.paddingRight);
        return select.clientWidth - padding - width;
      });
      expect.soft([label, room >= 0]).toEqual([label, true]);
    }
    const isCut = await grades.evaluateAll((elements) =>
      elements.map(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth),
    );
    expect(isCut).toEqual([false, false, false]);
  });

  test('words stay whole, labels apart, and search boxes wide', async ({ page, server }) => {
    const { most } = await extremes(server);
    await page.addInitScript(
      (address) => localStorage.setItem('saved', JSON.stringify([address])),
      paths.employer(most.id),
    );
    const expectWholeHeading = async () =>
      expect(await brokenWords(page.getByRole('heading', { level: 1 }))).toEqual([]);

    await openLive(page, paths.saved());
    const link = page.getByRole('main').getByRole('listitem').getByRole('link');
    await expect(link).toHaveCount(1);
    await enlarge(page);
    expect(await brokenWords(link)).toEqual([]);

    await openLive(page, paths.reviews());
    await enlarge(page);
    const terms = page.getByRole('article').first().getByRole('term');
    await expect(terms.first()).toHaveText('Work-life balance');
    expect(await brokenWords(terms)).toEqual([]);
    await expectWideSearchBox(page);
    await enlarge(page, 100);
    await doubleText(page);
    await expectWholeHeading();
    await setTextSize(page, 100);

    await openLive(page, paths.employers());
    await enlarge(page);
    await expectWideSearchBox(page);
    await enlarge(page, 100);
    await doubleText(page);
    await expectWholeHeading();
    const tabs = page.getByRole('navigation', { name: 'Tabs' });
    expect(await overlaps(tabs.getByRole('link'))).toEqual([]);
    await page.getByRole('button', { name: 'Filters' }).click();
    const dialog = page.getByRole('dialog', { name: 'Filters' });
    await expect(dialog).toBeVisible();
    expect(await overlaps(dialog.locator('label'))).toEqual([]);

    for (const path of [paths.home(), paths.employer(most.id)]) {
      await openLive(page, path);
      await expectWholeHeading();
    }
    expect(await overlaps(page.getByRole('term'))).toEqual([]);
  });
});
