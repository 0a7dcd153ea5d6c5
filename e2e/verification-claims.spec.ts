import { accountEndpoints } from '#contract/endpoints/account.ts';
import { paths } from '#web/lib/paths.ts';
import { call, newDetails, PASSWORD, type Signup, signUp } from './account.ts';
import { expect, test as matchedTest } from './fixtures.ts';
import {
  curbside,
  expectStatus,
  newUnproven,
  openSteps,
  prove,
  proveByMailbox,
  test,
} from './proofs.ts';
import { newReview, registeredPhysician } from './review.ts';
import type { TestServer } from './server.ts';

/** Signs up another person with data that the registry publishes. */
async function signUpAgain(server: TestServer, { first_name, last_name, npi }: Signup) {
  const again = await signUp(server, { ...newDetails(), first_name, last_name, npi });
  await expectStatus(server, again, 'needs_proof');
  return again;
}

matchedTest(
  'an NPI goes to whoever proves it first, and a second proof waits for an administrator',
  async ({ page, server }) => {
    const first = await signUp(server, await registeredPhysician(server));
    await expectStatus(server, first, 'passed');
    const second = await signUpAgain(server, first);
    await prove(server, second.email);
    await expectStatus(server, second, 'passed');

    // The account that was only matched is notified and proves the NPI as well.
    const main = await openSteps(page, server, first.email);
    await expect(main.getByText('Unverified', { exact: true })).toBeVisible();
    await expect(main).toContainText('Someone else proved that your NPI is theirs.');
    await proveByMailbox(page, server);
    await expect(main).toContainText('Your account is waiting for an administrator.');

    // An administrator gives the NPI back, so that the other account loses it.
    await curbside(server, ['doctors', 'verify', first.email, '--reason', 'called the practice']);
    await page.reload();
    await expect(main.getByText('Verified', { exact: true })).toBeVisible();
    await openSteps(page, server, second.email);
    await expect(main.getByText('Unverified', { exact: true })).toBeVisible();
    await expect(main).toContainText('Someone else proved that your NPI is theirs.');
  },
);

test('a ban outlives the account', async ({ page, server }) => {
  const details = await newUnproven(server);
  await prove(server, details.email);
  await curbside(server, ['doctors', 'ban', details.email, '--reason', 'reviews for money']);
  const main = await openSteps(page, server, details.email);
  await expect(main).toContainText('Your account is waiting for an administrator.');
  await deleteAccount(server, details, 'delete');

  const again = await signUpAgain(server, details);
  await prove(server, again.email);
  await openSteps(page, server, again.email);
  await expect(main).toContainText('Your account is waiting for an administrator.');
  await expect(main.getByText('Unverified', { exact: true })).toBeVisible();
});

test('a doctor who left reviews behind can come back and read, but not post', async ({
  page,
  server,
}) => {
  const details = await newUnproven(server);
  await prove(server, details.email);
  await newReview(server, {}, { by: details.email });
  await deleteAccount(server, details, 'keep');

  const again = await signUpAgain(server, details);
  const main = await openSteps(page, server, again.email);
  await proveByMailbox(page, server);
  await expect(main.getByText('Verified', { exact: true })).toBeVisible();
  await expect(main).toContainText('You can read, but not post');
  await page.goto(paths.createReview());
  await expect(page).toHaveURL(paths.profile());
  const notice = page.getByRole('main').getByRole('status');
  await expect(notice).toContainText('You can read reviews, but you can’t post');
});

async function deleteAccount(server: TestServer, { email }: Signup, reviews: 'delete' | 'keep') {
  const body = { password: PASSWORD, reviews };
  await call(server, accountEndpoints.delete, { as: email, body });
}
