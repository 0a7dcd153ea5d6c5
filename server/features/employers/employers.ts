import type { FastifyReply, FastifyRequest } from 'fastify';
import { type RawBuilder, sql } from 'kysely';
import type {
  CustomEmployerRequest,
  Employer,
  EmployerFilterOptions,
  EmployerQuery,
  ListedEmployer,
  MergedEmployer,
} from '#contract/employers/employers.ts';
import { ERRORS } from '#contract/errors.ts';
import { REVIEW_CHECKS, type ReviewRequest } from '#contract/reviews/reviews.ts';
import { screen } from '#contract/reviews/screening.ts';
import type { Db } from '#server/db/open.ts';
import type { Deps } from '#server/deps.ts';
import { AppError, refuseIdentifyingText } from '#server/errors/app-error.ts';
import type { ListDeps } from '#server/listing/list.ts';
import { kept, listPage } from '#server/listing/list-page.ts';
import type { Caller } from '#server/plugins/access.ts';
import type { RateLimits } from '#server/rate-limits/rate-limits.ts';
import { selectFollowing } from './curation/merge-queries.ts';
import {
  EMPLOYERS,
  type EmployerCriteria,
  selectFilterOptions,
} from './directory/directory-query.ts';
import { type SearchQuery, understandSearch } from './directory/search.ts';
import { type EmployerRow, toEmployer } from './employer-row.ts';
import { countReviewsOfSpecialty, selectSpecialtyChoices } from './insights/brief.ts';
import {
  addByName,
  currentEmployers,
  currentId,
  currentIds,
  type EmployerName,
  findByName,
  listedIds,
  type NamedEmployer,
  readEmployer,
  selectByIds,
  selectNamed,
} from './queries.ts';

/** One page of the directory, and the number of employers on all pages. */
export async function listEmployers(
  deps: ListDeps,
  { search, ...criteria }: EmployerQuery,
): Promise<{ results: ListedEmployer[]; count: number; isClosest: boolean }> {
  const { rows, ...found } = await listPage<EmployerRow, EmployerCriteria, SearchQuery>(
    deps,
    EMPLOYERS,
    criteria,
    search,
  );
  const employers = rows.map(toEmployer);
  const { specialty } = criteria;
  if (!specialty) return { ...found, results: employers };
  const reviews = await countReviewsOfSpecialty(
    deps.db,
    specialty,
    employers.map(({ id }) => id),
  );
  const results = employers.map((employer) => ({
    ...employer,
    specialty_reviews: reviews.get(employer.id) ?? 0,
  }));
  return { ...found, results };
}

/** The place of a name as it is compared and stored. Members that were omitted become null. */
const namedAt = (
  name: string,
  { city, state }: Pick<CustomEmployerRequest, 'city' | 'state'>,
): EmployerName => ({
  name,
  city: city === undefined ? null : (city ?? ''),
  state: state === undefined ? null : (state ?? ''),
});

/**
 * The id of the only employer with this name, or null. Throws `several_employers` with the candidates
 * if several have it, and `employer_rejected`.
 */
async function findOnly(db: Db, named: EmployerName): Promise<number | null> {
  const found = await selectNamed(db, named);
  if (found[0]?.is_rejected) throw new AppError('employer_rejected');
  if (found.length < 2) return found[0]?.row ?? null;
  throw new AppError('several_employers', {
    fields: { employer: [ERRORS.several_employers.text] },
    extra: { candidates: found.map(({ row: _, is_rejected: __, ...candidate }) => candidate) },
  });
}

/**
 * Returns the employer with this name, or adds one. Throws `identifying_text`, `several_employers`,
 * `employer_rejected`, and `rate_limited` if the account has added too many today.
 */
export async function customEmployer(
  { db }: Pick<Deps, 'db'>,
  limits: RateLimits,
  caller: Caller,
  { name, ...place }: CustomEmployerRequest,
): Promise<Employer> {
  refuseIdentifyingText(screen({ name, city: place.city }));
  const named = namedAt(name, place);
  const found = await findOnly(db, named);
  const { id } =
    found === null
      ? await countNewEmployer(limits, caller, (mayAdd) => {
          mayAdd();
          return addByName(db, named);
        })
      : { id: found };
  return readEmployer(db, await currentId(db, id));
}

/**
 * Runs `add`, which may add an employer, and if so counts it toward the account's limit: `add` calls
 * `mayAdd` before. Throws `rate_limited`. The count is not part of the same transaction, because the
 * two would share an `xmin`.
 */
