import type { EmployerCurationRequest, EmployerMerge } from '#contract/employer-curation.ts';
import type { Employer } from '#contract/employers.ts';
import { AppError } from '#server/app-error.ts';
import { recordAct } from '#server/audit-log.ts';
import type { Db } from '#server/db/open.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { Deps } from '#server/deps.ts';
import { lockReviews, moveReviews } from '#server/features/reviews/service.ts';
import { countRows } from '#server/listing/page-query.ts';
import { searchPage } from '#server/listing/search-query.ts';
import * as queries from './curation-queries.ts';
import { EMPLOYERS, type EmployerCriteria } from './directory-query.ts';
import { type EmployerRow, toEmployer } from './employer-row.ts';
import { type SearchQuery, understandName } from './search.ts';
import { readEmployer } from './service.ts';

type CurationDeps = Pick<Deps, 'db' | 'clock'>;

/** Possible duplicates shown for each submitted employer. */
const CANDIDATES = 3;

/**
 * Merges two employers. All reviews move to `into`, and triggers update its ratings in the same
 * transaction. An author who reviewed both keeps both reviews: deleting one would show the
 * administrator that one person wrote them. Old links and the old name lead to `into`. Throws
 * `not_found`, and `validation_error` for `into`.
 */
export async function mergeEmployers(
  { db, clock }: CurationDeps,
  actor: string,
  from: number,
  into: number,
): Promise<EmployerMerge> {
  if (from === into) throw fieldError('into', 'An employer cannot be merged into itself');
  const moved_reviews = await inTransaction(db, async (trx) => {
    // A merge changes rows in no fixed order, so it locks the tables. It is rare and short.
    await queries.lockEmployers(trx);
    await lockReviews(trx);
    await checkMerge(trx, from, into);
    const moved_reviews = await moveReviews(trx, from, into);
    await queries.setMerged(trx, from, into);
    await recordAct(trx, clock, {
      actor,
      action: 'employers.merge',
      subject: String(from),
      details: { into, moved_reviews },
    });
    return moved_reviews;
  });
  return { employer: await readEmployer(db, into), moved_reviews };
}

async function checkMerge(trx: Db, from: number, into: number) {
  const rows = await queries.selectMerges(trx, [from, into]);
  const [leaving, staying] = [from, into].map((id) => rows.find((row) => row.id === id));
  if (!leaving) throw new AppError('not_found');
  if (!staying) throw fieldError('into', 'There is no such employer');
  for (const [name, row] of Object.entries({ id: leaving, into: staying })) {
    if (row.merged_into !== null) {
      throw fieldError(name, `Employer ${row.id} has been merged into ${row.merged_into}`);
    }
  }
}

/**
 * Renames an employer, or changes its type or status. Imports do not overwrite these changes. Throws
 * `not_found`, and `validation_error` if another submitted employer has the name.
 */
export async function curateEmployer(
  { db, clock }: CurationDeps,
  actor: string,
  id: number,
  change: EmployerCurationRequest,
): Promise<Employer> {
  await inTransaction(db, async (trx) => {
    if (!(await queries.updateCurated(trx, id, change))) throw new AppError('not_found');
    const details = Object.fromEntries(
      Object.entries(change).flatMap(([field, value]) => (value ? [[field, value]] : [])),
    );
    await recordAct(trx, clock, {
      actor,
      action: 'employers.curate',
      subject: String(id),
      details,
    });
  }).catch((error: { constraint?: string }) => {
    if (error.constraint !== 'employers_custom_name') throw error;
    throw fieldError('name', 'Another employer has this name. Please merge the two instead.');
  });
  return readEmployer(db, id);
}

/** One page of employers that doctors have added, each with the most similar ones. */
export async function listSubmitted(
  db: Db,
  page: { page: number; page_size: number },
): Promise<{ results: { employer: Employer; candidates: Employer[] }[]; count: number }> {
  const { employers, count } = await queries.selectSubmitted(db, page);
  const results = [];
  for (const employer of employers) {
    results.push({ employer, candidates: await similarEmployers(db, employer) });
  }
  return { results, count };
}

async function similarEmployers(db: Db, { id, name }: Employer): Promise<Employer[]> {
  const search = await understandName(db, name);
  if (!search) return [];
  const criteria = { page: 1, page_size: CANDIDATES + 1 };
  const found = await countRows(db, EMPLOYERS, criteria, search);
  const counted = { count: found, found, criteria };
  const rows = await searchPage<EmployerRow, EmployerCriteria, SearchQuery>(
    db,
    EMPLOYERS,
    counted,
    search,
  );
  return rows
    .filter((other) => other.id !== id)
    .slice(0, CANDIDATES)
    .map(toEmployer);
}

const fieldError = (field: string, message: string) =>
  new AppError('validation_error', { fields: { [field]: [message] } });
