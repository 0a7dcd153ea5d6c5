import {
  type Employer,
  type EmployerFilterOptions,
  EmployerId,
  EmployerName,
  type EmployerQuery,
} from '#contract/employers.ts';
import { REVIEW_CHECKS, type ReviewRequest } from '#contract/reviews.ts';
import { describeFinding, screen } from '#contract/screening.ts';
import { AppError } from '#server/app-error.ts';
import type { Db } from '#server/db/open.ts';
import type { Deps } from '#server/deps.ts';
import type { Caller } from '#server/plugins/access.ts';
import type { RateLimits } from '#server/rate-limits/rate-limits.ts';
import * as directory from './directory-queries.ts';
import { selectFilterOptions } from './filter-options.ts';
import {
  currentIds,
  findByName,
  findOrAddByName,
  type NamedEmployer,
  overallSpread,
  selectByIds,
  selectImportedWebsites,
} from './queries.ts';
import type { SearchQuery } from './search-query.ts';
import { understand } from './understand.ts';

type ListDeps = Pick<Deps, 'db' | 'cache'>;
interface Found {
  employers: Employer[];
  count: number;
}

/** One page of the directory, and how many employers it has in all. */
export function listEmployers(
  deps: ListDeps,
  { search, ...criteria }: EmployerQuery,
): Promise<Found> {
  return search ? searchEmployers(deps, criteria, search) : browseEmployers(deps, criteria);
}

async function browseEmployers(deps: ListDeps, criteria: directory.Criteria): Promise<Found> {
  const [employers, count] = await Promise.all([
    directory.selectPage(deps.db, criteria),
    countEmployers(deps, criteria),
  ]);
  return { employers, count };
}

async function searchEmployers(
  deps: ListDeps,
  criteria: directory.Criteria,
  search: string,
): Promise<Found> {
  const { db, cache } = deps;
  const query = await cache.remember(['employers'], `employers/understood/${search}`, () =>
    understand(db, search),
  );
  if (!query) return { employers: [], count: 0 };
  const count = await countEmployers(deps, criteria, query);
  const ids = await directory.selectMatches(db, criteria, query, count);
  return { employers: ids.length > 0 ? await selectByIds(db, ids) : [], count };
}

/** Counted once for each filter and search, until an employer changes. */
function countEmployers(
  { db, cache }: ListDeps,
  criteria: directory.Criteria,
  search?: SearchQuery,
): Promise<number> {
  const { page: _, page_size: __, ordering: ___, ...what } = criteria;
  return cache.remember(
    ['employers'],
    `employers/count/${JSON.stringify(what)}/${search?.match ?? ''}`,
    () => directory.countEmployers(db, criteria, search),
  );
}

/**
 * The id that an employer has now: another one, if it has been merged. Throws `not_found`.
 */
export async function currentId(db: Db, id: number): Promise<number> {
  const current = (await currentIds(db, [id])).get(id);
  if (current === undefined) throw new AppError('not_found');
  return current;
}

export async function readEmployer(db: Db, id: number): Promise<Employer> {
  const [employer] = await selectByIds(db, [id]);
  if (!employer) throw new AppError('not_found');
  return employer;
}

/**
 * The employer of this name; a new one, if there is none. Throws `identifying_text`, and
 * `rate_limited` once the account has added as many as a day allows.
 */
export async function customEmployer(
  deps: Pick<Deps, 'db'>,
  limits: RateLimits,
  caller: Caller,
  name: string,
): Promise<Employer> {
  const { db } = deps;
  const findings = screen({ name });
  if (findings.length > 0) {
    const fields = { name: findings.map(describeFinding) };
    throw new AppError('identifying_text', { fields, extra: { findings } });
  }
  const { id } = await countNewEmployer(deps, limits, caller, name, () =>
    findOrAddByName(db, name),
  );
  return readEmployer(db, await currentId(db, id));
}

/**
 * Lets an account do what may add the employer of a name, and counts it if the employer is new.
 * The count is no part of the caller's transaction: the two would share an `xmin`.
 */
export async function countNewEmployer<Done extends { isNew: boolean }>(
  { db }: Pick<Deps, 'db'>,
  limits: RateLimits,
  caller: Caller,
  name: string,
  add: () => Promise<Done>,
): Promise<Done> {
  if ((await findByName(db, name)) !== null) return add();
  await limits.take('newEmployer', caller.author.writer);
  let wasAdded = false;
  try {
    const done = await add();
    wasAdded = done.isNew;
    return done;
  } finally {
    if (!wasAdded) await limits.giveBack('newEmployer', caller.author.writer);
  }
}

/** What the filters of the directory can be set to, as of now. */
export function employerFilterOptions({ db, cache }: ListDeps): Promise<EmployerFilterOptions> {
  return cache.remember(['employers'], 'employers/filter-options', () => selectFilterOptions(db));
}

/** Employers by the ids that they have, or had before they were merged into another one. */
export async function employersByAnyId(
  db: Db,
  ids: readonly number[],
): Promise<Map<number, Employer>> {
  const current = await currentIds(db, ids);
  const employers = await selectByIds(db, [...new Set(current.values())]);
  return new Map(
    [...current].flatMap(([id, now]) =>
      employers.filter((employer) => employer.id === now).map((employer) => [id, employer]),
    ),
  );
}

export type EmployerChoice = Pick<ReviewRequest, 'employer' | 'is_custom_employer'>;

/** The employer of a review: its id, or the name of one that does not exist yet. */
export type ReviewedEmployer = { readonly id: number } | { readonly name: string };

/**
 * The employer that a review names: by id, or by a name that may be new; nothing is created. It may
 * have been merged into another one since: the review then moves on to that one
 * (reviews_follow_merge).
 */
export async function findReviewed(
  db: Db,
  { employer, is_custom_employer }: EmployerChoice,
): Promise<ReviewedEmployer> {
  if (is_custom_employer === 'true') {
    const name = EmployerName.safeParse(employer);
    if (!name.success) throw employerFault(name.error.issues[0]?.message);
    const id = await findByName(db, name.data);
    return id === null ? { name: name.data } : { id };
  }
  const id = EmployerId.safeParse(employer);
  if (!id.success || !(await currentIds(db, [id.data])).has(id.data)) throw employerFault();
  return { id: id.data };
}

/** A review's employer, which is created if there is none of its name yet. */
export async function employerToReview(db: Db, employer: ReviewedEmployer): Promise<NamedEmployer> {
  return 'id' in employer ? { id: employer.id, isNew: false } : findOrAddByName(db, employer.name);
}

/** What other features use of this one's queries. */
export { overallSpread };

/** The names and websites of the imported employers that are open. */
export const importedWebsites = selectImportedWebsites;

/** The id that `employerToReview` would return now; null where it would create one. */
export async function existingToReview(db: Db, employer: ReviewedEmployer): Promise<number | null> {
  return 'id' in employer ? employer.id : findByName(db, employer.name);
}

const employerFault = (message: string = REVIEW_CHECKS.employer) =>
  new AppError('validation_error', { fields: { employer: [message] } });
