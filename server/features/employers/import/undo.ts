import { sql } from 'kysely';
import type { EmployerSource } from '#contract/employers/employer-sources.ts';
import { sqlStateOf } from '#server/db/errors.ts';
import type { Db } from '#server/db/open.ts';
import { inTransaction } from '#server/db/transaction.ts';
import { OperatorError } from '#server/errors/operator-error.ts';
import { chooseFacts } from './choose-facts.ts';
import { schemeOf } from './sources.ts';

const FOREIGN_KEY_VIOLATION = '23503';

export interface UndoSummary {
  readonly source: EmployerSource;
  readonly removed: number;
  readonly restored: number;
  /** Employers that the import had added, and that are in use. */
  readonly kept: readonly { id: number; name: string }[];
}

/**
 * Undoes the newest import of a source. Employers that it added, and that have reviews (published or
 * waiting), corrections, merges, or representatives by now, stay.
 * @throws OperatorError if there is no such import, or a newer one of its source
 */
export function undoImport(db: Db, id: number): Promise<UndoSummary> {
  return inTransaction(db, async (trx) => {
    await sql`lock table employers, employer_identifiers, employer_records, employer_imports
      in share row exclusive mode`.execute(trx);
    const run = await trx
      .selectFrom('employer_imports')
      .select(['source', 'undone', 'as_of', 'previous_as_of'])
      .where('id', '=', id)
      .executeTakeFirst();
    if (!run) throw new OperatorError(`there is no import ${id}`);
    if (run.undone) throw new OperatorError(`import ${id} was undone before`);
    const { rows: newer } = await sql<{ id: number }>`
      select id from employer_imports
      where source = ${run.source} and id > ${id} and not undone order by id desc limit 1`.execute(
      trx,
    );
    if (newer[0]) throw new OperatorError(`undo import ${newer[0].id} first, which is newer`);
    const source = run.source as EmployerSource;
    const touched = await employersOf(trx, id, schemeOf(source));
    const { rows: restored } = await sql`
      update employer_records as record
      set facts = before, as_of = before_as_of, gone_on = before_gone_on
      from employer_import_changes as change
      where import_id = ${id} and before is not null
        and record.source = ${source} and record.value = change.value
      returning record.value`.execute(trx);
    await sql`
      delete from employer_records as record using employer_import_changes as change
      where import_id = ${id} and before is null
        and record.source = ${source} and record.value = change.value`.execute(trx);
    await sql`
      delete from employer_identifiers as known using employer_import_changes as change
      where import_id = ${id} and added_identifier and known.value = change.value
        and known.scheme = ${schemeOf(source)}
        and not exists (
          select from employer_records as record
          where record.scheme = known.scheme and record.value = known.value)`.execute(trx);
    await sql`
      update employer_records set as_of = ${run.previous_as_of}::date
      where source = ${source} and as_of = ${run.as_of}::date
        and ${run.previous_as_of}::date is not null`.execute(trx);
    const { removed, kept } = await removeAdded(trx, id);
    await chooseFacts(trx, touched, { keepsOldNames: false });
    await trx.updateTable('employer_imports').set({ undone: true }).where('id', '=', id).execute();
    return { source, removed, restored: restored.length, kept };
  });
}

/** The employers whose facts an import changed. */
async function employersOf(trx: Db, id: number, scheme: string): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select distinct coalesce(merged_into, employers.id) as id
    from employer_import_changes change
    join employer_identifiers known using (value) join employers on employers.id = employer_id
    where import_id = ${id} and added_employer is null and scheme = ${scheme}`.execute(trx);
  return rows.map((row) => row.id);
}

/** Deletes the employers that an import added, except those that anything refers to. */
async function removeAdded(trx: Db, id: number) {
  const { rows: added } = await sql<{ id: number }>`
    select id from employers
    where id in (select added_employer from employer_import_changes where import_id = ${id})
      and merged_into is null and curated_fields = '{}'
      and not exists (select from employer_corrections where employer_id = employers.id)
    order by id`.execute(trx);
  let removed = 0;
  for (const employer of added) removed += Number(await isRemoved(trx, employer.id));
  const { rows: kept } = await sql<{ id: number; name: string }>`
    select id, name from employers
    where id in (select added_employer from employer_import_changes where import_id = ${id})
    order by id`.execute(trx);
  return { removed, kept };
}

/** False if anything refers to the employer: reviews, published or waiting, merges, or others. */
async function isRemoved(trx: Db, id: number): Promise<boolean> {
  await sql`savepoint removal`.execute(trx);
  try {
    await trx.deleteFrom('employers').where('id', '=', id).execute();
    await sql`release savepoint removal`.execute(trx);
    return true;
  } catch (error) {
    if (sqlStateOf(error) !== FOREIGN_KEY_VIOLATION) throw error;
    await sql`rollback to savepoint removal`.execute(trx);
    return false;
  }
}
