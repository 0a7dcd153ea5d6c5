import { employerEndpoints } from '#contract/endpoints/employers.ts';
import { titleCase } from '#contract/names.ts';
import { paths } from '#web/lib/paths.ts';
import {
  call,
  DEMO,
  DESKTOP,
  draftKeys,
  logIn,
  PHONE,
  sendExpired,
  signIn,
  sure,
} from './account.ts';
import { expect, officeTest as test } from './fixtures.ts';
import { expectTexts, expectValues, fill, press } from './forms.ts';
import { anEmployer, nameOf, newEmployer, newReview, someEmployers } from './review.ts';
import { atSizes, boxOf, sideways } from './widths.ts';

test.describe.configure({ mode: 'default' });

test('a typed correction survives an expired session', async ({ page, server }) => {
  const employer = sure((await someEmployers(server, 2))[1]);
  await signIn(page, server, DEMO.doctor, paths.employer(employer.id));
  const dialog = page.getByRole('dialog', { name: 'Suggest a correction' });
  await press(page, 'Suggest a correction');
  await dialog.getByLabel('Fact').selectOption('City');
  await fill(dialog, { 'Correct value': 'Portland' });
  await dialog.getByLabel('Fact').selectOption('Website');
  await expectValues(dialog, { 'Correct value': '' });
  const typed = {
    'Correct value': 'https://hospital.example',
    'How do you know?': 'I work there',
  };
  await fill(dialog, typed);
  await sendExpired(page, server, DEMO.doctor, () => press(dialog, 'Send'));
  await expect(page).toHaveURL(paths.dashboard());
  await page.goto(paths.employer(employer.id));
  await press(page, 'Suggest a correction');
  await expectValues(dialog, { Fact: 'website', ...typed });
  await press(dialog, 'Send');
  await expect(page.getByRole('dialog', { name: 'Correction sent' })).toBeVisible();
  expect(await draftKeys(page)).toEqual([]);
});

test('a doctor suggests a correction, and a curator accepts it', async ({ page, server }) => {
  const employer = await anEmployer(server);
  const phone = '(334) 555-0170';
  await page.setViewportSize(PHONE);
  await page.goto(paths.employer(employer.id));
  // While signed out: what was typed survives the login.
  await press(page, 'Suggest a correction');
  const dialog = page.getByRole('dialog', { name: 'Suggest a correction' });
  await dialog.getByLabel('Fact').selectOption('Phone');
  await expect(page).toBeAccessible();
  await fill(dialog, { 'Correct value': '12' });
  await press(dialog, 'Sign in and send');
  await expectTexts(dialog, 'Must be a phone number with ten digits', 'Please say how you know');
  const source = 'https://hospital.example/contact';
  await fill(dialog, { 'Correct value': phone, 'How do you know?': source });
  await press(dialog, 'Sign in and send');
  await expect(page.getByText('Sign in to send your correction.')).toBeVisible();
  await logIn(page, DEMO.doctor);
  await expectValues(dialog, { Fact: 'phone', 'Correct value': phone });
  await press(dialog, 'Send');
  const sent = page.getByRole('dialog', { name: 'Correction sent' });
  await expect(sent).toContainText('Thank you. A curator will look at it.');
  await sent.getByRole('button', { name: 'Close' }).last().click();

  // A second one says that the first is waiting, and keeps what was typed.
  await press(page, 'Suggest a correction');
  await dialog.getByLabel('Fact').selectOption('Phone');
  const again = { 'Correct value': '(334) 555-0199', 'How do you know?': 'I called them' };
  await fill(dialog, again);
  await press(dialog, 'Send');
  const waiting = 'A correction of this is already waiting for a curator.';
  await expect(dialog.getByText(waiting)).toBeVisible();
  await expectValues(dialog, again);

  await signIn(page, server, DEMO.admin, paths.office({ kind: 'correction' }));
  await page.getByRole('link', { name: titleCase(employer.name) }).click();
  const file = page.getByRole('region', { name: 'Case' });
  await expect(file).toContainText(`Proposed${phone}`);
  await expect(file.getByRole('link', { name: source })).toBeVisible();
  await expect(page).toBeAccessible();
  await press(page, 'Accept Phone');
  await expect(page.getByText('Please give a reason')).toBeVisible();
  await page.getByLabel('Reason').fill('Their own page says so.');
  // Another curator changes the fact in the meantime. This one sees the new value first and loses
  // nothing typed.
  const body = { phone: '(334) 555-0160' };
  const params = { id: employer.id };
  await call(server, employerEndpoints.curate, { as: DEMO.admin, body, params });
  await press(page, 'Accept Phone');
  await expect(page.getByText('This has changed since you read it.')).toBeVisible();
  await expect(file).toContainText(`Current${body.phone}`);
  await expect(page.getByLabel('Reason')).toHaveValue('Their own page says so.');
  await press(page, 'Accept Phone');
  await expect(page.getByText(`Phone is now ${phone}.`)).toBeVisible();
  await page.goto(paths.employer(employer.id));
  await expect(page.getByRole('region', { name: 'Overview' })).toContainText(phone);
});

