import type {
  Correction,
  CorrectionDecision,
  CorrectionDecisionRequest,
  CorrectionRequest,
} from '#contract/employers/employer-corrections.ts';
import type { EmployerFact } from '#contract/employers/employer-facts.ts';
import type { Employer } from '#contract/employers/employers.ts';
import { screen } from '#contract/reviews/screening.ts';
import { decide, openCase } from '#server/cases/cases.ts';
import type { Db } from '#server/db/open.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { Deps } from '#server/deps.ts';
import { AppError, refuseIdentifyingText } from '#server/errors/app-error.ts';
import { changeFacts, holdEmployers } from '#server/features/employers/curation/curation.ts';
import { LISTED } from '#server/features/employers/employer-row.ts';
import { currentId, readEmployer } from '#server/features/employers/queries.ts';

/** Returns false if a correction of this fact is waiting (employer_corrections_once). */
async function insertCorrection(
  trx: Db,
  employer_id: number,
  { field, value, source }: Correction,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto('employer_corrections')
    .values({ employer_id, field, value: JSON.stringify(value), source })
    .onConflict((conflict) => conflict.constraint('employer_corrections_once').doNothing())
    .executeTakeFirst();
  return (numInsertedOrUpdatedRows ?? 0n) > 0n;
}

/**
 * Locks an employer until the transaction ends. Throws `changed_meanwhile` if it has just been
 * merged or rejected.
 */
async function lockEmployer(trx: Db, id: number): Promise<number> {
  const locked = await trx
    .selectFrom('employers')
    .select('id')
    .where('id', '=', id)
    .where(LISTED)
    .forUpdate()
    .executeTakeFirst();
  if (!locked) throw new AppError('changed_meanwhile');
  return locked.id;
}

/** An employer's waiting corrections, by fact. */
async function selectCorrections(
  db: Db,
  employerId: number,
): Promise<(Correction & { id: string })[]> {
  const rows = await db
    .selectFrom('employer_corrections')
    .select(['id', 'field', 'value', 'source'])
    .where('employer_id', '=', employerId)
    .orderBy('field')
    .execute();
  return rows.map((row) => ({
    ...row,
    field: row.field as EmployerFact,
    value: row.value as Correction['value'],
  }));
}

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
    await holdEmployers(trx);
    const employer = await readCurrent(trx, named);
    if (employer[field] === value) {
      throw new AppError('validation_error', {
        fields: { value: ['The page already says this'] },
      });
    }
    // A decision about the last correction waits here, and then leaves the case open. Employers are
    // locked before cases (docs/architecture.md, "Lock order").
    await lockEmployer(trx, employer.id);
    await openCase(trx, clock, {
      kind: 'correction',
      subject: { employer_id: employer.id },
      priority: 3,
      isByMember: true,
    });
    if (!(await insertCorrection(trx, employer.id, correction))) {
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
    selectCorrections(db, named),
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
  deps: CorrectionDeps,
  actor: string,
  named: number,
  decision: CorrectionDecision,
  { field, value, today, reason, case_id }: CorrectionDecisionRequest,
): Promise<Employer> {
  return decide(deps, {
    kinds: ['correction'],
    subject: { employer_id: named },
    actor,
    case_id,
    async lock(trx) {
      // No merge or undo comes between, so all who decide or propose lock the same employer, and
      // each sees what the others have left.
      await holdEmployers(trx);
      const id = await lockEmployer(trx, (await readCurrent(trx, named)).id);
      const waiting = await selectCorrections(trx, named);
      const correction = waiting.find((one) => one.field === field);
      if (!correction) throw new AppError('case_closed');
      const before = await readEmployer(trx, id);
      if (correction.value !== value || before[field] !== today) {
        throw new AppError('changed_meanwhile');
      }
      if (decision === 'accept') await changeFacts(trx, id, { [field]: value });
      return { id, correction, isLast: waiting.length === 1 };
    },
    leavesOpen: ({ isLast }) => !isLast,
    async change(trx, { id, correction }) {
      await trx.deleteFrom('employer_corrections').where('id', '=', correction.id).execute();
      return {
        act: {
          action: `correction.${decision}`,
          // Perhaps the employer that it was merged into.
          subject: String(id),
          // A refused value may name somebody.
          details: { field, reason, ...(decision === 'accept' && value !== null && { value }) },
        },
        answer: await readEmployer(trx, id),
      };
    },
  });
}

/** The employer, or the one it was merged into. */
async function readCurrent(db: Db, named: number): Promise<Employer> {
  return readEmployer(db, await currentId(db, named));
}
