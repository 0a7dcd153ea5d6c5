import type { Page } from '@playwright/test';
import type { Doctor } from '#contract/doctors.ts';
import { sessionEndpoints } from '#contract/endpoints/session.ts';
import { paths } from '#web/lib/paths.ts';
import { newDetails, PASSWORD, type Signup, signIn, signUp } from './account.ts';
import { expect, test as matchedTest } from './fixtures.ts';
import { curbside, openUnproven, proveByMailbox, test } from './proofs.ts';
import { anEmployer, ask, headersOf, postReview, registeredPhysician, reviewOf } from './review.ts';
import type { TestServer } from './server.ts';

async function verificationOf(server: TestServer, { email }: Signup) {
  const doctor = await ask<Doctor>(
    server,
    sessionEndpoints.doctor.path,
    await headersOf(server, email),
  );
  return doctor.verification.status;
}

async function openSteps(page: Page, server: TestServer, { email }: Signup) {
  await signIn(page, server, email);
  await page.goto(paths.verificationRequired());
  return page.getByRole('main');
}

/** Signs up another person with data that the registry publishes. */
async function signUpAgain(server: TestServer, { first_name, last_name, npi }: Signup) {
  const again = await signUp(server, { ...newDetails(), first_name, last_name, npi });
  await expect.poll(() => verificationOf(server, again)).toBe('needs_proof');
  return again;
}

matchedTest(
  'an NPI goes to whoever proves it first, and a second proof waits for an administrator',
  async ({ browser, server }) => {
    const first = await signUp(server, await registeredPhysician(server));
    await expect.poll(() => verificationOf(server, first)).toBe('passed');
    const second = await signUpAgain(server, first);

    const [one, other] = [await browser.newPage(), await browser.newPage()];
    const owner = await openSteps(other, server, second);
    await proveByMailbox(other, server);
    await expect(owner.getByText('Verified', { exact: true })).toBeVisible();

    // The account that was only matched is notified and proves the NPI as well.
    const loser = await openSteps(one, server, first);
    await expect(loser.getByText('Unverified', { exact: true })).toBeVisible();
    await expect(loser).toContainText('Someone else proved that your NPI is theirs.');
    await proveByMailbox(one, server);
    await expect(loser).toContainText('Your account is waiting for an administrator.');

    // An administrator gives the NPI back, so that the other account loses it.
    await curbside(server, ['doctors', 'verify', first.email, '--reason', 'called the practice']);
    await one.reload();
    await expect(loser.getByText('Verified', { exact: true })).toBeVisible();
    await other.reload();
    await expect(owner.getByText('Unverified', { exact: true })).toBeVisible();
    await expect(owner).toContainText('Someone else proved that your NPI is theirs.');
  },
);

test('a ban outlives the account', async ({ page, server }) => {
  const details = await openUnproven(page, server);
  const main = page.getByRole('main');
  await proveByMailbox(page, server);
  await curbside(server, ['doctors', 'ban', details.email, '--reason', 'reviews for money']);
  await page.reload();
  await expect(main).toContainText('Your account is waiting for an administrator.');
  await deleteAccount(page, 'Delete them now');

  const again = await signUpAgain(server, details);
  await openSteps(page, server, again);
  await proveByMailbox(page, server);
  await expect(main).toContainText('Your account is waiting for an administrator.');
  await expect(main.getByText('Unverified', { exact: true })).toBeVisible();
});

test('a doctor who left reviews behind can come back and read, but not post', async ({
  page,
  server,
}) => {
  const details = await openUnproven(page, server);
  await proveByMailbox(page, server);
  await postReview(server, details.email, reviewOf(await anEmployer(server)));
  await deleteAccount(page, 'Keep them, detached from any account');

  const again = await signUpAgain(server, details);
  const main = await openSteps(page, server, again);
  await proveByMailbox(page, server);
  await expect(main.getByText('Verified', { exact: true })).toBeVisible();
  await expect(main).toContainText('You can read, but not post');
  await page.goto(paths.createReview());
  await expect(page).toHaveURL(paths.profile());
  await expect(page.getByRole('main').getByRole('status')).toContainText(
    'You can read reviews, but you can’t post',
  );
});

async function deleteAccount(page: Page, reviews: string) {
  await page.goto(paths.profile());
  await page.getByRole('button', { name: 'Delete my account' }).click();
  const dialog = page.getByRole('dialog', { name: 'Delete my account' });
  await dialog.getByRole('radio', { name: reviews }).check();
  await dialog.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await dialog.getByRole('button', { name: 'Delete account' }).click();
  await expect(page).toHaveURL(paths.login());
}
