import { sql } from 'kysely';
import type { EmployerSource } from '#contract/employers/employer-sources.ts';
import type { Db } from '#server/db/open.ts';
import { listedColumns, WINNERS_OF_ONE } from './choose-facts.ts';
import type { Pair } from './linking.ts';
import type { Listed, Source } from './sources.ts';

/** The rows of a file, until the end of the transaction. */
export async function createStage(trx: Db): Promise<void> {
  await sql`
    create temporary table listed (
      value text primary key, line integer not null, weight integer not null,
      creates boolean not null, facts jsonb not null, keys text[] not null
    ) on commit drop`.execute(trx);
}

export interface Staged extends Listed {
  readonly line: number;
}

/** Of two rows with one identifier, the heavier one stays. */
export async function stage(trx: Db, rows: readonly Staged[]): Promise<void> {
  await sql`
    insert into listed
    select * from json_to_recordset(${JSON.stringify(rows)}::json) as given (
      value text, line integer, weight integer, creates boolean, facts jsonb, keys text[])
    on conflict (value) do update set
      line = excluded.line, weight = excluded.weight, creates = excluded.creates, facts = excluded.facts,
      keys = excluded.keys
    where excluded.weight > listed.weight`.execute(trx);
}

/** The earlier rows with one of these identifiers. */
export async function selectStaged(
  trx: Db,
  values: readonly string[],
): Promise<Map<string, Pick<Staged, 'line' | 'weight'>>> {
  const { rows } = await sql<Pick<Staged, 'value' | 'line' | 'weight'>>`
    select value, line, weight from listed where value = any(${values}::text[])`.execute(trx);
  return new Map(rows.map(({ value, ...row }) => [value, row]));
}

