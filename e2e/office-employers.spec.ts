import { employerEndpoints } from '#contract/endpoints/employers.ts';
import { titleCase } from '#contract/names.ts';
import { paths } from '#web/lib/paths.ts';
import { call, DEMO, DESKTOP, logIn, PHONE, signIn } from './account.ts';
import { expect, testApart } from './fixtures.ts';
import { anEmployer, nameOf, newEmployer, newReview, someEmployers } from './review.ts';
import { atSizes, sideways } from './widths.ts';

/** Separate, because it changes facts of the demo's employers that other tests read. */
const test = testApart();

test('a doctor suggests a correction, and a curator accepts it', async ({ page, server }) => {
  const employer = await anEmployer(server);
  const phone = '(334) 555-0170';
  await page.setViewportSize(PHONE);
  await page.goto(paths.employer(employer.id));
  // While signed out: what was typed survives the login.
  await page.getByRole('button', { name: 'Suggest a correction' }).click();
  const dialog = page.getByRole('dialog', { name: 'Suggest a correction' });
  await dialog.getByLabel('Fact').selectOption('Phone');
  await atSizes(page, [DESKTOP, PHONE], () => expect(page).toBeAccessible());
  await dialog.getByLabel('Correct value').fill('12');
  await dialog.getByRole('button', { name: 'Sign in and send' }).click();
  await expect(dialog.getByText('Must be a phone number with ten digits')).toBeVisible();
  await expect(dialog.getByText('Please say how you know')).toBeVisible();
  await dialog.getByLabel('Correct value').fill(phone);
  await dialog.getByLabel('How do you know?').fill('https://hospital.example/contact');
  await dialog.getByRole('button', { name: 'Sign in and send' }).click();
  await expect(page.getByText('Sign in to send your correction.')).toBeVisible();
  await logIn(page, DEMO.doctor);
  await expect(dialog.getByLabel('Fact')).toHaveValue('phone');
  await expect(dialog.getByLabel('Correct value')).toHaveValue(phone);
  await dialog.getByRole('button', { name: 'Send' }).click();
  const sent = page.getByRole('dialog', { name: 'Correction sent' });
  await expect(sent).toContainText('Thank you. A curator will look at it.');
  await sent.getByRole('button', { name: 'Close' }).last().click();

  // A second one says that the first is waiting, and keeps what was typed.
  await page.getByRole('button', { name: 'Suggest a correction' }).click();
  await dialog.getByLabel('Fact').selectOption('Phone');
  await dialog.getByLabel('Correct value').fill('(334) 555-0199');
  await dialog.getByLabel('How do you know?').fill('I called them');
  await dialog.getByRole('button', { name: 'Send' }).click();
  const waiting = 'A correction of this is already waiting for a curator.';
  await expect(dialog.getByText(waiting)).toBeVisible();
  await expect(dialog.getByLabel('How do you know?')).toHaveValue('I called them');

  await signIn(page, server, DEMO.admin);
  await page.goto(paths.office({ kind: 'correction' }));
  await page.getByRole('link', { name: titleCase(employer.name) }).click();
  const file = page.getByRole('region', { name: 'Case' });
  await expect(file).toContainText(`Proposed${phone}`);
  await expect(file.getByRole('link', { name: 'https://hospital.example/contact' })).toBeVisible();
  await atSizes(page, [DESKTOP, PHONE], () => expect(page).toBeAccessible());
  await page.getByRole('button', { name: 'Accept Phone' }).click();
  await expect(page.getByText('Please give a reason')).toBeVisible();
  await page.getByLabel('Reason').fill('Their own page says so.');
  // Another curator changes the fact in the meantime. This one sees the new value first and loses
  // nothing typed.
  const body = { phone: '(334) 555-0160' };
  const params = { id: employer.id };
  await call(server, employerEndpoints.curate, { as: DEMO.admin, body, params });
  await page.getByRole('button', { name: 'Accept Phone' }).click();
  await expect(page.getByText('This has changed since you read it.')).toBeVisible();
  await expect(file).toContainText(`Current${body.phone}`);
  await expect(page.getByLabel('Reason')).toHaveValue('Their own page says so.');
  await page.getByRole('button', { name: 'Accept Phone' }).click();
  await expect(page.getByText(`Phone is now ${phone}.`)).toBeVisible();
  await page.goto(paths.employer(employer.id));
  await expect(page.getByRole('region', { name: 'Overview' })).toContainText(phone);
});

