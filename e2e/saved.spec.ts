import type { Page } from '@playwright/test';
import { savedEndpoints } from '#contract/endpoints/saved.ts';
import { titleCase } from '#contract/names.ts';
import { searchAddress } from '#contract/saved/saved-address.ts';
import { deriveKeys } from '#server/anonymity/keys.ts';
import { storedSecrets } from '#server/config/stored-secrets.ts';
import { unsubscribeUrl } from '#server/features/saved/weekly-mail.ts';
import { paths } from '#web/lib/paths.ts';
import { call, DESKTOP, logIn, PHONE, signIn, signUp, tokensFor } from './account.ts';
import { extremes } from './employers.ts';
import { expect, LONG, test, withoutScript } from './fixtures.ts';
import { follow } from './forms.ts';
import { openLive } from './hydration.ts';
import type { TestServer } from './server.ts';
import { atSizes, sideways } from './widths.ts';

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const inBrowser = (page: Page) => page.evaluate(() => localStorage.getItem('saved'));
const savedEmployers = (page: Page) =>
  page.getByRole('region', { name: 'Employers' }).getByRole('listitem');
const weeklyMail = (page: Page) =>
  page.getByRole('checkbox', { name: 'Email me what’s new once a week' });

/** Saves an employer from its page. */
async function saveOn(page: Page, { id, name }: { id: number; name: string }) {
  await openLive(page, paths.employer(id));
  await button(page, `Save ${titleCase(name)}`).click();
  await expect(button(page, `Save ${titleCase(name)}`)).toHaveAttribute('aria-pressed', 'true');
}

async function openSaved(page: Page) {
  await page.goto(paths.saved());
  await expect(page.getByRole('heading', { name: 'Saved', level: 1 })).toBeVisible();
}

test('a visitor saves in the browser, for all tabs', async ({ page, server, context }) => {
  const { most, none } = await extremes(server);
  const other = await context.newPage();
  await openLive(other, paths.employer(most.id));
  await saveOn(page, most);
  const elsewhere = button(other, `Save ${titleCase(most.name)}`);
  await expect(elsewhere).toHaveAttribute('aria-pressed', 'true');
  await other.close();
  await openLive(page, paths.employers({ search: none.name, hospitals_only: 'true' }));
  await button(page, `Save ${titleCase(none.name)}`).click();
  await button(page, 'Save this search').click();
  await expect(button(page, 'Save this search')).toHaveAttribute('aria-pressed', 'true');
  await expect(page).toBeAccessible();
  await openLive(page, paths.reviews({ state: 'NH', ordering: '-overall_rating' }));
  await button(page, 'Save this search').click();
  await expect(button(page, 'Save this search')).toHaveAttribute('aria-pressed', 'true');
  await expect(page).toBeAccessible();
  await page.getByRole('main').getByRole('link', { name: 'Saved', exact: true }).click();

  const employers = page.getByRole('region', { name: 'Employers' });
  const entry = employers.getByRole('listitem').filter({ hasText: titleCase(most.name) });
  await expect(entry).toContainText(most.overall_rating?.toFixed(1) ?? '');
  const facts = new RegExp(`${most.total_reviews} reviews, newest \\w+ \\d+, \\d{4}`);
  await expect(entry).toContainText(facts);
  await expect(employers.getByRole('listitem')).toHaveCount(2);
  const searches = page.getByRole('region', { name: 'Searches' });
  await expect(searches.getByRole('link')).toHaveText([
    'Reviews: NH',
    `Employers: “${none.name}”, Hospitals only`,
  ]);
  await expect(page).toBeAccessible('light', 'dark');
  await atSizes(page, [DESKTOP, PHONE], async () => expect(await sideways(page)).toBe(0));

  await page.reload();
  await button(page, `Remove ${titleCase(most.name)}`).click();
  await expect(employers.getByRole('listitem')).toHaveCount(1);
  await button(page, 'Remove Reviews: NH').click();
  await expect(searches.getByRole('listitem')).toHaveCount(1);
  await searches.getByRole('link').click();
  const search = { search: none.name, hospitals_only: 'true' };
  await expect(page).toHaveURL(searchAddress('/employers', search));
  await expect(button(page, 'Save this search')).toHaveAttribute('aria-pressed', 'true');
  await button(page, 'Save this search').click();
  await expect(button(page, 'Save this search')).toHaveAttribute('aria-pressed', 'false');
});

