import type { Page } from '@playwright/test';
import { expect } from '@playwright/test';
import { sessionEndpoints } from '#contract/endpoints/session.ts';
import { verificationEndpoints } from '#contract/endpoints/verification.ts';
import type { Doctor } from '#contract/verification/doctors.ts';
import type { VerificationSteps } from '#contract/verification/verification.ts';
import { paths } from '#web/lib/paths.ts';
import { DEMO, signIn, sure, tokensFor } from './account.ts';
import type { TestServer } from './server.ts';

const allChecks = <T>(is: T) => ({
  known: is,
  active: is,
  individual: is,
  physician: is,
  name_matches: is,
});
const MATCHED = allChecks(true);

/** The permissions of a verified doctor. */
export const VERIFIED = { verified: true, can_post_reviews: true };

export const LETTER = {
  city: 'PORTLAND',
  requested_on: '2026-03-05',
  state: 'sent',
  enter_by: '2026-04-09',
  attempts_left: 5,
} as const;

type Verification = Doctor['verification'];

const CHECKED = { checks: MATCHED, checked_on: '2026-03-04', in_training: false } as const;

/** Verifications in every status. */
export const VERIFICATIONS = {
  pending: {
    status: 'pending',
    checks: allChecks(null),
    checked_on: null,
    in_training: false,
    proofs: [],
  },
  misnamed: {
    ...CHECKED,
    status: 'needs_review',
    checks: { ...MATCHED, name_matches: false },
    registry_name: { first_name: 'Ignatia', last_name: 'Marlowe-Vance' },
    proofs: [],
  },
  unproven: { ...CHECKED, status: 'needs_proof', proofs: [] },
  passed: { ...CHECKED, status: 'passed', proofs: [{ kind: 'letter', on: '2026-03-12' }] },
} as const satisfies Record<string, Verification>;

const NO_STEPS: VerificationSteps = {
  mode: 'proof',
  letter: null,
  letter_from: '2026-01-01',
  mailbox_code_waits: false,
  asked: null,
};

/** After any proof, whatever its outcome. */
export const RECORDED = 'Your proof is recorded. The state of your account is below.';

export interface Shown {
  doctor: Partial<Omit<Doctor, 'verification'>> & { verification: Verification };
  steps: VerificationSteps;
}

/**
 * Signs in to an account in the state `shown`, which the test may change between requests. Returns
 * a function that gets the API's data about the doctor.
 */
export async function signInAs(page: Page, server: TestServer, shown: Shown) {
  const doctor = sure((await tokensFor(server, DEMO.pending)).doctor);
  const current = (): Doctor => ({ ...doctor, ...shown.doctor });
  await page.route(`**/api${sessionEndpoints.doctor.path}`, (route) =>
    route.fulfill({ json: current() }),
  );
  await page.route(`**/api${verificationEndpoints.steps.path}`, (route) =>
    route.fulfill({ json: shown.steps }),
  );
  await signIn(page, server, DEMO.pending);
  return current;
}

export async function openSteps(page: Page, server: TestServer, shown: Shown) {
  const current = await signInAs(page, server, shown);
  await page.goto(paths.verificationRequired());
  await expect(page.getByRole('heading', { name: 'What happens next' })).toBeVisible();
  return current;
}

export const shownAs = (
  verification: Verification,
  steps: Partial<VerificationSteps> = {},
  permissions: Partial<Pick<Doctor, 'verified' | 'can_post_reviews'>> = {},
): Shown => ({ doctor: { ...permissions, verification }, steps: { ...NO_STEPS, ...steps } });
