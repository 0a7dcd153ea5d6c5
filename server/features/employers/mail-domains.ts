import type { Db } from '#server/db/open.ts';
import type { Deps } from '#server/deps.ts';
import { registrableDomain } from '#server/registrable-domain.ts';

/**
 * Whether the domain belongs to an employer, by registrable domain (Public Suffix List):
 * `mail.hospital.org` matches the website `www.hospital.org`.
 */
export async function isEmployerDomain(
  { db, cache }: Pick<Deps, 'db' | 'cache'>,
  domain: string,
): Promise<boolean> {
  const domains = await cache.remember(['employers'], 'employers/mail-domains', () =>
    selectDomains(db),
  );
  return domains.has(registrableDomain(domain) ?? '');
}

/** The registrable domains of all employers' websites. */
async function selectDomains(db: Db): Promise<ReadonlySet<string>> {
  const rows = await db
    .selectFrom('employers')
    .select('website')
    .distinct()
    .where('website', 'is not', null)
    .execute();
  return new Set(rows.flatMap(({ website }) => registrableDomain(website ?? '') ?? []));
}
