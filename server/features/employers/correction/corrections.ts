import type {
  Correction,
  CorrectionDecision,
  CorrectionDecisionRequest,
  CorrectionRequest,
} from '#contract/employer-corrections.ts';
import type { Employer } from '#contract/employers.ts';
import { screen } from '#contract/screening.ts';
import { recordAct } from '#server/audit-log.ts';
import { closeCases, lockNamedCase, openCase } from '#server/cases/cases.ts';
import type { Db } from '#server/db/open.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors/app-error.ts';
import { changeFacts } from '#server/features/employers/curation/change-facts.ts';
import { currentId, readEmployer } from '#server/features/employers/queries.ts';
import { refuseIdentifyingText } from '#server/identifying-text.ts';
import * as queries from './correction-queries.ts';

type CorrectionDeps = Pick<Deps, 'db' | 'clock'>;

/**
 * Proposes another value of a fact to the curators. The proposer is not recorded. Throws
 * `not_found`, `validation_error`, `identifying_text`, `correction_waiting`, and
 * `changed_meanwhile`.
 */
export async function proposeCorrection(
  { db, clock }: CorrectionDeps,
  named: number,
  correction: CorrectionRequest,
): Promise<void> {
  const { field, value } = correction;
  if (field === 'name') refuseIdentifyingText(screen({ value: String(value) }));
  await inTransaction(db, async (trx) => {
    const employer = await readCurrent(trx, named);
    if (employer[field] === value) {
      throw new AppError('validation_error', {
        fields: { value: ['The page already says this'] },
      });
    }
    // A decision about the last correction waits here, and then leaves the case open. Employers are
    // locked before cases (docs/architecture.md, "Lock order").
    await queries.lockEmployer(trx, employer.id);
    await openCase(trx, clock, {
      kind: 'correction',
      subject: { employer_id: employer.id },
      priority: 3,
      isByMember: true,
    });
    if (!(await queries.insertCorrection(trx, employer.id, correction))) {
      throw new AppError('correction_waiting');
    }
  });
}

/** The employer's current facts, and its waiting corrections. */
export async function waitingCorrections(
  db: Db,
  named: number,
): Promise<{ employer_id: number; employer: Employer; corrections: Correction[] }> {
  const [employer, waiting] = await Promise.all([
    readCurrent(db, named),
    queries.selectCorrections(db, named),
  ]);
  return {
    employer_id: named,
    employer,
    corrections: waiting.map(({ field, value, source }) => ({ field, value, source })),
  };
}

/**
 * Accepts or refuses a correction. The last one closes the case. Throws `not_found`,
 * `changed_meanwhile`, `case_closed`, `case_claimed`, and `validation_error` if the value cannot be
 * set.
 */
export async function decideCorrection(
  { db, clock }: CorrectionDeps,
  actor: string,
  named: number,
  decision: CorrectionDecision,
  { field, value, today, reason, case_id }: CorrectionDecisionRequest,
): Promise<Employer> {
  const about = { kinds: ['correction'] as const, subject: { employer_id: named }, actor };
  return inTransaction(db, async (trx) => {
    const id = await queries.lockEmployer(trx, (await readCurrent(trx, named)).id);
    const waiting = await queries.selectCorrections(trx, named);
    const correction = waiting.find((one) => one.field === field);
    if (!correction) throw new AppError('case_closed');
    const before = await readEmployer(trx, id);
    if (correction.value !== value || before[field] !== today) {
      throw new AppError('changed_meanwhile');
    }
    if (decision === 'accept') await changeFacts(trx, id, { [field]: value });
    await lockNamedCase(trx, clock, case_id, about);
    if (!(await queries.deleteCorrection(trx, correction.id))) throw new AppError('case_closed');
    const left = await queries.selectCorrections(trx, named);
    if (left.length === 0) await closeCases(trx, clock, about);
    await recordAct(trx, clock, {
      actor,
      action: `correction.${decision}`,
      subject: String(id),
      // A refused value may name somebody.
      details: { field, reason, ...(decision === 'accept' && value !== null && { value }) },
    });
    return readEmployer(trx, id);
  });
}

/** The employer, or the one it was merged into. */
async function readCurrent(db: Db, named: number): Promise<Employer> {
  return readEmployer(db, await currentId(db, named));
}
