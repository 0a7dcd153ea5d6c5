import { paths } from '#web/lib/paths.ts';
import { DEMO, DESKTOP } from '../account.ts';
import { signIn, signOut } from './account.ts';
import { heading } from './find.ts';
import { test } from './fixtures.ts';
import type { Page } from './page.ts';

const WELCOME = heading(/^Welcome, Dr\. /);

/** Signs in by the form, so that the browser keeps the document of /login, and leaves the app. */
async function signInAndLeave(tab: Page): Promise<string> {
  await tab.resize(DESKTOP);
  await signIn(tab, DEMO.doctor);
  await tab.sees(heading(/^My Reviews \([1-9]/));
  const name = await tab.with(WELCOME, ([shown]) => shown?.textContent ?? '');
  await tab.run(() => {
    Reflect.set(window, 'wasLeft', true);
    // Added last, so it sees what the page leaves for the first paint.
    addEventListener('pageshow', () => {
      sessionStorage.setItem('shown', `Kept: ${document.body.textContent}`);
    });
  });
  await tab.idle();
  await tab.goto('/robots.txt');
  return name;
}

/**
 * Goes back to the kept page, which shows nothing before it loads anew. Firefox keeps most pages, and
 * says of none why it did not: then nothing is left of it.
 */
async function backToNothing(tab: Page): Promise<void> {
  await tab.back();
  await tab.until('nothing of the kept page is shown', () => {
    const isAnew = location.pathname !== '/robots.txt' && !Reflect.has(window, 'wasLeft');
    return (sessionStorage.getItem('shown') ?? (isAnew ? 'Kept: ' : null)) === 'Kept: ';
  });
}

test('back after a sign-out in another tab shows no account', async ({ tab, newPage }) => {
  await signInAndLeave(tab);
  const other = await newPage();
  await other.open(paths.profile(), DESKTOP);
  await signOut(other);
  await backToNothing(tab);
  await tab.at(paths.login({ redirect: 'dashboard' }));
});

test('back after another doctor signed in shows only that dashboard', async ({ tab, newPage }) => {
  const name = await signInAndLeave(tab);
  const other = await newPage();
  await other.open(paths.profile(), DESKTOP);
  await signOut(other);
  await signIn(other, DEMO.readonly);
  await backToNothing(tab);
  await tab.sees(WELCOME);
  await tab.sees(heading('My Reviews (0)'));
  await tab.gone(name);
});
