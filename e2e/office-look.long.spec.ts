import type { Page } from '@playwright/test';
import { CASE_KIND_KEYS, CASE_KINDS, type CaseKind } from '#contract/cases.ts';
import { paths } from '#web/lib/paths.ts';
import { DEMO, PHONE, signIn } from './account.ts';
import { expect, testApart } from './fixtures.ts';
import * as stock from './office-stock.ts';
import type { TestServer } from './server.ts';
import { setTextSize, sideways, WIDTHS } from './widths.ts';

/** The pages of the office and its public record, by the staff member who opens them. */
type Office = Record<string, string[]>;

const test = testApart().extend<object, { office: Office }>({
  office: [
    async ({ server }, use) => use(await stockedOffice(server)),
    { scope: 'worker', timeout: 120_000 },
  ],
});

async function stockedOffice(server: TestServer): Promise<Office> {
  const stocked = await stock.casesOfEveryKind(server, ['moderator']);
  const { other, verifier, reported, appealed, employer } = stocked;
  await stock.submittedEmployer(
    server,
    'Gastroenterology Associates of the Northern Highlands and Islands',
  );
  await stock.corrections(server, 1);
  await stock.decidedDemand(server, appealed.id);
  await stock.removedReply(server);
  const casesOf = async (email: string, kinds: readonly CaseKind[]) => {
    const open = await stock.openCases(server, email);
    return kinds.map((kind) => {
      const found = open.find((one) => one.kind === kind);
      if (!found) throw new Error(`no case: ${CASE_KINDS[kind]}`);
      return paths.case(found.id);
    });
  };
  const ofOthers: CaseKind[] = ['appeal', 'second_look'];
  const ofVerifiers: CaseKind[] = ['doctor', 'eviction'];
  const rest = CASE_KIND_KEYS.filter((kind) => ![...ofOthers, ...ofVerifiers].includes(kind));
  const office: Office = {
    [other]: await casesOf(other, ofOthers),
    [verifier]: await casesOf(verifier, ofVerifiers),
    [DEMO.admin]: [
      paths.office(),
      paths.office({ kind: 'legal' }),
      paths.office({ claim: 'own' }),
      ...(await casesOf(DEMO.admin, rest)),
      paths.case(crypto.randomUUID()),
      paths.adminReports(),
      paths.adminReports({ show: 'removed' }),
      paths.adminReports({ show: 'kept' }),
      paths.adminReports({ show: 'replies' }),
      paths.adminReview(reported.id),
      paths.admin('representatives'),
      paths.adminEmployer(employer.id),
      paths.admin('staff'),
      paths.admin('security'),
      paths.transparency(),
    ],
  };
  // So that the public record has tables.
  await stock.passMonth(server);
  return office;
}

test.describe.configure({ mode: 'default' });

/** Opens each page of the office. */
async function forEachPage(
  page: Page,
  { server, office }: { server: TestServer; office: Office },
  look: (path: string) => Promise<void>,
): Promise<void> {
  for (const [email, addresses] of Object.entries(office)) {
    await signIn(page, server, email);
    for (const path of addresses) {
      await page.goto(path);
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      await look(path);
    }
  }
}

/** Opens the page's dialog, if it has one. */
async function openDialog(page: Page): Promise<void> {
  const opener = page
    .getByRole('main')
    .getByRole('button', { name: /^(Record|Remove|Decide|Merge into|Change roles)/ })
    .first();
  if (!(await opener.isVisible())) return;
  await opener.click();
  // The outcome of a demand is recorded without a dialog.
  const dialog = page.getByRole('dialog');
  await expect(dialog.or(page.locator('[aria-invalid]')).first()).toBeVisible();
}

/** Checks the open page at all widths, without and then with its dialog. */
async function expectToFit(page: Page, path: string): Promise<void> {
  for (const state of ['page', 'dialog']) {
    const isPage = state === 'page';
    if (!isPage) await openDialog(page);
    for (const [at, width, isLarge] of isPage ? WIDTHS : WIDTHS.toReversed()) {
      await setTextSize(page, isLarge ? 200 : 100);
      await page.setViewportSize({ width, height: 800 });
      expect.soft([path, state, at, await sideways(page)]).toEqual([path, state, at, 0]);
    }
  }
}

test('every page and its dialog is accessible and fits, also with text at 200%', async ({
  page,
  server,
  office,
}) => {
  test.setTimeout(480_000);
  await page.setViewportSize(PHONE);
  await forEachPage(page, { server, office }, async (path) => {
    await expect(page).toBeAccessible('light', 'dark');
    await expectToFit(page, path);
  });
});

test('the public record counts a legal demand after its month', async ({ page, office }) => {
  expect(Object.keys(office)).not.toEqual([]);
  await page.goto(paths.transparency());
  const main = page.getByRole('main');
  await expect(main).toContainText('We have received legal demands.');
  const row = main.getByRole('row').filter({ hasText: 'Subpoena' });
  await expect(row).toContainText('Nothing handed over, because we cannot: fewer than 5');
  await expect(row.getByRole('cell').last()).toHaveText('fewer than 5');
});

test('a second look does not offer the actions of a reader', async ({ page, server, office }) => {
  const [email = '', addresses = []] = Object.entries(office)[0] ?? [];
  await signIn(page, server, email, addresses[1] ?? '');
  const file = page.getByRole('region', { name: 'Case' });
  await expect(file.getByRole('button', { name: 'It should be public' })).toBeVisible();
  await expect(file.getByRole('button', { name: /^(Helpful|Report|Share)/ })).toHaveCount(0);
});
