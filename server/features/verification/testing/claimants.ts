import type { SignupDetails } from '#contract/accounts/accounts.ts';
import { accountEndpoints } from '#contract/endpoints/account.ts';
import { reviewEndpoints } from '#contract/endpoints/reviews.ts';
import { sessionEndpoints } from '#contract/endpoints/session.ts';
import { verificationEndpoints } from '#contract/endpoints/verification.ts';
import { DAY_MS } from '#contract/limits.ts';
import { inTransaction } from '#server/db/transaction.ts';
import { addDoctor } from '#server/features/accounts/signup/signup.ts';
import { PASSWORD } from '#server/features/accounts/testing/account-flows.ts';
import type { RegistryAnswer } from '#server/npi-registry/registry.ts';
import { newEmail, newNpi, reviewOf, type TestAccount } from '#server/testing/factories.ts';
import { signedInAgain } from '#server/testing/matched-doctor.ts';
import type { Site } from '#server/testing/site.ts';
import { type NewProof, recordProof } from '../proofs.ts';
import { verifyNpi } from '../registry-check.ts';

export const ADA = {
  kind: 'person',
  active: true,
  names: [{ first: 'ADA', last: 'EXAMPLE' }],
  taxonomies: ['207R00000X'],
  practice: null,
} satisfies RegistryAnswer;

/** Adds Ada Example with an NPI. The registry has not been asked. */
export async function join(
  site: Site,
  npi = newNpi(),
  details: Partial<SignupDetails> = {},
): Promise<TestAccount> {
  const person = { email: newEmail(), first_name: 'Ada', last_name: 'Example', ...details };
  const userId = await addDoctor(site.deps, { ...person, npi, password: PASSWORD });
  return signedInAgain(site, { userId, email: person.email });
}

/** Adds Ada Example with an NPI. The registry has answered when it returns. */
export async function claim(...[site, ...details]: Parameters<typeof join>): Promise<TestAccount> {
  const member = await join(site, ...details);
  await verifyNpi(site.deps)(member);
  return member;
}

/** Two accounts with one NPI, in the order in which they claimed it. */
export async function rivals(site: Site, npi = newNpi()) {
  return [await claim(site, npi), await claim(site, npi)] as const;
}

const rights = (all: boolean) => ({ verified: all, can_post_reviews: all });
/** The profile of a doctor who is verified, and of one who is not. */
export const VERIFIED = { ...rights(true), verification: { status: 'passed' } };
export const standing = (status: string, more: object = {}) => {
  return { ...rights(false), verification: { status, ...more } };
};

/** The doctor's own profile. */
export const doctorOf = async (site: Site, member: Pick<TestAccount, 'headers'>) =>
  (await site.as(member).get(sessionEndpoints.doctor)).body;

/** Records a proof as if its code had been entered. */
export const prove = (
  { deps }: Site,
  { userId }: Pick<TestAccount, 'userId'>,
  proof: NewProof = { kind: 'letter' },
): Promise<void> => inTransaction(deps.db, (trx) => recordProof(deps, trx, userId, proof));

/** Has two verifiers decide, yesterday and today. Returns what the second decision returns. */
export async function byTwo<T>(site: Site, decide: (actor: string) => Promise<T>): Promise<T> {
  const { time } = site;
  const verifiers = [await site.admin(['owner', 'verifier']), await site.admin(['verifier'])];
  const [first = '', second = ''] = verifiers.map(({ userId }) => userId);
  const today = time.now;
  time.now = new Date(today.getTime() - DAY_MS);
  await decide(first);
  time.now = today;
  return decide(second);
}

/** Changes the name. The registry has answered when it returns. */
export async function rename(site: Site, member: TestAccount, name: Partial<SignupDetails>) {
  const at = { params: { id: member.userId } };
  const { body } = await site.as(member).patch(accountEndpoints.update, name, at);
  await site.jobs.idle();
  return body;
}

/** Has the registry asked again. */
export async function checkAgain(site: Site, member: TestAccount): Promise<void> {
  await site.as(member).post(verificationEndpoints.checkRegistry, {});
  await site.jobs.idle();
}

/** Posts a review of a new employer. Returns the status of the response. */
export async function post(site: Site, member: Pick<TestAccount, 'headers'>): Promise<number> {
  const review = reviewOf(await site.employer());
  return (await site.as(member).post(reviewEndpoints.create, review)).status;
}

/** Deletes the account, and its reviews as chosen. */
export const leave = (
  site: Site,
  member: Pick<TestAccount, 'headers'>,
  reviews: 'delete' | 'delete_gradually' | 'keep',
) => site.as(member).post(accountEndpoints.delete, { password: PASSWORD, reviews });

export const stepsOf = async (site: Site, member: TestAccount) =>
  (await site.as(member).get(verificationEndpoints.steps)).body;
