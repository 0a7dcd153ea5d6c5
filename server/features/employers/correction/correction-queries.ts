import type { Correction } from '#contract/employer-corrections.ts';
import type { EmployerFact } from '#contract/employer-facts.ts';
import type { Db } from '#server/db/open.ts';
import { AppError } from '#server/errors/app-error.ts';
import { LISTED } from '#server/features/employers/employer-row.ts';

/** Returns false if a correction of this fact is waiting (employer_corrections_once). */
export async function insertCorrection(
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
export async function lockEmployer(trx: Db, id: number): Promise<number> {
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
export async function selectCorrections(
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

/** Returns false if it has already been decided. */
export async function deleteCorrection(trx: Db, id: string): Promise<boolean> {
  const { numDeletedRows } = await trx
    .deleteFrom('employer_corrections')
    .where('id', '=', id)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}
