import type { LoginResponse } from '#contract/accounts/accounts.ts';
import type { RepresentativeState } from '#contract/replies/representatives.ts';
import type { ReviewRequest } from '#contract/reviews/reviews.ts';
import type { Role } from '#contract/staff-roles.ts';
import { hasValidCheckDigit } from '#contract/verification/doctors.ts';
import { inTransaction } from '#server/db/transaction.ts';
import { hashPassword } from '#server/features/accounts/credentials/passwords.ts';
import { beginSession } from '#server/features/accounts/session/sessions.ts';
import { addAdmin, addDoctor } from '#server/features/accounts/signup/signup.ts';
import { insertRepresentativeAccount } from '#server/features/replies/representatives/representatives.ts';
import type { TestApp } from './app.ts';

let serial = 0;

/** A new NPI with a valid check digit. */
export function newNpi(): string {
  serial += 1;
  const stem = `2${String(serial).padStart(8, '0')}`;
  const digit = [...'0123456789'].find((last) => hasValidCheckDigit(stem + last));
  return `${stem}${digit}`;
}

export function newEmail(): string {
  serial += 1;
  return `doctor${serial}@mail.example`;
}

export interface TestAccount {
  userId: string;
  email: string;
  /** The headers that authenticate a request. */
  headers: { authorization: string };
  refresh: string;
}

export type DoctorProfile = { verified?: boolean; can_post_reviews?: boolean };
export const POSTER: DoctorProfile = { verified: true, can_post_reviews: true };

/** A doctor in the database, by default one who cannot sign in. */
export async function newDoctor(
  { deps }: Pick<TestApp, 'deps'>,
  fields: Partial<Parameters<typeof addDoctor>[1]> = {},
) {
  const name = { first_name: 'Ada', last_name: 'Example' };
  const details = { ...name, email: newEmail(), npi: newNpi(), password: null, ...fields };
  return { ...details, id: await addDoctor(deps, details) };
}

/** Signs in a doctor, by default one who is verified and may post. */
export async function signedInDoctor(
  { deps }: TestApp,
  profile: DoctorProfile = POSTER,
): Promise<TestAccount> {
  const { id, email } = await newDoctor({ deps }, { profile });
  return signIn({ deps }, id, email);
}

/** All roles that one person can have. */
const ADMIN_ROLES: readonly Role[] = ['owner', 'moderator', 'curator', 'auditor'];

/** Signs in a staff member. The only staff member has all roles, regardless of `roles`. */
export async function signedInAdmin(
  { deps }: TestApp,
  roles: readonly Role[] = ADMIN_ROLES,
): Promise<TestAccount> {
  const email = newEmail();
  const details = { email, first_name: 'Root', last_name: 'Example', password: null, roles };
  return signIn({ deps }, await addAdmin(deps, details), email);
}

/** Signs in a representative of an employer, by default one whom a curator has approved. */
export async function signedInRepresentative(
  { deps }: TestApp,
  employer: number,
  { state = 'approved', email = newEmail(), password = 'Unused-secret-1' } = {} as {
    state?: RepresentativeState;
    email?: string;
    password?: string;
  },
): Promise<TestAccount> {
  const details = {
    email,
    first_name: 'Rita',
    last_name: 'Speaks',
    work_title: 'Chief of staff',
    employer,
  };
  const hash = await hashPassword(deps, password);
  const userId = await inTransaction(deps.db, async (trx) => {
    const id = await insertRepresentativeAccount(deps, trx, details, hash);
    if (!id) throw new Error('that email address already has an account');
    if (state === 'pending') return id;
    await trx.deleteFrom('cases').where('account_id', '=', id).execute();
    await trx.updateTable('representatives').set({ state }).where('user_id', '=', id).execute();
    return id;
  });
  return signIn({ deps }, userId, email);
}

async function signIn(
  { deps }: Pick<TestApp, 'deps'>,
  userId: string,
  email: string,
): Promise<TestAccount> {
  const { access, refresh } = await beginSession(deps, deps.db, userId);
  return { userId, email, headers: { authorization: `Bearer ${access}` }, refresh };
}

/** Inserts an employer into the database and returns its id. */
export async function newEmployer({ deps }: TestApp, fields: object = {}): Promise<number> {
  serial += 1;
  const { id } = await deps.db
    .insertInto('employers')
    .values({
      source: 'demo',
      source_id: `test-${serial}`,
      name: `Hospital ${serial}`,
      city: 'Springfield',
      state: 'IL',
      employer_type: 'hospital',
      ...fields,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  // Clears the cache, like a route. The commit's notification may arrive after the next request.
  deps.cache.changed(['employers']);
  return id;
}

/** The request body that the review form sends. */
export function reviewOf(employer: number, fields: Partial<ReviewRequest> = {}): ReviewRequest {
  return {
    employer: String(employer),
    is_custom_employer: 'false',
    overall_rating: 4,
    work_life_balance_rating: 3,
    mentorship_growth_rating: 4,
    team_collaboration_rating: 5,
    compensation_benefits_rating: 2,
    review_text: 'Good colleagues, long nights.',
    pros: 'Colleagues',
    cons: 'Nights',
    position_title: 'Hospitalist',
    start_year: 2022,
    end_year: null,
    is_current_employee: true,
    would_recommend: true,
    ...fields,
  };
}

/** A row of `reviews` with these values, for tests that insert many. */
export const reviewRow = <Fields extends object>(employer_id: number, fields: Fields) => ({
  employer_id,
  created_at: new Date(Date.UTC(2024, 0, 1)),
  overall_rating: 3,
  work_life_balance_rating: 3,
  mentorship_growth_rating: 3,
  team_collaboration_rating: 3,
  compensation_benefits_rating: 3,
  review_text: 'Fine.',
  position_title: 'Hospitalist',
  start_year: 2020,
  is_current_employee: true,
  would_recommend: true,
  ...fields,
});

/** The log's entries about a subject, by action. */
export const logOf = <Column extends 'actor' | 'action' | 'details' | 'happened_on'>(
  { deps }: Pick<TestApp, 'deps'>,
  subject: string,
  ...columns: Column[]
) =>
  deps.db
    .selectFrom('audit_log')
    .select(columns)
    .where('subject', '=', subject)
    .orderBy('action')
    .execute();

/** Signs up through the API, with the code from the mail. */
export async function signUp(
  { app, jobs, mail }: TestApp,
  details: { email: string; first_name: string; last_name: string; npi: string; password: string },
): Promise<LoginResponse> {
  const post = (payload: object) =>
    app.inject({ method: 'POST', url: '/api/auth/register/', payload });
  await post({ action: 'create_account', ...details });
  await jobs.idle();
  const code = mail.findLast(({ to }) => to === details.email)?.text.match(/\b\d{6}\b/)?.[0];
  const verified = await post({ action: 'verify_otp', ...details, otp_code: code });
  if (verified.statusCode !== 200) throw new Error(`sign-up failed: ${verified.body}`);
  return verified.json();
}
