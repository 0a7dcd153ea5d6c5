import type { Page } from '@playwright/test';
import { paths } from '#web/lib/paths.ts';
import { PHONE, requestsOf, signUp } from './account.ts';
import { expect, test } from './fixtures.ts';
import { press } from './forms.ts';
import { openLive } from './hydration.ts';
import { anEmployer, nameOf } from './review.ts';

test.use({ viewport: PHONE });

const NO_NETWORK = 'Network error. Please check your internet connection.';
const failed = (page: Page, title = 'This page could not be loaded.') =>
  page.getByRole('alert').filter({ has: page.getByRole('heading', { name: title }) });

test('a tap without a network: the reason, a retry, and a way back', async ({ page, context }) => {
  await openLive(page, paths.home());
  await context.setOffline(true);
  const browse = page.getByRole('main').getByRole('link', { name: 'Browse reviews' });
  await browse.click();
  await expect(failed(page)).toContainText(NO_NETWORK);
  await expect(page).toHaveURL(paths.reviews());
  await expect(page).toBeAccessible('light', 'dark');
  // The button checks whether the site can be reached.
  const fails = page.waitForEvent('requestfailed', (request) => request.method() === 'HEAD');
  await press(page, 'Try again');
  await fails;
  await expect(page.getByRole('button', { name: 'Try again' })).toBeEnabled();
  await expect(failed(page)).toBeVisible();

  await press(page, 'Go back');
  await expect(page).toHaveURL(paths.home());
  await expect(page.getByRole('heading', { level: 1, name: /^Before you sign/ })).toBeVisible();
  await browse.click();
  await expect(failed(page)).toBeVisible();
  await context.setOffline(false);
  await press(page, 'Try again');
  await expect(page.getByRole('heading', { name: 'Reviews by practitioners' })).toBeVisible();
});

test('pages: public, with a login, and in a form', async ({ page, context, server, signedIn }) => {
  await signedIn((await signUp(server)).email);
  await openLive(page, paths.employers());
  await context.setOffline(true);
  const tabs = page.getByRole('navigation', { name: 'Tabs' });
  const footer = page.getByRole('contentinfo');
  for (const link of [
    ...['Home', 'Browse', 'Write'].map((name) => tabs.getByRole('link', { name })),
    ...['How it works', 'Terms of Use'].map((name) => footer.getByRole('link', { name })),
  ]) {
    await link.click();
    await expect(failed(page)).toContainText(NO_NETWORK);
    await press(page, 'Go back');
    await expect(page.getByRole('heading', { level: 1, name: 'Employers' })).toBeVisible();
  }
});

test('an employer that the server fails to send: the same screen', async ({ page, server }) => {
  const employer = await anEmployer(server);
  await openLive(page, paths.employers({ search: employer.name }));
  await page.route(`**${paths.employer(employer.id)}.data*`, (route) =>
    route.fulfill({ status: 502, body: 'Bad Gateway' }),
  );
  await page
    .getByRole('link', { name: nameOf(employer) })
    .first()
    .click();
  const screen = failed(page, 'Failed to load employer details.');
  await expect(screen).toContainText('Server error. Please try again later.');
  await expect(page).toBeAccessible('light', 'dark');
  await press(page, 'Try again');
  await expect(page.getByRole('heading', { level: 1, name: nameOf(employer) })).toBeVisible();
});

for (const saveData of [false, true]) {
  test(`after the first key, the scripts of common pages are ${saveData ? 'not ' : ''}fetched${saveData ? ' with Save-Data' : ''}`, async ({
    page,
  }) => {
    await page.addInitScript((value) => {
      Object.defineProperty(navigator, 'connection', { value: { saveData: value } });
    }, saveData);
    await page.clock.install();
    await openLive(page, paths.home());
    const scripts = requestsOf(page, (request) => /\/assets\/.*\.js$/.test(request.url()));
    await page.clock.runFor(5000);
    expect(scripts).toEqual([]);
    await page.keyboard.press('Tab');
    await page.clock.runFor(5000);
    const names = () =>
      scripts.map((script) => script.url().replace(/^.*\/([\w-]+)-.{7}\.js$/, '$1'));
    if (saveData) expect(names()).toEqual([]);
    else
      await expect
        .poll(names)
        .toEqual(expect.arrayContaining(['employers', 'employer', 'reviews']));
  });
}
