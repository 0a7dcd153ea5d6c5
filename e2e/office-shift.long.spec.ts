import type { Page } from '@playwright/test';
import { CASE_KIND_KEYS, CASE_KINDS, type CaseKind } from '#contract/cases.ts';
import { paths } from '#web/lib/paths.ts';
import { DEMO, DESKTOP, signIn, signOut } from './account.ts';
import { expect, testApart } from './fixtures.ts';
import * as stock from './office-stock.ts';
import { anEmployer, nameOf } from './review.ts';

// Separate, because its decisions about the demo's accounts would affect the tests of other files.
const test = testApart();

const CASES = 20;

/** How to decide once the keys have opened the decision, and what the page then says. */
const DECISIONS: Record<CaseKind, { decide: (page: Page) => Promise<void>; done: RegExp }> = {
  report: { decide: byDialog('Remove review', 'Reason'), done: /The review has been removed/ },
  appeal: {
    async decide(page) {
      await page.keyboard.press('Enter');
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Outcome').selectOption('overturn');
      await dialog.getByLabel('Answer').pressSequentially('You are right.');
      await dialog.getByRole('button', { name: 'Decide appeal' }).press('Enter');
    },
    done: /The appeal succeeded/,
  },
  second_look: {
    decide: (page) => page.keyboard.press('Enter'),
    done: /You (dis)?agree with the decision/,
  },
  reply: { decide: byDialog('Remove reply', 'Reason'), done: /The reply has been removed/ },
  doctor: { decide: byForm('verify', 'Verify'), done: /The doctor is verified/ },
  eviction: { decide: byForm('dismiss', 'Leave as it is'), done: /Nothing changed/ },
  employer: { decide: (page) => page.keyboard.press('Enter'), done: /stays in the directory/ },
  correction: { decide: byForm(null, 'Accept Phone'), done: /Phone is now/ },
  legal: {
    async decide(page) {
      await page.getByLabel('Outcome').selectOption('unable');
      await page.getByLabel('Note').pressSequentially('The review is locked.');
      await page.getByRole('button', { name: 'Record outcome' }).press('Enter');
    },
    done: /The outcome has been recorded/,
  },
  representative: { decide: byForm('approve', 'Approve'), done: /can reply now/ },
};

function byDialog(button: string, label: string) {
  return async (page: Page) => {
    await expect(page.getByRole('button', { name: button })).toBeFocused();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Rule').selectOption('general');
    // Replaces the text to start from.
    await dialog.getByLabel(label).press('ControlOrMeta+a');
    await dialog.getByLabel(label).pressSequentially('Names a nurse.');
    await dialog.getByRole('button', { name: button }).press('Enter');
  };
}

function byForm(choice: string | null, button: string) {
  return async (page: Page) => {
    if (choice) await page.getByLabel('What to do').selectOption(choice);
    await page.getByLabel('Reason').pressSequentially('Looked at it.');
    await page.getByRole('button', { name: button }).press('Enter');
  };
}

/** Works through the unclaimed cases of a kind. Returns how many were decided. */
async function work(page: Page, kind: CaseKind): Promise<number> {
  const region = page.getByRole('region', { name: 'Case' });
  const queue = page.getByRole('region', { name: 'Queue' });
  const own = page.getByText(/^Claimed by you until/);
  const refused = page.getByText(/Another administrator is working|has already been decided/);
  const gone = page.getByText('This case is no longer open');
  for (let decided = 0; ; ) {
    await page.goto(paths.office({ kind, claim: 'free' }));
    await expect(queue.getByText(/\d+ cases? to decide/)).toBeVisible();
    if (await queue.getByText(/^0 cases to decide$/).isVisible()) return decided;
    await expect(page.getByRole('main')).toBeFocused();
    await page.keyboard.press('n');
    await expect(region.or(gone)).toBeVisible();
    if (await gone.isVisible()) continue;
    await page.keyboard.press('c');
    await expect(own.or(refused).or(gone).first()).toBeVisible();
    // The other administrator was faster.
    if (!(await own.isVisible())) continue;
    await page.keyboard.press('d');
    await DECISIONS[kind].decide(page);
    await expect(page.getByText(DECISIONS[kind].done).first()).toBeVisible();
    decided += 1;
  }
}

test('staff work through twenty cases by keyboard, for all to see', async ({
  page,
  browser,
  server,
}) => {
  test.setTimeout(300_000);
  await page.setViewportSize(DESKTOP);
  const stocked = await stock.casesOfEveryKind(server, ['moderator', 'curator']);
  const { other, verifier, reported, appealed } = stocked;
  await stock.corrections(server, 3);
  const all = async () => [
    // The administrator does not see the second look.
    ...(await stock.openCases(server, other)),
    ...(await stock.openCases(server, DEMO.admin, 'legal')),
    ...(await stock.openCases(server, verifier)),
  ];
  expect(new Set((await all()).map(({ kind }) => kind))).toEqual(new Set(CASE_KIND_KEYS));
  for (let at = 2; (await all()).length < CASES; at += 1) {
    await stock.reportedReview(server, { position_title: `Reported ${at}` });
  }
  expect(await all()).toHaveLength(CASES);

  const newPage = () => browser.newPage({ baseURL: server.url, viewport: DESKTOP });
  const pages = { other: await newPage(), verifier: await newPage() };
  await signIn(page, server, DEMO.admin);
  await signIn(pages.other, server, other);
  await signIn(pages.verifier, server, verifier);
  const decided = new Map<CaseKind, number>();
  // Appeals and second looks of the administrator's decisions go to the other moderator.
  for (const kind of ['appeal', 'second_look'] as const) {
    decided.set(kind, await work(pages.other, kind));
  }
  decided.set('legal', await work(page, 'legal'));
  for (const kind of ['report', 'reply', 'employer', 'correction', 'representative'] as const) {
    const [one = 0, two = 0] = await Promise.all([page, pages.other].map((by) => work(by, kind)));
    decided.set(kind, one + two);
  }
  for (const kind of ['doctor', 'eviction'] as const) {
    decided.set(kind, await work(pages.verifier, kind));
  }
  expect([...decided.keys()].toSorted()).toEqual([...CASE_KIND_KEYS].toSorted());
  expect([...decided.values()].reduce((sum, one) => sum + one, 0)).toBe(CASES);
  for (const [kind, count] of decided) expect(count, CASE_KINDS[kind]).toBeGreaterThan(0);
  for (const each of Object.values(pages)) await each.close();

  // The author whose appeal was overturned, and whose review the legal demand names.
  const main = page.getByRole('main');
  await signIn(page, server, appealed.email, paths.dashboard());
  await expect(main).toContainText('You are right.');
  await expect(main).toContainText('We received a legal demand about this review.');
  // The author of the removed review.
  await signIn(page, server, DEMO.doctor, paths.dashboard());
  await expect(main).toContainText('Reason: Names a nurse.');
  // The reporter.
  await signIn(page, server, DEMO.pending, paths.dashboard());
  await expect(page.getByRole('region', { name: 'Your reports' })).toContainText('Removed');
  // The public.
  await signOut(page);
  await page.goto(paths.review(reported.id));
  await expect(main).not.toContainText('Pulmonary');
  const corrected = await anEmployer(server);
  await page.goto(paths.employer(corrected.id));
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(nameOf(corrected));
  await expect(main).toContainText('(334) 555-0142');
  await stock.passMonth(server);
  await page.goto(paths.transparency());
  await expect(main).toContainText('Several people decide.');
  await expect(main).toContainText('fewer than 5 received');
  await expect(main).toContainText('Replies from employers: fewer than 5 reported');
});
