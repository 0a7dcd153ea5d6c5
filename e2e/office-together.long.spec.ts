import { apiPath } from '#contract/api-path.ts';
import { correctionDecisionEndpoints, employerEndpoints } from '#contract/endpoints/employers.ts';
import { caseEndpoints } from '#contract/endpoints/office.ts';
import { reviewEndpoints } from '#contract/endpoints/reviews.ts';
import { QUEUE_INTERVAL_MS } from '#contract/limits.ts';
import { paths } from '#web/lib/paths.ts';
import {
  call,
  DEMO,
  draftKeys,
  hold,
  refuse,
  sendExpired,
  signIn,
  signOut,
  sure,
} from './account.ts';
import { expect, testApart } from './fixtures.ts';
import { follow, press } from './forms.ts';
import * as stock from './office-stock.ts';
import { anEmployer, reviewOf } from './review.ts';

const test = testApart();

test.describe.configure({ mode: 'default' });

test('an edit meanwhile: the dialog has the new text and the draft', async ({ page, server }) => {
  const review = await stock.reportedReview(server, { position_title: 'Edited meanwhile' });
  await signIn(page, server, DEMO.admin, paths.office({ kind: 'report' }));
  const row = page.getByRole('listitem').filter({ hasText: 'Edited Meanwhile' });
  await expect(row).toContainText('1 report: ');
  await page.getByRole('link', { name: 'Edited Meanwhile' }).click();
  await press(page, 'Remove review');
  const dialog = page.getByRole('dialog', { name: 'Remove review' });
  // The first field, and not the button to close.
  await expect(dialog.getByLabel('Rule')).toBeFocused();
  await expect(dialog.getByLabel('Rule')).toHaveValue('');
  await dialog.getByLabel('Rule').selectOption('abuse');
  await dialog.getByLabel('Reason').fill('An insult, in the second line.');

  // What was typed survives a dialog that was closed, until it is sent.
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await press(page, 'Remove review');
  await expect(dialog.getByLabel('Reason')).toHaveValue('An insult, in the second line.');
  await expect(dialog.getByLabel('Rule')).toHaveValue('abuse');

  const review_text = 'We have talked it over, and the nights are fine now.';
  const body = reviewOf(await anEmployer(server), {
    position_title: 'Edited meanwhile',
    review_text,
  });
  const params = { id: review.id };
  await call(server, reviewEndpoints.edit, { as: DEMO.doctor, body, params });
  await dialog.getByLabel('Reason').press('Control+Enter');
  await expect(dialog.getByRole('alert')).toContainText('This has changed since you read it.');
  await expect(dialog.getByRole('blockquote')).toContainText(review_text);
  await expect(dialog.getByLabel('Reason')).toHaveValue('An insult, in the second line.');
  await expect(page).toBeAccessible('light', 'dark');
  await page.keyboard.press('Escape');
  await expect(page.getByText('Edited since it was reported')).toBeVisible();

  await press(page, 'Keep review');
  const keep = page.getByRole('dialog', { name: 'Keep review' });
  await press(keep, 'Keep review');
  await expect(keep.getByText('Please choose a rule')).toBeVisible();
  await keep.getByLabel('Rule').selectOption('abuse');
  await press(keep, 'Keep review');
  // The banner names what was decided, and leads to where it can be undone.
  const main = page.getByRole('main');
  await expect(main).toContainText(
    'Edited Meanwhile: The review stays, and its reports are closed.',
  );
  await follow(main, 'Undo', paths.adminReview(review.id));
  await expect(page.getByRole('region', { name: 'History' })).toContainText('Kept · Rowan');
  await expect(page.getByRole('region', { name: 'History' })).toContainText('It insults a nurse.');
  await expect(page).toBeAccessible('light', 'dark');
  await expect(main).not.toContainText(/Castellanos|Lindqvist|@curbside/);
  await page.goto(paths.review(review.id));
  await follow(page, 'Open in the office', paths.adminReview(review.id));
  await signOut(page);
  await page.goto(paths.review(review.id));
  await expect(page.getByRole('article')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Open in the office' })).toHaveCount(0);
});

test('of two curators, the second reads who decided what, and keeps the typed reason', async ({
  page,
  elsewhere: second,
  server,
}) => {
  const other = await stock.newStaff(server, ['curator']);
  await stock.corrections(server, 1);
  const [open] = await stock.openCases(server, DEMO.admin, 'correction');
  const path = paths.case(open?.id ?? '');
  await signIn(page, server, DEMO.admin);
  await signIn(second, server, other);
  for (const each of [page, second]) {
    await each.goto(path);
    await each.getByLabel('Reason').fill('Called the switchboard.');
  }
  // Without a network: a message, and the text stays.
  const accepting = `**/api${correctionDecisionEndpoints.accept.path.replace(/:id/, '*')}`;
  await page.route(accepting, (route) => route.abort());
  await press(page, 'Accept Phone');
  await expect(page.getByText('Network error.')).toBeVisible();
  await expect(page.getByLabel('Reason')).toHaveValue('Called the switchboard.');
  await page.unroute(accepting);
  const claiming = `**/api${caseEndpoints.claim.path.replace(/:id/, '*')}`;
  await page.route(claiming, (route) => route.abort());
  await press(page, 'Claim');
  await expect(page.getByText(/^Network error.* Please try again\.$/)).toBeVisible();
  await page.unroute(claiming);
  await page.route(claiming, refuse(500));
  await press(page, 'Claim');
  await expect(
    page.getByText('Server error. Please try again later.', { exact: true }),
  ).toBeVisible();
  await expect(page.getByLabel('Reason')).toHaveValue('Called the switchboard.');

  const drafts = async () => (await draftKeys(page)).filter((key) => key.includes(':correction:'));
  expect(await drafts()).toHaveLength(1);
  await press(page, 'Accept Phone');
  await expect(page.getByText(/Phone is now/)).toBeVisible();
  expect(await drafts()).toEqual([]);
  await press(second, 'Refuse Phone');
  const lost = second.getByRole('alert');
  await expect(lost).toContainText('This case has already been decided.');
  await expect(lost).toContainText('Accepted a correction · ');
  await expect(second.getByLabel('Reason')).toHaveValue('Called the switchboard.');
});

test('of two corrections, one is accepted, and the case stays open', async ({ page, server }) => {
  const employer = await anEmployer(server);
  const source = 'Their own page';
  for (const [field, value] of [
    ['zip', '60601'],
    ['website', 'https://hospital.example'],
  ] as const) {
    const body = { field, value, source };
    await call(server, employerEndpoints.correct, {
      as: DEMO.doctor,
      body,
      params: { id: employer.id },
    });
  }
  const [open] = await stock.openCases(server, DEMO.admin, 'correction');
  await signIn(page, server, DEMO.admin, paths.case(sure(open).id));
  const heading = page.getByRole('heading', { name: 'ZIP code' });
  const zip = page.locator('section', { has: heading }).last();
  await zip.getByLabel('Reason').fill('Called the switchboard.');
  await press(page, 'Accept ZIP code');
  await expect(page.getByText('ZIP code is now 60601.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Accept Website' })).toBeVisible();
  expect((await draftKeys(page)).filter((key) => key.includes(':correction:'))).toEqual([]);
});

