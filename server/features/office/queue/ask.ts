import type { ProofRequestRequest } from '#contract/case-queue.ts';
import { PROOF_REQUESTS } from '#contract/proof-requests.ts';
import { recordAct } from '#server/audit-log.ts';
import { markAsked } from '#server/cases/asked.ts';
import { lockNamedCase } from '#server/cases/cases.ts';
import type { CaseRow } from '#server/cases/queue.ts';
import { requireVersion } from '#server/cases/version.ts';
import type { Db } from '#server/db/open.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors/app-error.ts';
import { lockRepresentative } from '#server/features/accounts/identity/representative-queries.ts';
import { representativeFile } from '#server/features/replies/representatives/representatives.ts';
import { doctorVersion } from '#server/features/verification/administration.ts';
import { holdClaim } from '#server/features/verification/claims.ts';

type AskDeps = Pick<Deps, 'db' | 'keys' | 'clock' | 'jobs'>;

const PEOPLE = {
  doctor: 'doctor',
  eviction: 'doctor',
  representative: 'representative',
} as const;
type KindOfPerson = keyof typeof PEOPLE;
const isOfPerson = (kind: string): kind is KindOfPerson => Object.hasOwn(PEOPLE, kind);

/** Sends a doctor or a representative one of the fixed texts, and marks the case. */
export function askPerson(
  deps: AskDeps,
  actor: string,
  { id, kind, account_id }: CaseRow,
  { request, version }: ProofRequestRequest,
): Promise<void> {
  if (account_id === null || !isOfPerson(kind)) throw refused('It is about no person');
  const person = PEOPLE[kind];
  if (!Object.hasOwn(PROOF_REQUESTS[person], request)) {
    throw refused(`This cannot be asked of a ${person}`);
  }
  return inTransaction(deps.db, async (trx) => {
    const { to, current, isWaiting } = await hold(deps, trx, person, account_id);
    const about = { kinds: [kind], subject: { account_id }, actor };
    await lockNamedCase(trx, deps.clock, id, about);
    requireVersion(version, current);
    if (!isWaiting) throw refused('This account does not wait for a decision');
    await markAsked(trx, deps.clock, { id, asked: request, asked_by: actor });
    const props = { request, isDoctor: person === 'doctor' };
    await deps.jobs.enqueue(trx, 'send-mail', { to, template: 'proof-asked', props });
    const act = { actor, action: `${person}.ask`, subject: account_id } as const;
    await recordAct(trx, deps.clock, { ...act, details: { asked_for: request } });
  });
}

/** Locks the account until the transaction ends. */
async function hold(deps: AskDeps, trx: Db, person: 'doctor' | 'representative', userId: string) {
  if (person === 'doctor') {
    const held = await holdClaim(deps.keys, trx, userId);
    if (!held) throw new AppError('not_found');
    const { user, doctor } = held;
    return { to: user.email, current: doctorVersion(doctor), isWaiting: !doctor.verified };
  }
  const row = await lockRepresentative(trx, userId);
  const file = row && (await representativeFile({ ...deps, db: trx }, userId));
  if (!file) throw new AppError('not_found');
  return { to: file.user.email, current: file.version, isWaiting: file.state === 'pending' };
}

const refused = (message: string) =>
  new AppError('validation_error', { fields: { request: [message] } });
