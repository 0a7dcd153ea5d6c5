import { verificationEndpoints } from '#contract/endpoints/verification.ts';
import { paths } from '#web/lib/paths.ts';
import { DEMO, DESKTOP, logIn, PHONE, refuse } from './account.ts';
import { expect, LONG, test, withoutScript } from './fixtures.ts';
import { expectTexts, follow } from './forms.ts';
import {
  LETTER,
  openSteps,
  type Shown,
  shownAs,
  signInAs,
  VERIFICATIONS,
  VERIFIED,
} from './verification.ts';
import { atSizes, enlarge, sideways } from './widths.ts';

const { pending, misnamed, unproven, passed } = VERIFICATIONS;
const READ_ONLY = { verified: true, can_post_reviews: false };
const TRAINEE = { ...unproven, in_training: true };

test('signed out offers to sign in, and returns', async ({ page }) => {
  await page.goto(paths.verificationRequired());
  const main = page.getByRole('main');
  await expectTexts(main, /verified doctor profile with an active license/, 'Not on file');
  await expect(page).toBeAccessible('light', 'dark');
  await follow(main, 'Back to home', paths.home());
  await page.goBack();
  await main.getByRole('link', { name: 'Sign in' }).click();
  await logIn(page, DEMO.pending);
  await expect(page).toHaveURL(paths.verificationRequired());
  await expect(page.getByRole('heading', { name: 'Registry' })).toBeVisible();
});

withoutScript('signed out without script, can be read', async ({ page }) => {
  await page.goto(paths.verificationRequired());
  await expect(page.getByText('Not on file')).toBeVisible();
  await expect(page.getByRole('main').getByRole('link', { name: 'Sign in' })).toBeVisible();
  await expect(page.getByText('Loading...')).toBeHidden();
});

/** Every state, and the texts it must show. */
const STATES: readonly [name: string, shown: Shown, texts: readonly (string | RegExp)[]][] = [
  [
    'pending',
    shownAs(pending),
    [
      'Checking with the registry...',
      'Not checked yet',
      'Once the registry matches, you can choose a letter, an email address, or an administrator',
      /few minutes/,
    ],
  ],
  [
    'another name in the registry',
    shownAs(misnamed),
    ['Last checked on March 4, 2026.', 'Ignatia Marlowe-Vance', 'is waiting for an administrator'],
  ],
  [
    'a proof is required',
    shownAs(unproven),
    ['About a week', 'Your employer’s mail system sees the message.', 'support@curbside.example'],
  ],
  [
    'a trainee, with both codes on their way',
    shownAs(TRAINEE, { letter: LETTER, letter_from: '2099-01-01', mailbox_code_waits: true }),
    [
      'An email address at your residency is enough',
      'Enter its code by April 9, 2026',
      '5 attempts',
    ],
  ],
  [
    'a trainee after a letter',
    shownAs({ ...TRAINEE, status: 'needs_review', proofs: passed.proofs }, { letter_from: null }),
    ['March 12, 2026', 'Email address at your institution', 'is waiting for an administrator'],
  ],
  [
    'verified by proof',
    shownAs(passed, { letter_from: null }, VERIFIED),
    ['A letter to your practice address', 'March 12, 2026', 'You can post reviews.'],
  ],
  [
    'verified before proofs were required',
    shownAs({ ...passed, proofs: [] }, {}, VERIFIED),
    ['You are verified by the registry match alone.', 'Send me a letter'],
  ],
  [
    'verified where a match is enough',
    shownAs({ ...passed, proofs: [] }, { mode: 'registry' }, VERIFIED),
    ['It does not prove that the person who entered them is that doctor, because both are public.'],
  ],
  [
    'reviews of an earlier account are still published',
    shownAs({ ...passed, posting_from: '2027-02-01' }, {}, READ_ONLY),
    ['You can read reviews, but you can’t post yet.', 'starting February 1, 2027'],
  ],
  [
    'an administrator decides all',
    shownAs({ ...unproven, status: 'needs_review' }, { mode: 'manual', letter_from: null }),
    ['This can take a few days.'],
  ],
];

