import { accountEndpoints } from '#contract/endpoints/account.ts';
import { paths } from '#web/lib/paths.ts';
import { call, mailText, newDetails, PASSWORD, type Signup, signUp } from './account.ts';
import { expect, test as matchedTest } from './fixtures.ts';
import { expectStatus, newUnproven, openSteps, prove, proveByMailbox, test } from './proofs.ts';
import { newReview, registeredPhysician } from './review.ts';
import { curbside, type TestServer } from './server.ts';

/** Signs up another person with data that the registry publishes. */
async function signUpAgain(server: TestServer, { first_name, last_name, npi }: Signup) {
  const again = await signUp(server, { ...newDetails(), first_name, last_name, npi });
  await expectStatus(server, again, 'needs_proof');
  return again;
}

matchedTest(
  'an NPI goes to whoever proves it first, and a second proof waits',
  async ({ page, server }) => {
    const first = await signUp(server, await registeredPhysician(server));
    await expectStatus(server, first, 'passed');
    const second = await signUpAgain(server, first);
    await prove(server, second.email);
    await expectStatus(server, second, 'passed');

    // The account that was only matched is notified and proves the NPI as well.
    const main = await openSteps(page, server, first.email);
    await expect(main.getByText('Unverified', { exact: true })).toBeVisible();
    expect(await mailText(server, first.email, /please prove it/)).toContain(
      'Your reviews stay as they are.',
    );
    await proveByMailbox(page, server);
    await expect(main).toContainText('Your account is waiting for an administrator.');

    // In an office of one, nobody can take the NPI back.
    const giving = ['doctors', 'verify', first.email, '--reason', 'called the practice'];
    await expect(curbside(server, giving)).rejects.toThrow('needs two verifiers');
    await expectStatus(server, second, 'passed');
  },
);

test('a doctor who left reviews behind can read, but not post', async ({ page, server }) => {
  const details = await newUnproven(server);
  await prove(server, details.email);
  await newReview(server, {}, { by: details.email });
  const body = { password: PASSWORD, reviews: 'keep' } as const;
  await call(server, accountEndpoints.delete, { as: details.email, body });

  const again = await signUpAgain(server, details);
  const main = await openSteps(page, server, again.email);
  await proveByMailbox(page, server);
  await expect(main.getByText('Verified', { exact: true })).toBeVisible();
  await expect(main).toContainText('You can read, but not post');
  await page.goto(paths.createReview());
  await expect(page).toHaveURL(paths.profile());
  const notice = page.getByRole('main').getByRole('status');
  await expect(notice).toContainText('You can read reviews, but you can’t post');
  await expect(notice).toContainText(/you can post again starting [A-Z][a-z]+ \d+, \d{4}\./);
});