test('says before writing who holds a case, and what the keys do', async ({
  page,
  elsewhere: second,
  server,
}) => {
  const other = await stock.newStaff(server, ['moderator']);
  await stock.reportedReview(server, { position_title: 'Held by one' });
  await stock.reportedReview(server, { position_title: 'Held by nobody' });
  const cases = await stock.openCases(server, DEMO.admin, 'report');
  const held = cases.find(({ title }) => title === 'Held by One');
  const params = { id: held?.id ?? '' };
  await call(server, caseEndpoints.claim, { as: DEMO.admin, params });
  await second.clock.install();
  await signIn(second, server, other, paths.case(params.id));
  await expect(
    second.getByText(/has claimed this case until .*\. You can decide it/),
  ).toBeVisible();
  await expect(second.getByRole('button', { name: 'Remove review' })).toBeDisabled();
  await expect(second).toBeAccessible('light', 'dark');
  // The decision opens once the claim has ended, and keeps what was typed beside it.
  await second.getByLabel('Message to colleagues').fill('Mine next.');
  await call(server, caseEndpoints.release, { as: DEMO.admin, params });
  await second.clock.fastForward(QUEUE_INTERVAL_MS);
  await expect(second.getByRole('button', { name: 'Remove review' })).toBeEnabled();
  await expect(second.getByText('Not claimed')).toBeVisible();
  await expect(second.getByLabel('Message to colleagues')).toHaveValue('Mine next.');
  await call(server, caseEndpoints.claim, { as: DEMO.admin, params });
  await second.getByRole('heading', { level: 1 }).click();
  await second.keyboard.press('?');
  const keys = second.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await expect(keys).toContainText('next case that nobody else has claimed');
  await expect(second).toBeAccessible();
  await second.keyboard.press('Escape');
  await second.keyboard.press('b');
  await expect(second).toHaveURL(paths.office());
  // The address changes before the page does.
  await expect(second.getByRole('region', { name: 'Queue' })).toBeVisible();
  await expect(second.getByRole('main')).toBeFocused();
  await second.keyboard.press('n');
  await expect(second.getByRole('region', { name: 'Case' })).toBeVisible();
  await expect(second.getByRole('heading', { name: 'Held by Nobody' })).toBeVisible();

  await second.goto(paths.office({ page: 99 }));
  await expect(second.getByText(/^There is no page 99\. The last page is \d+\.$/)).toBeVisible();
  await second.getByRole('link', { name: 'Go to the last page' }).click();
  await expect(second.getByRole('link', { name: 'Held by Nobody' })).toBeVisible();

  await second.goto(paths.case('none'));
  await expect(second.getByRole('heading', { name: 'This page does not exist.' })).toBeVisible();

  const curator = await stock.newStaff(server, ['curator']);
  await signIn(page, server, curator, paths.case(params.id));
  await expect(
    page.getByText('This is for the role of moderator. Your roles: curator.'),
  ).toBeVisible();
  await expect(page).toBeAccessible();
});