export async function countNewEmployer<Done extends { isNew: boolean }>(
  limits: RateLimits,
  caller: Caller,
  add: (mayAdd: () => void) => Promise<Done>,
): Promise<Done> {
  const budget = ['newEmployer', caller.author.writer] as const;
  let refusal: unknown = null;
  await limits.take(...budget).catch((error: unknown) => {
    refusal = error;
  });
  let isCounted = false;
  try {
    const done = await add(() => {
      if (refusal !== null) throw refusal;
    });
    isCounted = done.isNew;
    return done;
  } finally {
    if (!isCounted && refusal === null) await limits.giveBack(...budget);
  }
}

/**
 * The choices of the directory's filters, counted in one state if given. Specialties change with
 * the reviews.
 */
export async function employerFilterOptions(
  deps: ListDeps,
  { state }: Pick<EmployerQuery, 'state'>,
): Promise<EmployerFilterOptions> {
  const code = state?.toUpperCase() ?? null;
  const [options, specialties] = await Promise.all([
    kept(deps, EMPLOYERS, `filter-options/${code}`, () => selectFilterOptions(deps.db, code)),
    selectSpecialtyChoices(deps.db),
  ]);
  return { ...options, specialties };
}

/** Employers by id, including ids of merged ones, and rejected ones. */
export async function employersByAnyId(
  db: Db,
  ids: readonly number[],
): Promise<Map<number, Employer>> {
  return readCurrent(db, await currentIds(db, ids));
}

/** The same without rejected ones. */
export async function listedByAnyId(
  db: Db,
  ids: readonly number[],
): Promise<Map<number, Employer>> {
  return readCurrent(db, await listedIds(db, ids));
}

/** Maps each id to the employer that it stands for. */
async function readCurrent(
  db: Db,
  current: ReadonlyMap<number, number>,
): Promise<Map<number, Employer>> {
  const employers = await selectByIds(db, [...new Set(current.values())]);
  const byId = new Map(employers.map((employer) => [employer.id, employer]));
  return new Map(
    [...current].flatMap(([id, now]) => {
      const employer = byId.get(now);
      return employer ? [[id, employer]] : [];
    }),
  );
}

export type EmployerChoice = Pick<
  ReviewRequest,
  'employer' | 'is_custom_employer' | 'city' | 'state'
>;

/** The employer of a review: an id, or a name that is not in the directory yet. */
export type ReviewedEmployer = { readonly id: number } | EmployerName;

/**
 * Finds the employer of a new review by id or name, and creates nothing. It may have been merged:
 * the review then moves to the remaining one (reviews_prepare). Throws `several_employers` and
 * `employer_rejected`.
 */
export async function findReviewed(
  db: Db,
  { employer, is_custom_employer, ...place }: EmployerChoice,
): Promise<ReviewedEmployer> {
  if (is_custom_employer === 'true') {
    const named = namedAt(employer, place);
    const id = await findOnly(db, named);
    return id === null ? named : { id };
  }
  const [found] = await currentEmployers(db, [Number(employer)]);
  if (!found)
    throw new AppError('validation_error', { fields: { employer: [REVIEW_CHECKS.employer] } });
  if (found.isRejected) throw new AppError('employer_rejected');
  return { id: found.id };
}

/** A review's employer. Adds it if it has only a name, which was not found. */
export async function employerToReview(db: Db, employer: ReviewedEmployer): Promise<NamedEmployer> {
  return 'id' in employer ? { id: employer.id, isNew: false } : addByName(db, employer);
}

/** The ids of the employer that an id stands for now, and of those merged into it. */
export async function employerWithMerged(db: Db, id: number): Promise<number[]> {
  return selectFollowing(db, (await currentIds(db, [id])).get(id) ?? id);
}

/** The ids of the employers that a search finds, with those merged into them; null without words. */
export async function employersFound(db: Db, search: string): Promise<RawBuilder<unknown> | null> {
  const query = await understandSearch(db, search);
  if (query === null) return null;
  return sql`
    with found as (select id from employers where search @@ ${query.match}::tsquery)
    select id from found
    union
    select employers.id from employers join found on merged_into = found.id`;
}

/** Looks up the name of an employer that was not in the directory before. */
export async function lookUpAgain(db: Db, employer: ReviewedEmployer): Promise<ReviewedEmployer> {
  if ('id' in employer) return employer;
  const id = await findByName(db, employer);
  return id === null ? employer : { id };
}

/** If the employer has been merged, redirects to the same path of the remaining one. */
export function redirectMerged(
  remainingId: number | null,
  request: FastifyRequest<{ Params: { id: number } }>,
  reply: FastifyReply,
): MergedEmployer | null {
  if (remainingId === null || remainingId === request.params.id) return null;
  const location = request.url.replace(/(?<=\/employers\/)\d+/, String(remainingId));
  reply.code(301).header('location', location);
  return { merged_into: remainingId };
}
