import { sql } from 'kysely';
import { COMPARED_FACTS, type EmployerFile } from '#contract/employers/employer-curation.ts';
import type { Employer } from '#contract/employers/employers.ts';
import type { Db } from '#server/db/open.ts';
import type { Deps } from '#server/deps.ts';
import {
  EMPLOYERS,
  type EmployerCriteria,
} from '#server/features/employers/directory/directory-query.ts';
import { type SearchQuery, understandName } from '#server/features/employers/directory/search.ts';
import {
  EMPLOYER_COLUMNS,
  type EmployerRow,
  employersWithRatings,
  LISTED,
  toEmployer,
} from '#server/features/employers/employer-row.ts';
import { evidenceOf } from '#server/features/employers/import/match-keys.ts';
import { readEmployer, readOne } from '#server/features/employers/queries.ts';
import { searchPage } from '#server/listing/list-page.ts';
import { selectPage } from '#server/listing/page.ts';
import { factsVersion } from './curation.ts';
import { selectUndoable } from './merge-queries.ts';

/** Possible duplicates shown for each submitted employer. */
const CANDIDATES = 3;

/** One page of employers that doctors added, each with the most similar ones. */
export async function listSubmitted(
  db: Db,
  page: { page: number; page_size: number },
): Promise<{ results: { employer: Employer; candidates: Employer[] }[]; count: number }> {
  const { employers, count } = await selectSubmitted(db, page);
  const results = [];
  for (const employer of employers) {
    results.push({ employer, candidates: await similarEmployers(db, employer) });
  }
  return { results, count };
}

/** What a curator sees of an employer, with possible duplicates. Throws `not_found`. */
export async function readEmployerFile(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  id: number,
): Promise<EmployerFile> {
  const { employer, merged_into, rejected_for } = await readOne(db, id);
  const [candidates, into, merges] = await Promise.all([
    similarEmployers(db, employer),
    merged_into === null ? null : readEmployer(db, merged_into),
    selectUndoable(db, clock(), id),
  ]);
  return {
    employer,
    version: factsVersion(employer),
    merged_into: into && { id: into.id, name: into.name },
    rejected_for,
    candidates,
    in_common: candidates.map((other) => ({ id: other.id, facts: inCommon(employer, other) })),
    merges,
  };
}

function inCommon(one: Employer, other: Employer) {
  const { hasAddress, hasPhone, hasName } = evidenceOf(one, other);
  const has = { address: hasAddress, phone: hasPhone, name: hasName };
  return COMPARED_FACTS.filter((fact) => has[fact]);
}

/** Those in its city with most in common, and then those with a similar name anywhere. */
async function similarEmployers(db: Db, employer: Employer): Promise<Employer[]> {
  const [neighbors, namesakes] = await Promise.all([
    selectNeighbors(db, employer),
    findByNameWords(db, employer),
  ]);
  const near = neighbors
    .map((other) => ({ other, count: evidenceOf(employer, other).count }))
    .filter(({ count }) => count > 0)
    .toSorted((a, b) => b.count - a.count)
    .map(({ other }) => other);
  const isNear = new Set(near.map(({ id }) => id));
  return [...near, ...namesakes.filter(({ id }) => !isNear.has(id))].slice(0, CANDIDATES);
}

async function findByNameWords(db: Db, { id, name }: Employer): Promise<Employer[]> {
  const search = await understandName(db, name);
  if (!search) return [];
  const criteria = { page: 1, page_size: CANDIDATES + 1 };
  const { rows } = await searchPage<EmployerRow, EmployerCriteria, SearchQuery>(
    db,
    EMPLOYERS,
    criteria,
    search,
  );
  return rows.filter((other) => other.id !== id).map(toEmployer);
}

const NEIGHBORS_MAX = 500;

/** Other employers in the same city (employers_by_city). */
async function selectNeighbors(db: Db, { id, city, state }: Employer): Promise<Employer[]> {
  const rows = await employersWithRatings(db)
    .where(sql`public.plain_words(city)`, '=', sql`public.plain_words(${city})`)
    .where('state', '=', state)
    .where(LISTED)
    .where('id', '<>', id)
    .select(EMPLOYER_COLUMNS)
    .orderBy('id')
    .limit(NEIGHBORS_MAX)
    .execute();
  return rows.map(toEmployer);
}

/** Employers that doctors have added, newest first (employers_submitted). */
async function selectSubmitted(
  db: Db,
  page: { page: number; page_size: number },
): Promise<{ employers: Employer[]; count: number }> {
  const submitted = employersWithRatings(db)
    .where('source', '=', 'user')
    .where(LISTED)
    .select(EMPLOYER_COLUMNS)
    .orderBy('created_at', 'desc')
    .orderBy('id');
  const { rows, count } = await selectPage(db, submitted, page);
  return { employers: rows.map(toEmployer), count };
}