/** Blocks other writers of employers until the transaction ends. Reads continue. Counts the rows. */
export async function lockForImport(trx: Db): Promise<number> {
  await sql`analyze listed`.execute(trx);
  await sql`lock table employers, employer_identifiers, employer_records in share row exclusive mode`.execute(
    trx,
  );
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from listed`.execute(trx);
  return rows[0]?.count ?? 0;
}

export interface LastImport {
  as_of: string;
  /** How many employers the last file of the source had. */
  rows: number;
}

export async function lastImport(trx: Db, source: EmployerSource): Promise<LastImport | null> {
  const { rows } = await sql<LastImport>`
    select max(as_of)::text as as_of, count(*) filter (where gone_on is null)::integer as rows
    from employer_records where source = ${source} having count(*) > 0`.execute(trx);
  return rows[0] ?? null;
}

/** A key that more employers share says nothing. */
const SHARED_MAX = 20;

/** The keys of employers that came from files, until the end of the transaction. */
export async function createExistingKeys(trx: Db): Promise<void> {
  await sql`
    create temporary table existing_keys (key text, employer_id integer) on commit drop`.execute(
    trx,
  );
}

export async function addExistingKeys(
  trx: Db,
  existing: readonly { employer_id: number; keys: readonly string[] }[],
): Promise<void> {
  await sql`
    insert into existing_keys
    select key, employer_id
    from json_to_recordset(${JSON.stringify(existing)}::json)
      as given (employer_id integer, keys text[]), unnest(keys) as key`.execute(trx);
}

/**
 * Rows with a new identifier and the employers that share a key with them: from other schemes, which
 * may be the same, and from this one, which may be twins.
 */
export async function selectPairs(
  trx: Db,
  { scheme }: Pick<Source, 'scheme'>,
): Promise<(Pair & { isSameScheme: boolean })[]> {
  await sql`create index on existing_keys (key)`.execute(trx);
  await sql`analyze existing_keys`.execute(trx);
  const { rows } = await sql<Pair & { isSameScheme: boolean }>`
    with common as (
      select key from existing_keys group by key having count(*) > ${SHARED_MAX}
    ),
    pairs as (
      select distinct listed.value, existing_keys.employer_id
      from listed, unnest(keys) as key join existing_keys using (key)
      where ${unknownIn(scheme)} and key not in (select key from common)
    )
    select value, listed.facts as row, employer_id, to_jsonb(employers) as employer,
      exists (
        select from employer_identifiers as known
        where known.employer_id = pairs.employer_id and known.scheme = ${scheme}
      ) as "isSameScheme"
    from pairs join listed using (value) join employers on employers.id = employer_id
    order by value, employer_id`.execute(trx);
  return rows;
}

const unknownIn = (scheme: string) => sql`not exists (
  select from employer_identifiers as known
  where known.scheme = ${scheme} and known.value = listed.value)`;

/** Whether any row has a new identifier, and any employer exists that it could be about. */
export async function hasUnknown(trx: Db, scheme: string): Promise<boolean> {
  const { rows } = await sql<{ has: boolean }>`
    select exists (select from listed where ${unknownIn(scheme)})
      and exists (select from employer_identifiers) as has`.execute(trx);
  return rows[0]?.has ?? false;
}

interface Existing {
  employer_id: number;
  name: string;
  address: string | null;
  city: string | null;
  state: string | null;
  zip: string | null;
  phone: string | null;
}

/** Employers that came from files, a page of them after an id. */
export async function selectImported(trx: Db, after: number): Promise<Existing[]> {
  const { rows } = await sql<Existing>`
    select id as employer_id, name, address, city, state, zip, phone from employers
    where id > ${after} and merged_into is null
      and exists (select from employer_identifiers where employer_id = employers.id)
    order by id limit 5000`.execute(trx);
  return rows;
}

/** Pairs of new rows of the file under one address, the first of which is already known. */
export async function selectTwins(trx: Db, scheme: string) {
  const { rows } = await sql<{ value: string; row: Pair['row']; twin: Pair['row'] }>`
    with keyed as (
      select value, key from listed, unnest(keys) as key
      where creates and ${unknownIn(scheme)} and key like '__ a%'
    ),
    shared as (
      select key from keyed group by key having count(*) between 2 and ${SHARED_MAX}
    ),
    pairs as (
      select distinct later.value, earlier.value as other
      from shared join keyed later using (key) join keyed earlier using (key)
      where earlier.value < later.value
    )
    select pairs.value, one.facts as row, two.facts as twin
    from pairs join listed one on one.value = pairs.value join listed two on two.value = other
    order by pairs.value, other`.execute(trx);
  return rows;
}

export async function startRun(
  trx: Db,
  source: EmployerSource,
  asOf: string,
  previous: string | null,
): Promise<number> {
  const { id } = await trx
    .insertInto('employer_imports')
    .values({ source, as_of: asOf, previous_as_of: previous })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** Adds the identifiers of rows that are about existing employers. */
export async function link(
  trx: Db,
  scheme: string,
  asOf: string,
  links: ReadonlyMap<string, number>,
): Promise<void> {
  await sql`
    insert into employer_identifiers (scheme, value, employer_id, first_seen, last_seen)
    select ${scheme}, value, employer_id, ${asOf}::date, ${asOf}::date
    from json_to_recordset(${JSON.stringify(
      [...links].map(([value, employer_id]) => ({ value, employer_id })),
    )}::json) as given (value text, employer_id integer)`.execute(trx);
}

/**
 * Adds employers for the rows that are about none, in the order of their identifiers, lists them in a
 * temporary table, and counts them.
 */
export async function addEmployers(
  trx: Db,
  { id: source, scheme }: Source,
  asOf: string,
): Promise<number> {
  await sql`
    create temporary table added (value text primary key, employer_id integer not null)
    on commit drop`.execute(trx);
  const { numAffectedRows = 0n } = await sql`
    with added_now as (
      insert into employers (source, source_id, employer_type, ${listedColumns()}, aliases)
      select ${source}, value, 'hospital', ${WINNERS_OF_ONE},
        array_remove(array[facts ->> 'source_name', facts ->> 'alt_name'], null)
      from listed where creates and ${unknownIn(scheme)}
      order by value
      -- After an undo that had to keep it.
      on conflict (source, source_id) do update set name = excluded.name
      returning id, source_id
    ),
    identified as (
      insert into employer_identifiers (scheme, value, employer_id, first_seen, last_seen)
      select ${scheme}, source_id, id, ${asOf}::date, ${asOf}::date from added_now
      returning value, employer_id
    )
    insert into added select value, employer_id from identified`.execute(trx);
  await sql`analyze added`.execute(trx);
  return Number(numAffectedRows);
}

/** Those of these identifiers for which this import has added an employer. */
export async function addedAmong(
  trx: Db,
  values: readonly string[],
): Promise<{ value: string; employer_id: number }[]> {
  const { rows } = await sql<{ value: string; employer_id: number }>`
    select value, employer_id from added where value = any(${values}::text[]) order by value`.execute(
    trx,
  );
  return rows;
}

/** Rows with an identifier of no employer: they are left out. */
export async function countLeftOut(trx: Db, scheme: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from listed where ${unknownIn(scheme)}`.execute(trx);
  return rows[0]?.count ?? 0;
}

