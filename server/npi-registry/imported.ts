import { sql } from 'kysely';
import type { PersonName } from '#contract/person-names.ts';
import type { Db } from '#server/db/open.ts';
import type { NpiRegistry, RegistryAnswer } from './registry.ts';

/**
 * Asks only the imported registry once there is one. Asking anyone else about a number that it
 * lacks would reveal who joins. Before the first import it asks `other`. It decides at each lookup,
 * so a running server uses a new import at once.
 */
export function importedOr(other: NpiRegistry, db: Db): NpiRegistry {
  return {
    async lookUp(npi) {
      return (await lookUpImported(db, npi)) ?? other.lookUp(npi);
    },
  };
}

interface Row {
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

/** Null if none is imported. A single statement, so that no import can come in between. */
async function lookUpImported(db: Db, npi: string): Promise<RegistryAnswer | null> {
  const { rows } = await sql<Row>`
    select npi, deactivated, first_name, last_name, other_first_name, other_last_name,
      taxonomies, street, city, state, postal_code
    from (select from registry_files limit 1) as imported
    left join registry_physicians on npi = ${npi}
  `.execute(db);
  const [row] = rows;
  return row ? toAnswer(row) : null;
}

function toAnswer(row: Row): RegistryAnswer {
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