test('a curator opens any employer and changes its facts', async ({ page, server }) => {
  const employer = (await someEmployers(server, 3))[2];
  if (!employer) throw new Error('no employers');
  await signIn(page, server, DEMO.admin);
  await page.goto(paths.employer(employer.id));
  await page.getByRole('link', { name: 'Open in the office' }).click();
  await expect(page.getByRole('region', { name: 'Side by side' })).toBeVisible();
  await page.getByText('Edit facts').click();
  const form = page.getByRole('form', { name: 'Facts' });
  await form.getByLabel('Beds').fill('many');
  await form.getByRole('button', { name: 'Change facts' }).click();
  await expect(form.getByText('Please give a reason')).toBeVisible();
  await expect(form.getByText('Must be a whole number from 0 to 1000000')).toBeVisible();
  await form.getByLabel('Beds').fill('4321');
  await form.getByLabel('Name').fill(`${employer.name} North`);
  await form.getByLabel('Reason').fill('Their own page says so.');
  await expect(page).toBeAccessible();
  await form.getByRole('button', { name: 'Change facts' }).click();
  await expect(form.getByText('The facts have been changed.')).toBeVisible();
  await page.goto(paths.employer(employer.id));
  const heading = page.getByRole('heading', { level: 1 });
  await expect(heading).toHaveText(`${titleCase(employer.name)} North`);
  await expect(page.getByRole('region', { name: 'Overview' })).toContainText('Bed Count4,321');
});

test('a curator previews, makes, and undoes a merge', async ({ page, server }) => {
  const [into, from] = [await newEmployer(server), await newEmployer(server)];
  const [own, kept] = [
    await newReview(server, {}, { at: from }),
    await newReview(server, {}, { at: into }),
  ];
  await signIn(page, server, DEMO.admin);
  await page.goto(paths.adminEmployer(from.id));
  await expect(page.getByRole('button', { name: /^Merge into this/ }).first()).toBeVisible();
  await atSizes(page, [DESKTOP, PHONE], async () => expect(await sideways(page)).toBe(0));
  const target = page.getByRole('form', { name: 'Another employer' });
  await target.getByRole('button', { name: 'Preview merge' }).click();
  await expect(target.getByText('Please enter its number')).toBeVisible();
  await target.getByLabel('Merge into another employer').fill('2000000000');
  await target.getByRole('button', { name: 'Preview merge' }).click();
  await expect(page.getByText('There is no such employer')).toBeVisible();
  const address = server.url + paths.employer(into.id);
  await target.getByLabel('Merge into another employer').fill(address);
  await target.getByRole('button', { name: 'Preview merge' }).click();
  const merging = page.getByRole('dialog', { name: 'Merge employers' });
  await expect(merging).toContainText('Reviews, with their votes1');
  await expect(merging).toContainText('after the merge2');
  await expect(page).toBeAccessible();
  await merging.getByRole('button', { name: 'Merge' }).click();
  await expect(merging.getByText('Please give a reason')).toBeVisible();
  await merging.getByLabel('Reason').fill('The same clinic.');
  await merging.getByRole('button', { name: 'Merge' }).click();
  await expect(page.getByText(`Merged. 1 review moved to ${nameOf(into)}.`)).toBeVisible();
  await expect(page.getByText('It was merged into')).toBeVisible();
  await page.goto(paths.employer(from.id));
  await expect(page).toHaveURL(paths.employer(into.id));
  await expect(page.getByRole('heading', { name: 'Reviews (2)' })).toBeVisible();

  await page.getByRole('link', { name: 'Open in the office' }).click();
  await page.getByRole('button', { name: `Undo the merge of ${nameOf(from)}` }).click();
  const undoing = page.getByRole('dialog', { name: 'Undo the merge' });
  await expect(page).toBeAccessible();
  await undoing.getByLabel('Reason').fill('Two clinics after all.');
  await undoing.getByRole('button', { name: 'Undo the merge' }).click();
  await expect(page.getByText(`${nameOf(from)} is back, with 1 review.`)).toBeVisible();
  await expect(page.getByRole('region', { name: 'Recent merges' })).toBeHidden();
  await expect(page).toBeAccessible();
  for (const { position_title, employer } of [own, kept]) {
    await page.goto(paths.employer(employer.id));
    await expect(page.getByRole('heading', { name: 'Reviews (1)' })).toBeVisible();
    await expect(page.getByRole('article')).toContainText(titleCase(position_title));
  }
});
