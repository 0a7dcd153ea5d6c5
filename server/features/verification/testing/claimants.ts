import type { SignupDetails } from '#contract/accounts.ts';
import type { Doctor } from '#contract/doctors.ts';
import type { VerificationMode } from '#contract/verification.ts';
import { inTransaction } from '#server/db/transaction.ts';
import { type Member, newMember } from '#server/features/accounts/testing/account-flows.ts';
import type { RegistryAnswer } from '#server/npi-registry/registry.ts';
import { buildTestApp, type TestApp } from '#server/testing/app.ts';
import { type NewProof, recordProof } from '../proofs.ts';

export const ADA: Extract<RegistryAnswer, { kind: 'person' }> = {
  kind: 'person',
  active: true,
  names: [{ first: 'ADA', last: 'EXAMPLE' }],
  taxonomies: ['207R00000X'],
  practice: null,
};

/** A server whose registry returns Ada Example for every number by default. */
export const serverWith = (
  verification: VerificationMode,
  answer: RegistryAnswer = ADA,
): Promise<TestApp> =>
  buildTestApp({ config: { verification }, npiRegistry: { lookUp: async () => answer } });

/** Signs up with an NPI. The registry has answered when it returns. */
export const claim = (server: TestApp, npi: string, details: Partial<SignupDetails> = {}) =>
  newMember(server, { npi, ...details });

/** The doctor's own profile. */
export const doctorOf = async (
  { app }: TestApp,
  { headers }: Pick<Member, 'headers'>,
): Promise<Doctor> => (await app.inject({ url: '/api/doctors/me/', headers })).json();

/** Records a proof as if its code had been entered. */
export const prove = (
  { deps }: TestApp,
  { id }: Pick<Member, 'id'>,
  proof: NewProof = { kind: 'letter' },
): Promise<void> => inTransaction(deps.db, (trx) => recordProof(deps, trx, id, proof));