test('saved employers can be compared; the menu counts what is saved', async ({ page, server }) => {
  const { most, none } = await extremes(server);
  await page.setViewportSize(PHONE);
  await saveOn(page, most);
  await saveOn(page, none);
  await button(page, 'Menu').click();
  await page.getByRole('link', { name: 'Saved 2', exact: true }).click();
  for (const { name } of [most, none]) {
    await button(page, `Compare ${titleCase(name)}`).click();
  }
  await expect(page).toBeAccessible('light', 'dark');
  expect(await sideways(page)).toBe(0);
  await follow(page, 'Compare these 2 employers', paths.compare([most.id, none.id]));
  await page.goBack();
  const remove = { name: `Remove ${titleCase(none.name)}` };
  await savedEmployers(page).getByRole('button', remove).click();
  await button(page, 'Menu').click();
  await expect(page.getByRole('link', { name: 'Saved 1', exact: true })).toBeVisible();
});

test('lists have no target under 24 px on a phone', LONG, async ({ page, server }) => {
  const { most, none } = await extremes(server);
  await page.setViewportSize(PHONE);
  await saveOn(page, most);
  await openLive(page, paths.employers({ search: none.name }));
  await button(page, `Compare ${titleCase(none.name)}`)
    .first()
    .click();
  const filtered = [paths.employers({ state: 'TX' }), paths.reviews({ state: 'TX' })];
  for (const path of [...filtered, paths.saved(), paths.compare()]) {
    await openLive(page, path);
    const targets = page.getByRole('main').locator('a, button, select, summary');
    const small = await targets.evaluateAll((all) =>
      all.flatMap((one) => {
        const { width, height } = one.getBoundingClientRect();
        const isHidden = width < 3;
        // A card's name is a link of the size of the card.
        const isCard = getComputedStyle(one, '::after').position === 'absolute';
        return isHidden || isCard || Math.min(width, height) >= 24 ? [] : [one.textContent];
      }),
    );
    expect.soft(small, path).toEqual([]);
  }
});

test('after signing in, all moves to the account', async ({ page, server, elsewhere }) => {
  const { most, none } = await extremes(server);
  const { email } = await signUp(server);
  await saveOn(page, most);
  await openSaved(page);
  await page.getByRole('main').getByRole('link', { name: 'Log in' }).click();
  await logIn(page, email);
  await expect(page).toHaveURL(paths.saved());
  await expect(page.getByText('Encrypted with your account')).toBeVisible();
  await expect(page.getByRole('listitem').filter({ hasText: titleCase(most.name) })).toBeVisible();
  expect(await inBrowser(page)).toBeNull();

  const mail = weeklyMail(page);
  await expect(mail).not.toBeChecked();
  await mail.click();
  await expect(mail).toBeChecked();
  await expect(page).toBeAccessible('light', 'dark');

  await signIn(elsewhere, server, email);
  await saveOn(elsewhere, none);
  await openSaved(elsewhere);
  await expect(savedEmployers(elsewhere)).toHaveCount(2);
  await expect(weeklyMail(elsewhere)).toBeChecked();

  // The first tab does not know about it yet, but does not delete it.
  await button(page, `Remove ${titleCase(most.name)}`).click();
  await expect(page.getByRole('listitem').filter({ hasText: titleCase(none.name) })).toBeVisible();
});

test('the email links to a page that stops it by a button', async ({ page, server }) => {
  const { path, isOn } = await follower(server);
  await openLive(page, path);
  await expect(page.getByRole('heading', { name: 'Stop the weekly email' })).toBeVisible();
  expect(await isOn()).toBe(true);
  await expect(page).toBeAccessible();
  await button(page, 'Stop the weekly email').click();
  const stopped = page
    .getByRole('status')
    .filter({ hasText: 'You will get no more weekly emails.' });
  await expect(stopped).toBeFocused();
  await expect(page).toBeAccessible();
  expect(await isOn()).toBe(false);

  await openLive(page, '/unsubscribe?token=x');
  await button(page, 'Stop the weekly email').click();
  await expect(page.getByRole('alert')).toHaveText('This link is invalid or has expired.');
});

