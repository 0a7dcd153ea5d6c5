import { paths } from '#web/lib/paths.ts';
import { PASSWORD } from '../account.ts';
import { button, field } from './find.ts';
import type { Page } from './page.ts';

/** Signs in by the form, and waits for the page after it. */
export async function signIn(tab: Page, email: string, password = PASSWORD): Promise<void> {
  await tab.open(paths.login());
  await tab.fill(field('Email'), email);
  await tab.fill(field('Password'), password);
  await tab.click(button('Sign in'));
  await tab.at(paths.dashboard());
}

/** Signs out from the menu, at any width. */
export async function signOut(tab: Page): Promise<void> {
  await tab.click(button(/^(Account menu|Menu$)/));
  await tab.click(button('Sign out'));
  await tab.at(paths.home());
}