for (const part of [0, 1, 2]) {
  const states = STATES.filter((_, place) => place % 3 === part);
  test(
    `states ${part + 1} of 3 say so, are accessible, and fit`,
    LONG,
    async ({ page, server }) => {
      test.slow();
      await page.setViewportSize(PHONE);
      const current = shownAs(pending);
      await signInAs(page, server, current);
      for (const [name, shown, texts] of states) {
        await test.step(name, async () => {
          Object.assign(current, shown);
          await page.goto(paths.verificationRequired());
          await expect(page.getByRole('heading', { name: 'What happens next' })).toBeVisible();
          for (const text of texts) await expect(page.getByRole('main')).toContainText(text);
          await expect(page).toBeAccessible('light', 'dark');
          await page.evaluate(() => document.fonts.ready);
          await atSizes(page, [DESKTOP, PHONE], async () => {
            expect(await sideways(page)).toBe(0);
            await enlarge(page);
            expect(await sideways(page)).toBe(0);
            await enlarge(page, 100);
          });
        });
      }
    },
  );
}

test('a part that fails to load can be retried', async ({ page, server }) => {
  const shown = shownAs(unproven);
  await openSteps(page, server, shown);
  const call = `**/api${verificationEndpoints.steps.path}`;
  await page.route(call, (route) => route.abort(), { times: 1 });
  await page.reload();
  await expect(page.getByRole('alert')).toHaveText('Failed to load your verification steps.');
  await expect(page.getByRole('heading', { name: 'Registry' })).toBeVisible();
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('heading', { name: '2 Proof' })).toBeVisible();
});

test('an ordered letter shows only its city, and can be replaced', async ({ page, server }) => {
  const shown = shownAs(unproven);
  await openSteps(page, server, shown);
  const letter = page.getByRole('region', { name: 'A letter to your practice address' });
  const order = letter.getByRole('button', { name: 'Send me a letter' });
  const refusal = refuse(409, { code: 'no_practice_address', detail: 'No address.' });
  const call = `**/api${verificationEndpoints.orderLetter.path}`;
  await page.route(call, refusal, { times: 1 });
  await order.click();
  await expect(letter.getByRole('alert')).toHaveText('No address.');

  await page.route(call, (route) => {
    const waiting = { ...LETTER, state: 'waiting', enter_by: null } as const;
    shown.steps = { ...shown.steps, letter: waiting, letter_from: '2099-04-04' };
    return route.fulfill({ json: shown.steps });
  });
  await order.click();
  const state = letter.getByText(/^Your letter to Portland is waiting to be printed/);
  await expect(state).toContainText('March 5, 2026');
  await expect(letter.locator(':focus')).toContainText('Your letter to Portland');
  await expect(letter.getByRole('alert')).toBeHidden();
  const next = 'You can order a new letter on or after April 4, 2099.';
  await expect(letter.getByText(next)).toBeVisible();
  await expect(letter.getByRole('textbox')).toBeHidden();

  for (const [state, text] of [
    ['expired', 'The code in your letter to Portland has expired.'],
    ['no_attempts_left', 'You have no attempts left for the code in your letter to Portland.'],
  ] as const) {
    shown.steps = { ...shown.steps, letter: { ...LETTER, state }, letter_from: '2026-01-01' };
    await page.reload();
    await expect(letter).toContainText(text);
    await expect(letter.getByRole('textbox')).toBeHidden();
    await expect(letter.getByRole('button', { name: 'Send me a new letter' })).toBeVisible();
  }
});

test('the last wrong code of a letter moves the focus to what that means', async ({
  page,
  server,
}) => {
  const shown = shownAs(unproven, { letter: LETTER });
  await openSteps(page, server, shown);
  const letter = page.getByRole('region', { name: 'A letter to your practice address' });
  await letter.getByLabel('Code from the letter').fill('ZZZZZ-ZZZZZ');
  await page.route(`**/api${verificationEndpoints.confirmLetter.path}`, (route) => {
    const spent = { ...LETTER, state: 'no_attempts_left', attempts_left: 0 } as const;
    shown.steps = { ...shown.steps, letter: spent };
    return refuse(400, { errors: { code: ['Wrong.'] } })(route);
  });
  await letter.getByRole('button', { name: 'Confirm code' }).click();
  await expect(letter.locator(':focus')).toContainText('You have no attempts left');
});
