import type { Page } from '@playwright/test';
import { accountEndpoints } from '#contract/endpoints/account.ts';
import { sessionEndpoints } from '#contract/endpoints/session.ts';
import { SCROLL_REPEAT_MS } from '#contract/limits.ts';
import { paths } from '#web/lib/paths.ts';
import { accessToken, DEMO, hold, PASSWORD, PHONE } from './account.ts';
import { expect, test } from './fixtures.ts';
import { fill } from './forms.ts';
import { openLive } from './hydration.ts';
import { boxOf } from './widths.ts';

test.use({ viewport: PHONE });

test('the focused element is never under the tab bar', async ({ page }) => {
  await openLive(page, paths.employers());
  const tabs = page.getByRole('navigation', { name: 'Tabs' });
  const top = (await tabs.boundingBox())?.y ?? 0;
  let inMain = 0;
  for (let press = 0; press < 40; press += 1) {
    await page.keyboard.press('Tab');
    const focused = await page.evaluate(() => {
      const element = document.activeElement;
      const isIn = document.getElementById('main')?.contains(element);
      return isIn ? (element?.getBoundingClientRect().bottom ?? null) : null;
    });
    if (focused === null) continue;
    inMain += 1;
    expect(focused).toBeLessThanOrEqual(top);
  }
  expect(inMain).toBeGreaterThan(20);
});

test('nothing is under the notch or the home indicator', async ({ page }) => {
  const session = await page.context().newCDPSession(page);
  const setInsets = (insets: object) =>
    session.send('Emulation.setSafeAreaInsetsOverride', { insets });
  await openLive(page, paths.home());
  await expect(page.locator('meta[name=viewport]')).toHaveAttribute(
    'content',
    /viewport-fit=cover/,
  );
  await setInsets({ bottom: 34 });
  const tab = page.getByRole('navigation', { name: 'Tabs' }).getByRole('link').first();
  await expect
    .poll(async () => {
      const { y = 0, height = 0 } = (await tab.boundingBox()) ?? {};
      return y + height;
    })
    .toBeLessThanOrEqual(PHONE.height - 34);

  await page.setViewportSize({ width: 844, height: 390 });
  await setInsets({ left: 47, right: 47, bottom: 21 });
  const edges = () =>
    page.evaluate(() => {
      const boxes = [...document.querySelectorAll('a, button, h1, h2, p, li')]
        .filter((each) => each.checkVisibility() && !each.matches('.sr-only, [popover] *, ul *'))
        .map((each) => each.getBoundingClientRect())
        // Larger than what only screen readers see.
        .filter(({ width }) => width > 1);
      const left = Math.min(...boxes.map((box) => box.left));
      const right = innerWidth - Math.max(...boxes.map((box) => box.right));
      const bottom = document.documentElement.scrollHeight - scrollY;
      return { left, right, below: bottom - Math.max(...boxes.map((box) => box.bottom)) };
    });
  await expect.poll(async () => (await edges()).left).toBeGreaterThanOrEqual(47);
  const { right, below } = await edges();
  expect(right).toBeGreaterThanOrEqual(47);
  expect(Math.round(below)).toBeGreaterThanOrEqual(21);
});

test('a tapped tab is highlighted before its page arrives', async ({ page }) => {
  await openLive(page, paths.home());
  const tabs = page.getByRole('navigation', { name: 'Tabs' });
  const home = tabs.getByRole('link', { name: 'Home' });
  const browse = tabs.getByRole('link', { name: 'Browse' });
  const { release } = await hold(page, '**/*');
  await browse.click();
  await expect(browse).toHaveAttribute('aria-current', 'page');
  await expect(home).not.toHaveAttribute('aria-current');
  await expect(page).toHaveURL(paths.home());
  release();
  await expect(page).toHaveURL(paths.reviews());
});

test('the top bar fits on a tablet, and its button can be pressed', async ({ page, signedIn }) => {
  await page.setViewportSize({ width: 768, height: 900 });
  await signedIn(DEMO.doctor);
  await openLive(page, paths.employers());
  const bar = page.getByRole('navigation', { name: 'Main' });
  const name = bar.getByRole('button', { name: 'Account menu, Dr. Maya Castellanos' });
  await expect(name).toBeVisible();
  const { middle } = await boxOf(bar.getByRole('link', { name: 'Browse reviews' }));
  expect(Math.abs((await boxOf(name)).middle - middle)).toBeLessThan(4);

  await page.evaluate(() =>
    document.addEventListener('pointerdown', ({ target }) => {
      for (const label of (target as Element).closest('button')?.children ?? [])
        label.replaceWith(label.cloneNode(true));
    }),
  );
  const signOut = page.getByRole('button', { name: 'Sign out' });
  await expect(signOut).toBeHidden();
  await name.click();
  await expect(signOut).toBeVisible();
});

