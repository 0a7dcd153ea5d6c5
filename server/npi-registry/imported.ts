import { sql } from 'kysely';
import type pg from 'pg';
import type { PersonName } from '#contract/person-names.ts';
import { cityKey, type PhysicianCounts } from '#contract/reviews/physician-counts.ts';
import type { Db } from '#server/db/open.ts';
import { onClient } from '#server/db/transaction.ts';
import { inRegistrySession } from './import/session.ts';
import type { NpiRegistry, RegistryAnswer } from './registry.ts';

/**
 * Once a registry is imported, queries only it: querying anyone else about a number that it lacks
 * would reveal who joins. Before the first import, queries `other`. It decides at each lookup, so a
 * running server uses a new import immediately.
 */
export function importedOr(other: NpiRegistry, db: Db): NpiRegistry {
  return {
    async lookUp(npi) {
      return (await lookUpImported(db, npi)) ?? other.lookUp(npi);
    },
  };
}

interface ImportedRow {
  npi: number | null;
  deactivated: boolean | null;
  first_name: string | null;
  last_name: string | null;
  other_first_name: string | null;
  other_last_name: string | null;
  taxonomies: string[] | null;
  street: string[] | null;
  city: string | null;
  state: string | null;
  postal_code: string | null;
}

/** Null if none is imported. A single statement, so no import can happen in between. */
async function lookUpImported(db: Db, npi: string): Promise<RegistryAnswer | null> {
  const { rows } = await sql<ImportedRow>`
    select npi, deactivated, first_name, last_name, other_first_name, other_last_name,
      taxonomies, street, city, state, postal_code
    from (select from registry_files limit 1) as imported
    left join registry_physicians on npi = ${npi}
  `.execute(db);
  const [row] = rows;
  return row ? toAnswer(row) : null;
}

function toAnswer(row: ImportedRow): RegistryAnswer {
  if (row.npi === null) return { kind: 'unknown' };
  if (row.deactivated) return { kind: 'deactivated' };
  const { street, city, state, postal_code } = row;
  return {
    kind: 'person',
    active: true,
    names: [
      ...toName(row.first_name, row.last_name),
      ...toName(row.other_first_name, row.other_last_name),
    ],
    taxonomies: row.taxonomies ?? [],
    practice:
      street && city && state && postal_code ? { lines: street, city, state, postal_code } : null,
  };
}

function toName(first: string | null, last: string | null): PersonName[] {
  return first && last ? [{ first, last }] : [];
}

/** The imported files, oldest first. */
export async function registryContents(db: Db) {
  const files = await db
    .selectFrom('registry_files')
    .select(['id', 'file_name', 'kind', 'as_of', 'imported_on', 'lines', 'skipped'])
    .orderBy('id')
    .execute();
  const size = await db
    .selectFrom('registry_physicians')
    .select((eb) => [
      eb.fn.countAll().filterWhere('deactivated', '=', false).as('physicians'),
      eb.fn.countAll().filterWhere('deactivated', '=', true).as('deactivated'),
    ])
    .executeTakeFirstOrThrow();
  return { files, size };
}

/**
 * Drops the imported registry, so that lookups go to the network again. Returns false if there was
 * none.
 * @throws OperatorError while an import is running
 */
export async function forgetRegistry(pool: pg.Pool): Promise<boolean> {
  return inRegistrySession(pool, (client) =>
    onClient(client, async () => {
      const { rowCount } = await client.query('select from registry_files');
      await client.query('truncate registry_physicians, registry_files, physician_counts');
      return (rowCount ?? 0) > 0;
    }),
  );
}

interface CityCounts {
  city: string;
  counts: Record<string, number>;
}

/** The physicians of a state, from the primary key of physician_counts. */
export async function countPhysicians(db: Db, state: string): Promise<PhysicianCounts> {
  const { rows } = await sql<CityCounts>`
    select city, json_object_agg(specialty, physicians) as counts
    from physician_counts where state = ${state} group by city order by city
  `.execute(db);
  const cities = new Map<string, Map<string, number>>();
  for (const { city, counts } of rows) {
    // The registry has several spellings of one city.
    const key = cityKey(city);
    const sums = cities.get(key) ?? new Map<string, number>();
    for (const [code, count] of Object.entries(counts)) {
      sums.set(code, (sums.get(code) ?? 0) + count);
    }
    cities.set(key, sums);
  }
  return {
    cities: Object.fromEntries([...cities].map(([key, sums]) => [key, Object.fromEntries(sums)])),
  };
}
