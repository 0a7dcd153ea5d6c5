import { employerEndpoints } from '#contract/endpoints/employers.ts';
import { replyEndpoints } from '#contract/endpoints/replies.ts';
import { titleCase } from '#contract/names.ts';
import { paths } from '#web/lib/paths.ts';
import {
  call,
  codeFor,
  DEMO,
  draftKeys,
  newId,
  PASSWORD,
  PHONE,
  requestsOf,
  sendExpired,
  signOut,
} from './account.ts';
import { expect, LONG, test, withoutScript } from './fixtures.ts';
import { expectTexts, expectValues, fill, press } from './forms.ts';
import { openLive } from './hydration.ts';
import { repliedReview } from './office-stock.ts';
import { newEmployer, newReview, newTitle } from './review.ts';

const TEXT = 'Thank you. Nights have had two hospitalists since spring.';
const EDITED = 'Thank you. Who are you?';

test.use({ viewport: PHONE });

// office-look.long.spec.ts checks the accessibility of the pages of the office.

test('a representative signs up, is approved, and replies', async ({ page, server, signedIn }) => {
  const position_title = newTitle();
  const review = await newReview(server, { position_title });
  const id = newId();
  const lastName = `Speaks${id}`;
  const email = `rita-${id}@hospital.example`;

  await page.goto(paths.employer(review.employer.id));
  await page.getByRole('link', { name: 'Represent this employer?' }).click();
  await expect(page.getByRole('heading', { name: /^Represent / })).toBeVisible();
  await page.getByLabel('First name').fill('Rita');
  await page.getByLabel('Last name').fill(lastName);
  await page.getByLabel('Work title').fill('Chief of staff');
  await fill(page, { 'Work email': 'rita@gmail.com', Password: PASSWORD });
  await page.getByRole('button', { name: 'Sign up' }).click();
  await expect(page.getByText(/A free mailbox cannot represent one/).first()).toBeVisible();
  await expect(page).toBeAccessible();
  await page.getByLabel('Work email').fill(email);
  await page.getByRole('button', { name: 'Sign up' }).click();
  await page.getByLabel('Verification code').fill(await codeFor(server, email));
  await page.getByRole('button', { name: 'Verify' }).click();
  await expect(page.getByText('We are checking that you represent this employer.')).toBeVisible();
  await expect(page).toBeAccessible();

  await signedIn(DEMO.admin, paths.office({ kind: 'representative' }));
  await page.getByRole('link', { name: `Rita ${lastName}` }).click();
  await expect(page.getByText('hospital.example', { exact: true })).toBeVisible();
  await page.getByLabel('Reason').fill('Called the switchboard.');
  await page.getByLabel('What to do').selectOption('approve');
  await page.getByRole('button', { name: 'Approve' }).click();
  await expect(page.getByText('The representative can reply now.')).toBeVisible();

  // The dashboard redirects to the reviews.
  await signedIn(email, paths.dashboard());
  await expect(page).toHaveURL(new RegExp(`${paths.represent()}$`));
  const entry = page.getByRole('article', { name: position_title });
  const write = entry.getByRole('button', { name: 'Write a reply' });
  await write.click();
  await entry.getByRole('button', { name: 'Cancel' }).press('Enter');
  await expect(write).toBeFocused();
  await write.press('Enter');
  await entry.getByLabel('Your reply').fill('Please write to hr@hospital.example.');
  await entry.getByRole('button', { name: 'Publish reply' }).click();
  await expect(entry.getByText(/looks like an email address/)).toBeVisible();
  await expect(page).toBeAccessible();
  await entry.getByLabel('Your reply').fill(TEXT);
  await entry.getByRole('button', { name: 'Publish reply' }).click();
  await expect(entry.getByRole('heading', { name: /^Reply from / })).toBeVisible();
  await expect(entry.getByRole('button', { name: 'Edit reply' })).toBeFocused();
  await expect(page).toBeAccessible();
  await entry.getByRole('button', { name: 'Delete reply' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete reply' }).click();
  await expect(write).toBeFocused();
  await expect(entry.getByRole('heading', { name: /^Reply from / })).toHaveCount(0);
  await write.click();
  await entry.getByLabel('Your reply').fill(TEXT);
  await entry.getByRole('button', { name: 'Publish reply' }).click();
  await expect(entry.getByRole('heading', { name: /^Reply from / })).toBeVisible();

  // Everyone sees it below the review.
  await signOut(page);
  await page.goto(paths.review(review.id));
  const reply = page.getByRole('group', { name: /^Reply from / });
  await expect(reply).toContainText(TEXT);
  await expect(reply).not.toContainText(/Rita|Speaks|Chief/);
  await expect(page).toBeAccessible();
});

test('a page with two replies of one employer is accessible', async ({
  page,
  server,
  signedIn,
}) => {
  const titles = [newTitle(), newTitle()] as const;
  const { email } = await repliedReview(server, titles[0], TEXT);
  const { id } = await newReview(server, { position_title: titles[1] });
  await call(server, replyEndpoints.create, { as: email, body: { text: TEXT }, params: { id } });
  await signedIn(email, paths.represent());
  for (const name of titles)
    await expect(page.getByRole('article', { name }).getByText(TEXT)).toBeVisible();
  await expect(page).toBeAccessible();
});

test('a typed reply survives an expired session', async ({ page, server, signedIn }) => {
  const position_title = newTitle();
  const { email } = await repliedReview(server, position_title, TEXT);
  await signedIn(email, paths.represent());
  const entry = page.getByRole('article', { name: position_title });
  const field = entry.getByLabel('Your reply');
  await press(entry, 'Edit reply');
  await expect(field).toHaveValue(TEXT);
  await field.fill(EDITED);
  await sendExpired(page, server, email, () => press(entry, 'Save reply'));
  await press(entry, 'Edit reply');
  await expect(field).toHaveValue(EDITED);
  await press(entry, 'Save reply');
  await expect(entry.getByRole('button', { name: 'Edit reply' })).toBeFocused();
  await expect(entry).toContainText(EDITED);
  expect(await draftKeys(page)).toEqual([]);
});

test(
  'a reported reply goes, and the employer sees why',
  LONG,
  async ({ page, server, signedIn }) => {
    const position_title = newTitle();
    const { id, email } = await repliedReview(server, position_title, TEXT);

    await signedIn(DEMO.pending, paths.review(id));
    const reply = page.getByRole('group', { name: /^Reply from / });
    await reply.getByRole('button', { name: 'Report reply' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Something else').check();
    await dialog.getByLabel('Note (optional)').fill('It tells too much.');
    await dialog.getByRole('button', { name: 'Send report' }).click();
    await expect(page.getByText('A moderator will look at this reply.')).toBeVisible();

    await signedIn(DEMO.admin, paths.office({ kind: 'reply' }));
    await page.getByRole('link', { name: position_title }).click();
    await expect(page.getByText('It tells too much.')).toBeVisible();
    await expect(reply).toContainText(TEXT);
    await page.getByRole('button', { name: 'Remove reply' }).click();
    await dialog.getByLabel('Rule').selectOption({ label: 'Asking who the author is' });
    await dialog.getByLabel('Reason').fill('It identifies the author.');
    // The employer edits it in the meantime. The moderator sees the new text first, and keeps what
    // they typed.
    const body = { text: EDITED };
    await call(server, replyEndpoints.edit, { as: email, body, params: { id } });
    await dialog.getByRole('button', { name: 'Remove reply' }).click();
    await expectTexts(dialog, 'This has changed since you read it.', EDITED);
    await expectValues(dialog, { Reason: 'It identifies the author.', Rule: 'asking_who' });
    await dialog.getByRole('button', { name: 'Remove reply' }).click();
    await expect(page.getByText('The reply has been removed.')).toBeVisible();

    await signOut(page);
    await page.goto(paths.review(id));
    await expect(page.getByRole('article')).toBeVisible();
    await expect(reply).toHaveCount(0);

    await signedIn(email, paths.represent());
    const entry = page.getByRole('article', { name: position_title });
    await expect(entry.getByText('A moderator removed your reply to this review.')).toBeVisible();
    await expect(entry.getByText('Reason: It identifies the author.')).toBeVisible();
    await expect(page).toBeAccessible();

    // The account has no doctor profile, and can be deleted.
    await page.goto(paths.profile());
    await expect(page.getByRole('heading', { name: 'My Account' })).toBeVisible();
    await expect(page.getByText('NPI Number')).toHaveCount(0);
    await page.getByRole('button', { name: 'Delete my account' }).click();
    await expect(dialog).toContainText('The employer’s replies stay below the reviews.');
    await expect(page).toBeAccessible();
    await dialog.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await dialog.getByRole('button', { name: 'Delete account' }).click();
    await expect(page.getByText('Your account has been deleted.')).toBeVisible();
  },
);

test('the code of a representative has its own place in the history', async ({ page, server }) => {
  const { employer } = await newReview(server);
  await page.goto(paths.represent({ employer: employer.id }));
  const email = `${newId()}@hospital.example`;
  await fill(page, { 'First name': 'Rita', 'Last name': 'Speaks', 'Work title': 'Chief of staff' });
  await fill(page, { 'Work email': email, Password: PASSWORD });
  await page.getByRole('button', { name: 'Sign up' }).click();
  await expect(page.getByText('Verification code sent to your email address')).toBeVisible();
  await page.goBack();
  await expect(page.getByRole('heading', { name: /^Represent / })).toBeVisible();
  await expectValues(page, { 'Work email': '' });
  await page.goForward();
  await page.getByLabel('Verification code').fill('000000');
  await page.getByRole('button', { name: 'Back to signup' }).click();
  await expect(page.getByLabel('First name')).toBeFocused();
  await page.goto(paths.represent());
  await expectTexts(page, 'Find the employer in the directory and choose');
});

test('the sign-up of a representative loads its employer once, also if merged', async ({
  page,
  server,
}) => {
  const [from, into] = [await newEmployer(server), await newEmployer(server)];
  const loaded = requestsOf(page, (request) => request.url().includes('/employers/'));
  const heading = page.getByRole('heading', { name: `Represent ${titleCase(into.name)}` });
  await openLive(page, paths.represent({ employer: into.id }));
  await expect(heading).toBeVisible();
  expect(loaded).toEqual([]);
  await call(server, employerEndpoints.merge, {
    ...{ as: DEMO.admin, params: { id: from.id }, body: { into: into.id } },
  });
  await page.goto(paths.represent({ employer: from.id }));
  await expect(page).toHaveURL(paths.represent({ employer: into.id }));
  await expect(heading).toBeVisible();
});

withoutScript('the sign-up of a representative precedes its script', async ({ page, server }) => {
  const { employer } = await newReview(server);
  await page.goto(paths.represent({ employer: employer.id }));
  const heading = page.getByRole('heading', { name: `Represent ${titleCase(employer.name)}` });
  await expect(heading).toBeVisible();
  await expect(page.getByText('Loading...')).toBeHidden();
  await expect(page.getByLabel('Work title')).toBeVisible();
});