test('a curator opens any employer and changes its facts', async ({ page, server }) => {
  const employer = sure((await someEmployers(server, 3))[2]);
  await signIn(page, server, DEMO.admin, paths.employer(employer.id));
  await page.getByRole('link', { name: 'Open in the office' }).click();
  await expect(page.getByRole('region', { name: 'Side by side' })).toBeVisible();
  await page.getByText('Edit facts').click();
  const form = page.getByRole('form', { name: 'Facts' });
  await fill(form, { Beds: 'many' });
  await press(form, 'Change facts');
  await expectTexts(form, 'Please give a reason', 'Must be a whole number from 0 to 1000000');
  const facts = { Beds: '4321', Name: `${employer.name} North` };
  await fill(form, { ...facts, Reason: 'Their own page says so.' });
  await expect(page).toBeAccessible();
  await press(form, 'Change facts');
  await expect(form.getByText('The facts have been changed.')).toBeVisible();
  await page.goto(paths.employer(employer.id));
  const heading = page.getByRole('heading', { level: 1 });
  await expect(heading).toHaveText(`${titleCase(employer.name)} North`);
  await expect(page.getByRole('region', { name: 'Overview' })).toContainText('Bed Count4,321');
});

test('typed facts survive an expired session, unless another curator changes one', async ({
  page,
  server,
}) => {
  const employer = await newEmployer(server);
  await signIn(page, server, DEMO.admin, paths.adminEmployer(employer.id));
  const form = page.getByRole('form', { name: 'Facts' });
  const openForm = async () => {
    await page.goto(paths.adminEmployer(employer.id));
    await page.getByText('Edit facts').click();
  };
  await openForm();
  const typed = { Beds: '321', Reason: 'Their own page says so.' };
  await fill(form, typed);
  await sendExpired(page, server, DEMO.admin, () => press(form, 'Change facts'));
  await expect(page).toHaveURL(paths.dashboard());
  await openForm();
  await expectValues(form, typed);
  const body = { phone: '(334) 555-0177', reason: 'They have moved.' };
  const params = { id: employer.id };
  await call(server, employerEndpoints.curate, { as: DEMO.admin, body, params });
  await openForm();
  await expectValues(form, { Phone: body.phone, Beds: '', Reason: '' });
});

