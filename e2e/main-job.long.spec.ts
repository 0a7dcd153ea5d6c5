import type { Page } from '@playwright/test';
import { titleCase } from '#contract/names.ts';
import { hospitalName, TOWNS } from '#server/features/employers/testing/hospital-file.ts';
import { paths } from '#web/lib/paths.ts';
import { codeFor, fillInSignup, sure } from './account.ts';
import {
  compare,
  expectSideBySide,
  HOSPITALS,
  importHospitals,
  LANDING_LABEL,
  list,
  namesOf,
} from './employers.ts';
import { expect, ON_PHONE, test, testApart } from './fixtures.ts';
import { follow } from './forms.ts';
import { openLive } from './hydration.ts';
import {
  fillReview,
  newEmployer,
  newReview,
  newTitle,
  registeredPhysician,
  sendReview,
} from './review.ts';
import type { TestServer } from './server.ts';

const TITLE = 'a doctor signs up, is verified, and reviews a hospital, and a visitor reads it';

test(TITLE, async ({ page, server }) => {
  await mainJob(page, server, (await newEmployer(server)).name);
});

/** Separate, because this many hospitals would disturb the tests of other files. */
const hospitalsTest = testApart().extend<object, { hospitals: undefined }>({
  hospitals: [
    async ({ server }, use) => {
      await importHospitals(server);
      await use(undefined);
    },
    { scope: 'worker', auto: true, timeout: 120_000 },
  ],
});

test.describe(`among ${HOSPITALS} hospitals`, () => {
  test.describe.configure({ mode: 'default' });

  hospitalsTest(TITLE, ({ page, server }) => mainJob(page, server, hospitalName(1)));

  hospitalsTest.extend(ON_PHONE)(
    'on a phone, two of one town are side by side after six actions',
    async ({ page, server }) => {
      const numbers = [0, TOWNS];
      const found = await Promise.all(
        numbers.map((number) => list(server, { search: hospitalName(number) })),
      );
      const chosen = found.map(({ results }) => sure(results[0]));
      const specialty = 'Cardiovascular Disease';
      for (const at of chosen) await newReview(server, { specialty }, { at });
      await openLive(page, paths.home());
      const box = page.getByLabel(LANDING_LABEL, { exact: true });
      const [town = ''] = hospitalName(0).split(' ');
      // Six actions: this search, two taps, the link, and two to choose.
      await box.fill(town);
      await box.press('Enter');
      for (const name of namesOf(chosen)) await compare(page, name).tap();
      await page.getByRole('link', { name: 'Compare these 2 employers' }).tap();
      await page.getByLabel('Ratings by').selectOption(specialty);
      const ids = chosen.map(({ id }) => id);
      await expectSideBySide(page, { ids, names: namesOf(chosen), specialty });
    },
  );
});

async function mainJob(page: Page, server: TestServer, hospital: string): Promise<void> {
  const name = titleCase(hospital);
  const doctor = await registeredPhysician(server);
  const title = newTitle();
  const text = `Nobody here is rushed, ${title}.`;

  await test.step('signs up', async () => {
    await page.goto(paths.home());
    await page.getByRole('main').getByRole('link', { name: 'Write reviews' }).click();
    await expect(page).toHaveURL(paths.login({ redirect: 'create-review' }));
    await follow(page, 'Create an account', paths.signup({ redirect: 'create-review' }));
    await fillInSignup(page, doctor);
    await page.getByRole('button', { name: 'Sign up' }).click();
    await page.getByLabel('Verification code').fill(await codeFor(server, doctor.email));
    await page.getByRole('button', { name: 'Verify' }).click();
    await expect(page.getByRole('button', { name: doctor.last_name })).toBeVisible();
  });

  await test.step('is verified by the registry', async () => {
    await expect(async () => {
      await page.goto(paths.createReview());
      await expect(page.getByRole('heading', { name: 'Write a Review' })).toBeVisible();
    }).toPass();
  });

  await test.step('writes about a hospital', async () => {
    await page.getByRole('combobox', { name: 'Employer' }).fill(hospital);
    await page.getByRole('listbox').getByRole('option', { name }).first().click();
    await fillReview(page, { title, text });
    await sendReview(page);
    await page.getByRole('link', { name: 'Go to my dashboard' }).click();
    await expect(page.getByRole('heading', { name: 'My Reviews (1)' })).toBeVisible();
    await expect(page.getByText(text)).toBeInViewport();
    await expect(page).toBeAccessible();
  });

  await test.step('signs out', async () => {
    await page.getByRole('button', { name: doctor.last_name }).click();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await expect(page.getByRole('link', { name: 'Join now' }).first()).toBeVisible();
  });

  await test.step('a visitor reads it without learning who wrote it', async () => {
    await page.goto(paths.reviews({ search: hospital }));
    const inList = page.getByRole('article').filter({ hasText: text });
    await expect(inList).toBeVisible();
    await inList.getByRole('link', { name, exact: true }).click();
    await expect(page.getByRole('heading', { name, level: 1 })).toBeVisible();
    await expect(page.getByRole('heading', { name: 'Reviews (1)' })).toBeVisible();
    await expect(page.getByText(text)).toBeVisible();
    await expect(page.getByRole('main')).not.toContainText(doctor.last_name);
    const shown = await page.content();
    for (const secret of [doctor.npi, doctor.email]) expect(shown).not.toContain(secret);
  });
}