/** A new account that has saved this. Returns its email address. */
async function accountWith(server: TestServer, saved: string) {
  const { email } = await signUp(server);
  await call(server, savedEndpoints.save, { as: email, body: { entries: [saved] } });
  return email;
}

/** An account that gets the weekly email, and the path of the link in that email. */
async function follower(server: TestServer) {
  const as = await accountWith(server, paths.employer(1));
  const { id } = (await tokensFor(server, as)).user;
  await call(server, savedEndpoints.weeklyMail, { as, body: { weekly_mail: true } });
  const keys = deriveKeys(storedSecrets(server.dataDir));
  const config = { publicUrl: server.url } as Parameters<typeof unsubscribeUrl>[0]['config'];
  const { pathname, search } = new URL(unsubscribeUrl({ keys, config }, id));
  return {
    path: pathname + search,
    isOn: async () => (await call(server, savedEndpoints.list, { as })).weekly_mail,
  };
}

test('a full list is kept, and the button says so', LONG, async ({ page, server }) => {
  const { most: first } = await extremes(server);
  await page.goto(paths.terms());
  const full = Array.from({ length: 50 }, (_, at) => `/employers/${900_000 + at}`);
  await page.evaluate((entries) => localStorage.setItem('saved', JSON.stringify(entries)), full);
  await openLive(page, paths.employer(first.id));
  await button(page, `Save ${titleCase(first.name)}`).click();
  const isFull = 'There is no room to save more. Please remove something first.';
  await expect(page.getByRole('alert')).toHaveText(isFull);
  expect(JSON.parse((await inBrowser(page)) ?? '')).toEqual(full);

  // What does not fit into the account stays in the browser.
  await signIn(page, server, await accountWith(server, paths.employer(1)));
  await openSaved(page);
  const left = 'We could not move everything that is saved in this browser';
  await expect(page.getByText(left)).toBeVisible();
  await expect(savedEmployers(page)).toHaveCount(51);
  await button(page, 'Remove Employer 900000').click();
  await expect(savedEmployers(page)).toHaveCount(50);
});

test('a tampered storage shows only addresses of this site', LONG, async ({ page }) => {
  await page.goto(paths.terms());
  const entries = ['javascript:alert(1)', 'https://evil.example/', '/employers/1', 7, null];
  await page.evaluate((all) => localStorage.setItem('saved', JSON.stringify(all)), entries);
  await openSaved(page);
  await expect(savedEmployers(page)).toHaveCount(1);
  await expect(page.getByRole('region', { name: 'Searches' })).toHaveCount(0);
});

test('signing out hides what the account has saved', async ({ page, server, most }) => {
  await signIn(page, server, await accountWith(server, paths.employer(most.id)));
  await openSaved(page);
  await expect(page.getByRole('listitem').filter({ hasText: titleCase(most.name) })).toBeVisible();
  await page.getByRole('button', { name: /^Account menu/ }).click();
  await button(page, 'Sign out').click();
  await expect(page).toHaveURL(paths.home());
  await page.setViewportSize(PHONE);
  await button(page, 'Menu').click();
  await page.getByRole('link', { name: 'Saved', exact: true }).click();
  await expect(page).toHaveURL(paths.saved());
  await expect(page.getByText('Nothing saved yet')).toBeVisible();
  expect(await inBrowser(page)).toBeNull();
});

withoutScript('without script, the link in the email works', LONG, async ({ page, server }) => {
  const { path, isOn } = await follower(server);
  await page.goto(path);
  await button(page, 'Stop the weekly email').click();
  await expect(page.getByText('You will get no more weekly emails.')).toBeVisible();
  expect(await isOn()).toBe(false);
  await page.goto(paths.saved());
  // Text locators skip the content of <noscript>.
  const notice = page.locator('noscript p').filter({ visible: true });
  await expect(notice).toContainText('This page needs JavaScript.');
});
