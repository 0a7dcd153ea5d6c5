import { OLD_BROWSER_MS } from '#contract/limits.ts';
import { paths } from '#web/lib/paths.ts';
import { expect, test } from './fixtures.ts';
import { openLive } from './hydration.ts';

const LINE =
  'This browser is too old to sign in. Safari 16.4, Firefox 115, Chrome 111, Edge 111, and newer can.';

test('a browser that cannot read the scripts says so, and which browsers can', async ({ page }) => {
  await page.clock.install();
  await page.route('**/assets/*.js', (route) =>
    route.fulfill({ contentType: 'text/javascript', body: 'a newer syntax' }),
  );
  for (const path of [paths.login(), paths.home()]) {
    await page.goto(path);
    await page.clock.runFor(OLD_BROWSER_MS);
    await expect(page.getByText(LINE)).toBeVisible();
  }
  await expect(page).toBeAccessible('light', 'dark');
});

test('so does one that cannot read even the script to start them', async ({ elsewhere: page }) => {
  await page.clock.install();
  await page.route(paths.login(), async (route) => {
    const answer = await route.fetch();
    const headers = answer.headers();
    delete headers['content-security-policy'];
    const body = (await answer.text()).replace('startsScripts=', 'a newer syntax; startsScripts=');
    await route.fulfill({ response: answer, headers, body });
  });
  await page.goto(paths.login());
  await page.clock.runFor(OLD_BROWSER_MS);
  await expect(page.getByText(LINE)).toBeVisible();
});

test('other browsers are not called old', async ({ page }) => {
  await page.clock.install();
  await openLive(page, paths.login());
  await page.clock.runFor(2 * OLD_BROWSER_MS);
  await expect(page.getByText('too old')).toHaveCount(0);
});

test('nor is one whose network fails', async ({ page }) => {
  await page.clock.install();
  await page.route('**/assets/*.js', (route) => route.abort());
  const failed = page.waitForEvent('requestfailed');
  await page.goto(paths.login());
  await failed;
  await page.clock.runFor(2 * OLD_BROWSER_MS);
  await expect(page.getByText('too old')).toHaveCount(0);
});
