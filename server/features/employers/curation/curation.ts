import { sql } from 'kysely';
import type {
  EmployerAcceptanceRequest,
  EmployerCurationRequest,
} from '#contract/employers/employer-curation.ts';
import { EMPLOYER_FACT_KEYS, type FactChange } from '#contract/employers/employer-facts.ts';
import type { RejectionKey } from '#contract/employers/employer-rejections.ts';
import type { Employer } from '#contract/employers/employers.ts';
import { recordAct } from '#server/audit-log.ts';
import { decide, versionOf } from '#server/cases/cases.ts';
import type { Db } from '#server/db/open.ts';
import { anyOf, UNNAMED } from '#server/db/statements.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors/app-error.ts';
import { readEmployer, readOne } from '#server/features/employers/queries.ts';
import { ALIASES_MAX, LISTED } from '../employer-row.ts';

const FACTS = sql.join(EMPLOYER_FACT_KEYS.map((fact) => sql.ref(fact)));

/**
 * Returns false if the employer does not exist, or has been merged or rejected. One SQL text for any
 * facts: those missing from the JSON do not change.
 */
async function updateCurated(trx: Db, id: number, change: FactChange): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`
    update employers set
      (${FACTS}) = (
        select ${FACTS} from jsonb_populate_record(employers, ${JSON.stringify(change)}::jsonb)
      ),
      curated_fields = array(
        select distinct field from unnest(curated_fields || ${Object.keys(change)}::text[]) as field
        order by field
      )
    where id = ${id} and ${LISTED} ${UNNAMED}`.execute(trx);
  return numAffectedRows > 0n;
}

/** Adds a name, unless the employer has it. The oldest of too many go (employers_aliases_check). */
async function insertAlias(trx: Db, id: number, alias: string): Promise<void> {
  await sql`
    update employers set aliases = (array[${alias}::text] || aliases)[1:${sql.lit(ALIASES_MAX)}]
    where id = ${id} and public.name_key(${alias}) <> all (alias_keys || name_key) ${UNNAMED}
  `.execute(trx);
}

/**
 * Keeps employers from being merged or rejected, and a merge from being undone, until the transaction
 * ends. Comes before the lock of a row: a merge locks the table, then the cases, and at last the row.
 */
export async function holdEmployers(trx: Db): Promise<void> {
  await sql`lock table employers in row exclusive mode`.execute(trx);
}

/** Keeps the facts of an employer as they are until the transaction ends. */
export async function lockFacts(trx: Db, id: number): Promise<void> {
  await holdEmployers(trx);
  await trx.selectFrom('employers').select('id').where('id', '=', id).forUpdate().execute();
}

export async function setRejected(
  trx: Db,
  id: number,
  rejected_for: RejectionKey | null,
): Promise<void> {
  await trx.updateTable('employers').set({ rejected_for }).where('id', '=', id).execute();
}

/** Deletes the corrections that wait for these employers. */
export async function deleteCorrections(trx: Db, employerIds: readonly number[]): Promise<void> {
  await trx
    .deleteFrom('employer_corrections')
    .where('employer_id', '=', anyOf('integer', employerIds))
    .execute();
}

/**
 * Changes facts of an employer, so that imports do not overwrite them. Throws `not_found` if the
 * employer does not exist or has been merged, and `validation_error` if another submitted one has
 * the name and the place.
 */
export async function changeFacts(trx: Db, id: number, change: FactChange): Promise<void> {
  const isKnown = await updateCurated(trx, id, change).catch((error: { constraint?: string }) => {
    if (error.constraint !== 'employers_custom_name') throw error;
    const fact = (['name', 'city', 'state'] as const).find((one) => one in change) ?? 'name';
    throw new AppError('validation_error', {
      fields: {
        [fact]: ['Another employer has this name and place. Please merge the two instead.'],
      },
    });
  });
  if (!isKnown) throw new AppError('not_found');
}

/** Of the facts of these employers. */
export const factsVersion = (...employers: readonly Employer[]): string =>
  versionOf(employers.map((employer) => EMPLOYER_FACT_KEYS.map((fact) => employer[fact])));

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
    needsCase: true,
    version,
    async lock(trx) {
      await lockFacts(trx, id);
      const before = await readOne(trx, id);
      if (before.rejected_for !== null) throw new AppError('employer_rejected');
      return before;
    },
    currentVersion: ({ employer }) => factsVersion(employer),
    async change() {
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
