import type { Page } from '@playwright/test';
import { paths } from '#web/lib/paths.ts';
import { DEMO, fillInSignup, logIn, newDetails } from './account.ts';
import { NONSENSE } from './employers.ts';
import { expect, test } from './fixtures.ts';
import { openLive } from './hydration.ts';
import { anEmployer, fillReview, openForm, sendReview, submit } from './review.ts';

/** Replaces every text, also those that React writes later, as the translators of browsers do. */
function translate() {
  const isTranslated = ({ parentElement }: Text) =>
    parentElement === null || parentElement.closest('font, script, style, textarea') !== null;
  const wrapAll = (root: Node) => {
    const texts: Text[] = [];
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    if (root instanceof Text) texts.push(root);
    while (walker.nextNode()) texts.push(walker.currentNode as Text);
    for (const text of texts) {
      if (!text.data.trim() || isTranslated(text)) continue;
      const [outer, inner] = [document.createElement('font'), document.createElement('font')];
      inner.textContent = text.data;
      outer.append(inner);
      text.replaceWith(outer);
    }
  };
  wrapAll(document.body);
  new MutationObserver((changes) => {
    for (const { addedNodes } of changes) addedNodes.forEach(wrapAll);
  }).observe(document.body, { childList: true, subtree: true });
}

async function openTranslated(page: Page, path: string) {
  await openLive(page, path);
  await page.evaluate(translate);
}

const isFine = async (page: Page) => {
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(page.getByText('Unexpected Application Error!')).toHaveCount(0);
};

test('a translated page signs in, signs up, and sends reset links', async ({ page }) => {
  await openTranslated(page, paths.signup());
  await page.getByRole('button', { name: 'Sign up' }).click();
  await expect(page.getByText('NPI Number is required')).toBeVisible();
  await fillInSignup(page, newDetails());
  await page.getByRole('button', { name: 'Sign up' }).click();
  await expect(page.getByLabel('Verification code')).toBeVisible();
  await page.getByRole('button', { name: 'Back to signup' }).click();
  await expect(page.getByRole('button', { name: 'Sign up' })).toBeVisible();

  await openTranslated(page, paths.forgotPassword());
  await page.getByLabel('Email').fill(newDetails().email);
  await page.getByRole('button', { name: 'Send Reset Email' }).click();
  await expect(page.getByText('Password reset email sent!')).toBeVisible();
  await page.getByRole('button', { name: 'Send Another Reset Email' }).click();
  await expect(page.getByLabel('Email')).toBeVisible();

  await openTranslated(page, paths.login());
  await logIn(page, newDetails().email, 'x');
  await expect(page.getByRole('alert')).toBeVisible();
  await logIn(page, DEMO.doctor);
  await expect(page).toHaveURL(paths.dashboard());
  await isFine(page);
  // The name of the account has taken the place of its placeholder.
  await page.getByRole('link', { name: 'Browse reviews' }).first().click();
  await expect(page).toHaveURL(paths.reviews());
  await isFine(page);
});

test('translated lists, filters, and the review form keep working', async ({ page, server }) => {
  await openTranslated(page, paths.reviews());
  await page.getByRole('link', { name: 'Load more' }).click();
  await expect(page.getByRole('article').nth(20)).toBeAttached();
  await page.getByRole('searchbox').or(page.getByRole('combobox')).first().fill(NONSENSE);
  await page.keyboard.press('Enter');
  await expect(page.getByText('No reviews found')).toBeVisible();
  await page.getByRole('link', { name: 'Clear search and filters' }).click();
  await expect(page.getByRole('article').first()).toBeVisible();
  await isFine(page);

  await openForm(page, server, { employer: await anEmployer(server) });
  await page.evaluate(translate);
  await submit(page);
  await expect(page.getByText('Please provide an overall rating').first()).toBeVisible();
  await fillReview(page);
  await sendReview(page);
  await page.getByRole('link', { name: 'Go to my dashboard' }).click();
  await isFine(page);
});