/** A record that differs from the one before. */
export interface ChangedRecord {
  value: string;
  employer_id: number;
  facts: Record<string, unknown>;
  before: Record<string, unknown> | null;
  wasGone: boolean;
}

/**
 * Stores what the file says, and what undoing it needs. Equal rows are not touched. Returns what
 * changed about employers that existed before.
 */
export async function writeRecords(
  trx: Db,
  { id: source, scheme, isComplete }: Source,
  run: { id: number; asOf: string },
  linked: readonly string[],
): Promise<{ changed: ChangedRecord[]; gone: ChangedRecord[] }> {
  const { rows: changed } = await sql<ChangedRecord>`
    with changed as (
      select listed.value, coalesce(merged_into, employers.id) as employer_id, listed.facts,
        before.facts as before, before.as_of, before.gone_on, added.employer_id as added
      from listed
      join employer_identifiers on scheme = ${scheme} and employer_identifiers.value = listed.value
      join employers on employers.id = employer_id
      left join employer_records as before
        on before.source = ${source} and before.value = listed.value
      left join added on added.value = listed.value
      where before.value is null or before.facts <> listed.facts or before.gone_on is not null
    ),
    kept as (
      insert into employer_import_changes
      select ${run.id}, value, before, as_of, gone_on,
        added is not null or value = any(${linked}::text[]), added
      from changed
    ),
    written as (
      insert into employer_records (source, scheme, value, facts, as_of)
      select ${source}, ${scheme}, value, facts, ${run.asOf}::date from changed
      on conflict (source, value) do update
        set facts = excluded.facts, as_of = excluded.as_of, gone_on = null
    )
    select value, employer_id, facts, before, gone_on is not null as "wasGone" from changed
    where added is null order by value`.execute(trx);
  const { rows: gone } = await sql<ChangedRecord>`
    with gone as (
      update employer_records as record set gone_on = ${run.asOf}::date
      where ${isComplete}::boolean and record.source = ${source} and gone_on is null
        and not exists (select from listed where listed.value = record.value)
      returning record.value, record.facts, record.as_of
    ),
    kept as (
      insert into employer_import_changes
      select ${run.id}, value, facts, as_of, null, false, null from gone
    )
    select gone.value, coalesce(merged_into, employers.id) as employer_id, gone.facts,
      gone.facts as before, false as "wasGone"
    from gone join employer_identifiers known on scheme = ${scheme} and known.value = gone.value
    join employers on employers.id = employer_id
    order by 1`.execute(trx);
  await sql`
    update employer_records as record set as_of = ${run.asOf}::date
    from listed
    where source = ${source} and record.value = listed.value and as_of < ${run.asOf}::date`.execute(
    trx,
  );
  await sql`
    update employer_identifiers as known set last_seen = ${run.asOf}::date
    from listed
    where scheme = ${scheme} and known.value = listed.value and last_seen < ${run.asOf}::date`.execute(
    trx,
  );
  return { changed, gone };
}