test('an expired session leads back to the open case', async ({ page, server }) => {
  await stock.reportedReview(server, { position_title: 'Interrupted' });
  await signIn(page, server, DEMO.admin, paths.office({ kind: 'report' }));
  await page.getByRole('link', { name: 'Interrupted' }).click();
  await expect(page.getByRole('heading', { name: 'Interrupted' })).toBeVisible();
  await press(page, 'Remove review');
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Rule').selectOption('abuse');
  await dialog.getByLabel('Reason').fill('A long reason.');
  const url = page.url();
  await sendExpired(page, server, DEMO.admin, () => press(dialog, 'Remove review'));
  await follow(page, 'Back to the case', url);
  await press(page, 'Remove review');
  await expect(dialog.getByLabel('Reason')).toHaveValue('A long reason.');
  await page.keyboard.press('Escape');
  await signOut(page);
  await signIn(page, server, DEMO.admin, paths.dashboard());
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Back to the case' })).toHaveCount(0);
});

test('the key N passes over what others claimed or decided', async ({ page, server }) => {
  const search = `Passed ${Date.now()}`;
  const ids = new Map<string, number>();
  for (const name of ['Ash', 'Elm', 'Fir', 'Oak'].map((tree) => `${search} ${tree} Clinic`))
    ids.set(name, (await stock.submittedEmployer(server, name)).id);
  const other = await stock.newStaff(server, ['curator']);
  const cases = await stock.openCases(server, other, 'employer');
  const [first, claimed, third, decided] = cases.filter(({ title }) => title.includes(search));
  await signIn(page, server, DEMO.admin);
  const filters = { kind: 'employer', search };
  await page.goto(paths.case(sure(first).id, filters));
  const heading = page.getByRole('heading', { level: 1 });
  await expect(heading).toHaveText(sure(first).title);
  await call(server, caseEndpoints.claim, { as: other, params: { id: sure(claimed).id } });
  await page.keyboard.press('n');
  await expect(heading).toHaveText(sure(third).title);
  const params = { id: sure(ids.get(sure(decided).title)) };
  await call(server, employerEndpoints.accept, { as: other, body: {}, params });
  await press(page, 'Keep as a new employer');
  await expect(heading).toHaveText(sure(first).title);
  await expect(page.getByText(`${sure(third).title}: `)).toBeVisible();
  // Nothing else is left to decide.
  await page.keyboard.press('n');
  await expect(page.getByRole('region', { name: 'Queue' })).toBeVisible();
});

test('a link that is slow to open wins over the way to the next case', async ({ page, server }) => {
  const search = `Left ${Date.now()}`;
  for (const tree of ['Ash', 'Elm'])
    await stock.submittedEmployer(server, `${search} ${tree} Clinic`);
  const cases = await stock.openCases(server, DEMO.admin, 'employer');
  const [first, second] = cases.filter(({ title }) => title.includes(search));
  const filters = { kind: 'employer', search };
  await signIn(page, server, DEMO.admin, paths.case(sure(first).id, filters));
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(sure(first).title);

  const params = { id: sure(second).id };
  const [next, queue] = [
    `**/api${apiPath(caseEndpoints.read, { params })}*`,
    `**/api${caseEndpoints.list.path}?*`,
  ];
  const [heldNext, heldQueue] = [await hold(page, next), await hold(page, queue)];
  const asked = page.waitForRequest(next);
  const answer = page.waitForResponse(next);
  await press(page, 'Keep as a new employer');
  await asked;
  const shown = page.getByRole('region', { name: 'Case' });
  await shown.getByRole('link', { name: 'Queue', exact: true }).click();
  // The bar of a page that is on its way.
  await expect(page.locator('span.fixed.animate-pulse')).toBeVisible();
  heldNext.release();
  await (await answer).finished();
  heldQueue.release();
  await expect(page.getByRole('region', { name: 'Queue' })).toBeVisible();
  await expect(page).toHaveURL(paths.office(filters));
});
