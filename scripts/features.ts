import type { DB } from '#server/db/types.ts';

/**
 * The features, each of which imports only those before it, under the one name that it has in contract/,
 * server/features/, and web/features/. `web` is false for a feature without screens.
 */
export const FEATURES: Readonly<Record<string, { web: boolean }>> = {
  accounts: { web: true },
  employers: { web: true },
  reviews: { web: true },
  // Its screens stand where they are used: web/features/reviews and web/features/accounts.
  replies: { web: false },
  // Its screens belong to accounts: web/features/accounts/verification.
  verification: { web: false },
  saved: { web: true },
  // Its screens are sections of the profile: web/features/accounts.
  member: { web: false },
  office: { web: true },
  site: { web: true },
};

/** The folders in contract/ that belong to no feature. */
export const SHARED_CONTRACT = ['endpoints', 'fixtures', 'legal-demands', 'testing'];

/** The only reader and writer of each table: a feature, or a folder or file of server/. */
export const TABLE_OWNERS: Readonly<Record<keyof DB, string>> = {
  audit_log: 'audit-log.ts',
  case_notes: 'cases',
  cases: 'cases',
  departing_reviews: 'reviews',
  doctors: 'accounts',
  email_changes: 'accounts',
  email_undos: 'accounts',
  employer_concerns: 'employers',
  employer_corrections: 'employers',
  employer_identifiers: 'employers',
  employer_import_changes: 'employers',
  employer_imports: 'employers',
  employer_merges: 'employers',
  employer_ratings: 'employers',
  employer_records: 'employers',
  employer_specialties: 'employers',
  employer_stars: 'employers',
  employer_words: 'employers',
  employer_years: 'employers',
  employers: 'employers',
  institution_domains: 'verification',
  key_prints: 'key-prints.ts',
  legal_demands: 'legal-demands',
  legal_documents: 'legal-demands',
  letters: 'verification',
  lineage: 'backup',
  mailbox_codes: 'verification',
  mailbox_marks: 'verification',
  mailbox_quotas: 'verification',
  migrations: 'db',
  npi_tombstones: 'verification',
  one_time_codes: 'accounts',
  password_resets: 'accounts',
  physician_counts: 'npi-registry',
  position_titles: 'reviews',
  rate_limit_salts: 'rate-limits',
  rate_limits: 'rate-limits',
  registry_files: 'npi-registry',
  registry_physicians: 'npi-registry',
  reply_reports: 'reviews',
  representatives: 'accounts',
  review_appeals: 'reviews',
  review_authors: 'reviews',
  review_decisions: 'reviews',
  review_replies: 'reviews',
  review_reports: 'reviews',
  review_votes: 'reviews',
  reviews: 'reviews',
  saved_lists: 'saved',
  saved_mailings: 'saved',
  scheduled_reviews: 'reviews',
  search_words: 'reviews',
  sessions: 'accounts',
  shared_decisions: 'verification',
  staff_digests: 'office',
  staff_factors: 'office',
  users: 'accounts',
};

/** The tables that a TypeScript source queries, through Kysely or in raw SQL. */
export function tablesIn(source: string): string[] {
  const code = source.replace(/\/\*[\s\S]*?\*\/|(?<=^|\s)(?:\/\/|--).*$/gm, '');
  const named = [
    ...code.matchAll(/(?:From|Into|Table|Join|using|\.table)\(\s*(\[?['"`][^)]*)/g),
    ...code.matchAll(/\b(?:from|join|into|update|table|using)\s+([\w.]+(?:\s*,\s*[\w.]+)*)/gi),
    // The table name may come from a constant.
    ...(/\bsql\.table\(/.test(code) ? code.matchAll(/'(\w+)'/g) : []),
  ].flatMap(([, names = '']) => names.match(/\w+/g) ?? []);
  return [...new Set(named)].filter((name) => name in TABLE_OWNERS).sort();
}