test('signing out leaves the user on a page opened meanwhile', async ({ page, signedIn }) => {
  const tabs = page.getByRole('navigation', { name: 'Tabs' });
  const browse = tabs.getByRole('link', { name: 'Browse' });
  for (const isLoading of [false, true]) {
    await signedIn(DEMO.doctor);
    await openLive(page, paths.terms());
    const logout = await hold(page, `**/api${sessionEndpoints.logout.path}`);
    const sent = page.waitForRequest(`**/api${sessionEndpoints.logout.path}`);
    await page.getByRole('button', { name: 'Menu' }).click();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await sent;
    const opening = isLoading ? await hold(page, '**/*') : null;
    await browse.click();
    await expect(browse).toHaveAttribute('aria-current', 'page');
    if (!isLoading) await expect(page).toHaveURL(paths.reviews());
    logout.release();
    await expect.poll(() => accessToken(page)).toBeNull();
    opening?.release();
    await expect(page).toHaveURL(paths.reviews());
    // A way home would be the page before.
    await page.getByRole('contentinfo').getByRole('link', { name: 'Terms' }).click();
    await expect(page).toHaveURL(paths.terms());
    await page.goBack();
    await expect(page).toHaveURL(paths.reviews());
    await page.unrouteAll();
  }
});

test('the footer stays out of view while a page loads in the browser', async ({ page }) => {
  const { release } = await hold(page, `**/api${accountEndpoints.checkResetLink.path}*`);
  await openLive(page, `${paths.passwordReset()}?token=one&uidb64=two`);
  await expect(page.getByText('Validating reset link...')).toBeVisible();
  const footer = page.getByRole('contentinfo');
  await expect(footer).not.toBeInViewport();
  release();
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
});

test('the second scroll to the top waits for the end of a mouse press', async ({ page }) => {
  // Delays it until the test releases it.
  await page.addInitScript((delay) => {
    const start = window.setTimeout.bind(window);
    const stop = window.clearTimeout.bind(window);
    const held: ((() => void) | undefined)[] = [];
    Object.assign(window, {
      setTimeout: (run: () => void, ms?: number) =>
        ms === delay ? -held.push(run) : start(run, ms),
      clearTimeout: (timer: number) => (timer < 0 ? delete held[-timer - 1] : stop(timer)),
      releaseHeld: () => {
        for (const run of held.splice(0)) run?.();
      },
    });
  }, SCROLL_REPEAT_MS);
  const release = () => page.evaluate('releaseHeld()');
  const scrolledBy = () => page.evaluate(() => window.scrollY);
  const footer = page.getByRole('contentinfo');
  const scrollDown = async (title: string) => {
    await expect(page.getByRole('heading', { name: title, level: 1 })).toBeVisible();
    await expect(page.getByRole('main')).toBeFocused();
    await footer.scrollIntoViewIfNeeded();
    expect(await scrolledBy()).toBeGreaterThan(500);
  };
  await openLive(page, paths.home());
  await footer.getByRole('link', { name: 'Terms of Use' }).click();
  await scrollDown('Terms of Use');
  await footer.getByRole('link', { name: 'Privacy Policy' }).hover();
  await page.mouse.down();
  await release();
  await page.mouse.up();
  await expect(page).toHaveURL(paths.privacy());

  await scrollDown('Privacy Policy');
  await release();
  expect(await scrolledBy()).toBe(0);
});

/** Opens a page whose scripts arrive only once the returned function is called. */
async function openBeforeScripts(page: Page, path: string): Promise<() => void> {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await page.route('**/assets/*.js', async (route) => {
    await released;
    await route.continue();
  });
  await page.goto(path, { waitUntil: 'domcontentloaded' });
  return release;
}

test('a form sent by Enter before the scripts arrive is sent once they have', async ({ page }) => {
  const release = await openBeforeScripts(page, paths.login());
  await fill(page, { Email: DEMO.doctor, Password: PASSWORD });
  await page.getByLabel('Password', { exact: true }).press('Enter');
  await expect(page.getByRole('button', { name: 'Sign in' })).toBeDisabled();
  release();
  await expect(page).toHaveURL(paths.dashboard());
});

test('buttons pressed before the scripts arrive are pressed once they have', async ({ page }) => {
  const release = await openBeforeScripts(page, paths.employers());
  const compare = page.getByRole('main').getByRole('button', { name: /^Compare/ });
  // Twice, out of impatience.
  await compare.first().click();
  await compare.first().click();
  await compare.nth(1).press('Enter');
  await expect(compare.first()).toHaveAttribute('aria-pressed', 'false');
  release();
  await expect(compare.first()).toHaveAttribute('aria-pressed', 'true');
  await expect(compare.nth(1)).toHaveAttribute('aria-pressed', 'true');
  // From now on, each press counts.
  await compare.first().click();
  await expect(compare.first()).toHaveAttribute('aria-pressed', 'false');
});