test('a curator previews, makes, and undoes a merge', async ({ page, server }) => {
  const [into, from] = [await newEmployer(server), await newEmployer(server)];
  const own = await newReview(server, {}, { at: from });
  const kept = await newReview(server, {}, { at: into });
  await signIn(page, server, DEMO.admin, paths.adminEmployer(from.id));
  await expect(page.getByRole('button', { name: /^Merge into this/ }).first()).toBeVisible();
  await atSizes(page, [DESKTOP, PHONE], async () => expect(await sideways(page)).toBe(0));
  const target = page.getByRole('form', { name: 'Another employer' });
  for (const [typed, text] of [
    ['', 'Please enter its number'],
    ['2000000000', 'There is no such employer'],
  ] as const) {
    await fill(target, { 'Merge into another employer': typed });
    await press(target, 'Preview merge');
    await expect(page.getByText(text)).toBeVisible();
  }
  const address = server.url + paths.employer(into.id);
  await fill(target, { 'Merge into another employer': address });
  await press(target, 'Preview merge');
  const merging = page.getByRole('dialog', { name: 'Merge employers' });
  await expect(merging).toContainText('Reviews, with their votes1');
  await expect(merging).toContainText('after the merge2');
  await expect(page).toBeAccessible();
  // On a phone, the focus goes to the first error of a dialog, above its buttons.
  await page.setViewportSize({ width: 375, height: 600 });
  const merge = merging.getByRole('button', { name: 'Merge' });
  await expect(merge).toBeInViewport({ ratio: 1 });
  await merge.click();
  await expect(merging.getByLabel('Reason')).toBeFocused();
  const error = await boxOf(merging.getByText('Please give a reason'));
  expect(error.bottom).toBeLessThanOrEqual((await boxOf(merge)).y);
  await fill(merging, { Reason: 'The same clinic.' });
  await merge.click();
  await expectTexts(page, `Merged. 1 review moved to ${nameOf(into)}.`, 'It was merged into');
  await page.goto(paths.employer(from.id));
  await expect(page).toHaveURL(paths.employer(into.id));
  await expect(page.getByRole('heading', { name: 'Reviews (2)' })).toBeVisible();

  await page.getByRole('link', { name: 'Open in the office' }).click();
  await page.getByRole('button', { name: `Undo the merge of ${nameOf(from)}` }).click();
  const undoing = page.getByRole('dialog', { name: 'Undo the merge' });
  await expect(page).toBeAccessible();
  await fill(undoing, { Reason: 'Two clinics after all.' });
  await press(undoing, 'Undo the merge');
  await expect(page.getByText(`${nameOf(from)} is back, with 1 review.`)).toBeVisible();
  await expect(page.getByRole('region', { name: 'Recent merges' })).toBeHidden();
  await expect(page).toBeAccessible();
  for (const { position_title, employer } of [own, kept]) {
    await page.goto(paths.employer(employer.id));
    await expect(page.getByRole('heading', { name: 'Reviews (1)' })).toBeVisible();
    await expect(page.getByRole('article')).toContainText(titleCase(position_title));
  }
});

test('a curator rejects a made-up employer, and undoes it', async ({ page, server }) => {
  const made = await newEmployer(server);
  const review = await newReview(server, {}, { at: made });
  await signIn(page, server, DEMO.admin, paths.office({ kind: 'employer' }));
  await page.getByRole('link', { name: nameOf(made) }).click();
  await press(page, 'Reject');
  const rejecting = page.getByRole('dialog', { name: 'Reject the employer' });
  await expect(rejecting).toContainText('1 public review will be hidden');
  await atSizes(page, [DESKTOP, PHONE], async () => expect(await sideways(page)).toBe(0));
  await expect(page).toBeAccessible();
  await press(rejecting, 'Reject');
  await expect(rejecting.getByText('Please choose a reason')).toBeVisible();
  // Another curator renames it in the meantime. What was typed stays.
  await rejecting.getByLabel('Note').fill('Nobody answers there.');
  const [params, body] = [{ id: made.id }, { city: 'Boise', state: 'ID' }];
  await call(server, employerEndpoints.curate, { as: DEMO.admin, body, params });
  await rejecting.getByRole('combobox').selectOption('No such place');
  await press(rejecting, 'Reject');
  await expect(rejecting.getByText('This has changed since you read it.')).toBeVisible();
  await expect(page.getByText('Submitted employer · Boise, ID')).toBeVisible();
  await expectValues(rejecting, { 'Note (optional)': 'Nobody answers there.' });
  await press(rejecting, 'Reject');
  await expectTexts(page, 'Rejected. 1 review hidden.');
  const undo = page.getByRole('link', { name: 'Undo' });
  const office = await undo.getAttribute('href');

  await signIn(page, server, DEMO.doctor, paths.myReviews());
  const own = page.getByRole('listitem').filter({ hasText: titleCase(review.position_title) });
  await expect(own).toContainText('We could not find this employer');
  await expect(own).toContainText('Found by: A decision about its employer.');
  await page.goto(paths.employer(made.id));
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/not found/i);

  await signIn(page, server, DEMO.admin, office ?? '');
  await expectTexts(page, 'It was rejected: No such place.');
  await expect(page).toBeAccessible();
  await press(page, 'Undo the rejection');
  const undoing = page.getByRole('dialog', { name: 'Undo the rejection' });
  await press(undoing, 'Undo the rejection');
  await expect(undoing.getByText('Please give a reason')).toBeVisible();
  await fill(undoing, { Reason: 'It opened last week.' });
  await press(undoing, 'Undo the rejection');
  await expectTexts(page, `${nameOf(made)} is back, with 1 review.`);
  await page.goto(paths.employer(made.id));
  await expect(page.getByRole('heading', { name: 'Reviews (1)' })).toBeVisible();
});
