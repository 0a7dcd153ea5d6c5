import type { Insertable, Selectable } from 'kysely';
import type { Db } from '#server/db/open.ts';
import type { DB } from '#server/db/types.ts';

export type InstitutionDomain = Selectable<DB['institution_domains']>;

export function findDomain(db: Db, domain: string) {
  return db
    .selectFrom('institution_domains')
    .selectAll()
    .where('domain', '=', domain)
    .executeTakeFirst();
}

export function selectDomains(db: Db): Promise<InstitutionDomain[]> {
  return db.selectFrom('institution_domains').selectAll().orderBy('domain').execute();
}

/** Adds a domain, or changes its kind and name. */
export async function putDomain(
  db: Db,
  { domain, ...rest }: Insertable<DB['institution_domains']>,
): Promise<void> {
  await db
    .insertInto('institution_domains')
    .values({ domain, ...rest })
    .onConflict((conflict) => conflict.column('domain').doUpdateSet(rest))
    .execute();
}

/** Adds a domain. False if it is already listed. */
export async function addDomain(
  db: Db,
  domain: Insertable<DB['institution_domains']>,
): Promise<boolean> {
  const added = await db
    .insertInto('institution_domains')
    .values(domain)
    .onConflict((conflict) => conflict.doNothing())
    .returning('domain')
    .executeTakeFirst();
  return added !== undefined;
}

export async function deleteDomain(db: Db, domain: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('institution_domains')
    .where('domain', '=', domain)
    .executeTakeFirstOrThrow();
  return numDeletedRows > 0n;
}
