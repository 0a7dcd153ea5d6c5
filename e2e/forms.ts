import { expect, type Locator, type Page } from '@playwright/test';

type Scope = Page | Locator;

/** Fills in fields by their labels. */
export async function fill(scope: Scope, values: Record<string, string>): Promise<void> {
  for (const [label, value] of Object.entries(values))
    await scope.getByLabel(label, { exact: true }).fill(value);
}

/** Asserts the values of fields by their labels. */
export async function expectValues(scope: Scope, values: Record<string, string>): Promise<void> {
  for (const [label, value] of Object.entries(values))
    await expect(scope.getByLabel(label, { exact: true })).toHaveValue(value);
}

/** Presses a button. */
export const press = (scope: Scope, name: string | RegExp) =>
  scope.getByRole('button', { name }).click();

/** Follows a link, and asserts where it leads. */
export async function follow(scope: Scope, name: string | RegExp, url: string | RegExp) {
  const page = 'page' in scope ? scope.page() : scope;
  await scope.getByRole('link', { name }).click();
  await expect(page).toHaveURL(url);
}

export const dialog = (page: Page, name?: string) => page.getByRole('dialog', name ? { name } : {});

/** A button of the open dialog. */
export const button = (page: Page, name: string) => dialog(page).getByRole('button', { name });

/** Asserts that each of these texts is shown, once. */
export async function expectTexts(scope: Scope, ...texts: (string | RegExp)[]): Promise<void> {
  for (const text of texts) await expect(scope.getByText(text)).toBeVisible();
}
