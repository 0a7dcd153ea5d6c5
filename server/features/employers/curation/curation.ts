import type {
  EmployerAcceptanceRequest,
  EmployerCurationRequest,
} from '#contract/employers/employer-curation.ts';
import type { Employer } from '#contract/employers/employers.ts';
import { recordAct } from '#server/audit-log.ts';
import { decide } from '#server/cases/decide.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors/app-error.ts';
import { readEmployer, readOne } from '#server/features/employers/queries.ts';
import { changeFacts, factsVersion } from './change-facts.ts';
import { insertAlias, lockFacts } from './curation-queries.ts';

type CurationDeps = Pick<Deps, 'db' | 'clock'>;

/**
 * Keeps an employer that a doctor has added. Throws `not_found`, `case_closed`, `case_claimed`,
 * `employer_rejected`, and `changed_meanwhile`.
 */
export async function acceptEmployer(
  deps: CurationDeps,
  actor: string,
  id: number,
  { case_id, version }: EmployerAcceptanceRequest = {},
): Promise<Employer> {
  await decide(deps, {
    ...submission(id, actor),
    case_id,
    version,
    async lock(trx) {
      await lockFacts(trx, id);
      return readOne(trx, id);
    },
    versionOf: ({ employer }) => factsVersion(employer),
    async change(_, { rejected_for }) {
      if (rejected_for !== null) throw new AppError('employer_rejected');
      return { act: { action: 'employers.accept' }, answer: null };
    },
  });
  return readEmployer(deps.db, id);
}

/** The case of an employer that a doctor added. */
export const submission = (employer_id: number, actor: string) => ({
  kinds: ['employer'] as const,
  subject: { employer_id },
  actor,
});

/**
 * Adds a name that searches find the employer by, such as the one people use. Throws `not_found`.
 */
export async function addAlias(
  { db, clock }: CurationDeps,
  actor: string,
  id: number,
  alias: string,
): Promise<Employer> {
  await inTransaction(db, async (trx) => {
    await readEmployer(trx, id);
    await insertAlias(trx, id, alias);
    const details = { alias };
    await recordAct(trx, clock, { actor, action: 'employers.alias', subject: String(id), details });
  });
  return readEmployer(db, id);
}

/**
 * Renames an employer, or changes other facts. Imports do not overwrite these changes. Throws
 * `not_found`, and `validation_error` if another submitted employer has the name.
 */
export async function curateEmployer(
  { db, clock }: CurationDeps,
  actor: string,
  id: number,
  { reason, ...change }: EmployerCurationRequest,
): Promise<Employer> {
  await inTransaction(db, async (trx) => {
    await changeFacts(trx, id, change);
    await recordAct(trx, clock, {
      actor,
      action: 'employers.curate',
      subject: String(id),
      // A fact that is no longer known is null.
      details: { ...change, reason },
    });
  });
  return readEmployer(db, id);
}
