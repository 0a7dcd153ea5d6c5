import { domainToASCII } from 'node:url';
import type { Selectable } from 'kysely';
import { parse } from 'tldts';
import { titleCase } from '#contract/names.ts';
import { COMMAND, recordAct } from '#server/audit-log.ts';
import type { Db } from '#server/db/open.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { DB } from '#server/db/types.ts';
import type { Deps } from '#server/deps.ts';
import { isPublicProvider, registrableDomain } from '#server/email-domains.ts';
import { OperatorError } from '#server/errors/operator-error.ts';
import { selectImportedWebsites } from '#server/features/employers/queries.ts';

export const INSTITUTION_KINDS = ['employer', 'school', 'society', 'residency'] as const;
export type InstitutionKind = (typeof INSTITUTION_KINDS)[number];

export type InstitutionDomain = Selectable<DB['institution_domains']>;

const COLUMNS = ['domain', 'kind', 'name', 'proofs_per_month'] as const;

type CurateDeps = Pick<Deps, 'db' | 'clock'>;

/**
 * A domain with more employers belongs to an association, a directory, or a government. Chains that
 * have mail there are added manually.
 */
const MOST_EMPLOYERS = 10;

/** The domain in lowercase ASCII (RFC 5891); null if it is invalid. */
function normalized(domain: string): string | null {
  const ascii = domainToASCII(domain.trim());
  return /^[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(ascii) && !parse(ascii).isIp ? ascii : null;
}

/** Adds or changes a domain. Throws OperatorError if anyone can have mail there. */
export async function listDomain(
  { db, clock }: CurateDeps,
  given: { domain: string; kind: InstitutionKind; name: string },
): Promise<InstitutionDomain> {
  const domain = normalized(given.domain);
  if (!domain) throw new OperatorError(`${given.domain} is not a domain, such as hospital.org`);
  if (registrableDomain(domain) === null) {
    throw new OperatorError(`${domain} is a public suffix: anyone can have a domain under it`);
  }
  if (isPublicProvider(domain)) {
    throw new OperatorError(`anyone can have a mailbox or a site at ${domain}`);
  }
  const { kind, name } = given;
  return inTransaction(db, async (trx) => {
    const listed = await trx
      .insertInto('institution_domains')
      .values({ domain, kind, name })
      .onConflict((conflict) => conflict.column('domain').doUpdateSet({ kind, name }))
      .returning(COLUMNS)
      .executeTakeFirstOrThrow();
    const act = { actor: COMMAND, action: 'domains.add', subject: domain } as const;
    await recordAct(trx, clock, { ...act, details: { kind } });
    return listed;
  });
}

/** Sets how many proofs of a domain count in a month; null for the setting. False if not listed. */
export function setQuota(
  { db, clock }: CurateDeps,
  given: string,
  proofs_per_month: number | null,
): Promise<boolean> {
  const domain = normalized(given) ?? given;
  return inTransaction(db, async (trx) => {
    const { numUpdatedRows } = await trx
      .updateTable('institution_domains')
      .set({ proofs_per_month })
      .where('domain', '=', domain)
      .executeTakeFirstOrThrow();
    if (numUpdatedRows === 0n) return false;
    const act = { actor: COMMAND, action: 'domains.quota', subject: domain } as const;
    await recordAct(trx, clock, { ...act, details: { proofs_per_month } });
    return true;
  });
}

/** Removes a domain from the list. False if it was not listed. */
export function unlistDomain({ db, clock }: CurateDeps, given: string): Promise<boolean> {
  const domain = normalized(given) ?? given;
  return inTransaction(db, async (trx) => {
    const { numDeletedRows } = await trx
      .deleteFrom('institution_domains')
      .where('domain', '=', domain)
      .executeTakeFirstOrThrow();
    if (numDeletedRows === 0n) return false;
    await recordAct(trx, clock, { actor: COMMAND, action: 'domains.remove', subject: domain });
    return true;
  });
}

interface FromEmployers {
  readonly added: readonly InstitutionDomain[];
  /** Skipped: too many employers have their website there. */
  readonly shared: readonly { domain: string; employers: number }[];
  /** Skipped: anyone can have a site there. */
  readonly public: readonly string[];
}

/** Lists the registrable domains of the websites of imported employers. */
export async function listEmployersDomains({ db, clock }: CurateDeps): Promise<FromEmployers> {
  const owners = await ownersByDomain(db);
  const entries = [...owners].toSorted(([one], [other]) => (one < other ? -1 : 1));
  const isPublic = ([domain]: [string, string[]]) => isPublicProvider(domain);
  const isShared = ([, names]: [string, string[]]) => names.length > MOST_EMPLOYERS;
  const kept = entries.filter((entry) => !isPublic(entry) && !isShared(entry));
  const added = await inTransaction(db, async (trx) => {
    const domains: InstitutionDomain[] = [];
    for (const [domain, names] of kept) {
      const row = { domain, kind: 'employer', name: nameOf(names), proofs_per_month: null };
      const { numInsertedOrUpdatedRows: inserted } = await trx
        .insertInto('institution_domains')
        .values(row)
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirstOrThrow();
      if (inserted) domains.push(row);
    }
    if (domains.length > 0) {
      const details = { added: domains.length };
      const act = {
        actor: COMMAND,
        action: 'domains.from-employers',
        subject: 'employers',
      } as const;
      await recordAct(trx, clock, { ...act, details });
    }
    return domains;
  });
  return {
    added,
    shared: entries
      .filter((entry) => isShared(entry) && !isPublic(entry))
      .map(([domain, names]) => ({ domain, employers: names.length })),
    public: entries.filter(isPublic).map(([domain]) => domain),
  };
}

async function ownersByDomain(db: Db): Promise<Map<string, string[]>> {
  const owners = new Map<string, string[]>();
  for (const { name, website } of await selectImportedWebsites(db)) {
    const domain = registrableDomain(website);
    if (domain) owners.set(domain, [...(owners.get(domain) ?? []), name]);
  }
  return owners;
}

function nameOf([first = '', ...more]: string[]): string {
  const name = titleCase(first);
  return more.length === 0 ? name : `${name} and ${more.length} more`;
}

export function findDomain(db: Db, domain: string) {
  return db
    .selectFrom('institution_domains')
    .select(COLUMNS)
    .where('domain', '=', domain)
    .executeTakeFirst();
}

export function selectDomains(db: Db): Promise<InstitutionDomain[]> {
  return db.selectFrom('institution_domains').select(COLUMNS).orderBy('domain').execute();
}
