import { EmployerQuery } from '#contract/employers/employers.ts';
import { titleCase } from '#contract/names.ts';
import { ReviewQuery } from '#contract/reviews/review-queries.ts';
import {
  employerAddress,
  firstReviewTitle,
  parseSaved,
  type Saved,
  searchTitle,
} from '#contract/saved/saved-address.ts';
import type { Deps } from '#server/deps.ts';
import { findAmong } from '#server/features/employers/directory/directory-query.ts';
import { employersByAnyId } from '#server/features/employers/employers.ts';
import {
  type Days,
  findNewReviews,
  type NewReviews,
  type NewReviewsOfEmployer,
  selectNewByEmployer,
} from '#server/features/reviews/new-reviews.ts';

/** What is new in one saved entry. */
export interface News extends NewReviews {
  readonly title: string;
  readonly path: string;
  /** The first review of a saved employer. */
  readonly isFirst?: boolean;
}

type NewsDeps = Pick<Deps, 'db' | 'cache'>;
type ByEmployer = ReadonlyMap<number, NewReviewsOfEmployer>;
type Found = (readonly [address: string, News])[];
type Search = Extract<Saved, { page: unknown }>;

/**
 * What is new in each of these addresses in some days: public reviews by any author. The
 * number of statements does not depend on the number of accounts.
 */
export async function newsOf(
  deps: NewsDeps,
  addresses: readonly string[],
  days: Days,
): Promise<ReadonlyMap<string, News>> {
  const saved = [...new Set(addresses)].map((address) => [address, parseSaved(address)] as const);
  const searches = (page: Search['page']) =>
    saved.flatMap(([address, one]) =>
      one && 'page' in one && one.page === page ? [{ address, ...one }] : [],
    );
  const ids = saved.flatMap(([, one]) => (one && 'employerId' in one ? one.employerId : []));
  const byEmployer = await selectNewByEmployer(deps.db, days);
  return new Map([
    ...(await ofEmployers(deps, ids, byEmployer)),
    ...(await ofDirectory(deps, searches('/employers'), byEmployer)),
    ...(await ofReviews(deps, searches('/reviews'), days)),
  ]);
}

/** Maximum number of remembered addresses. */
const REMEMBERED_MAX = 20_000;

/**
 * Like `newsOf`, but counts each address once for the same days: many accounts save the same
 * searches.
 */
export function rememberedNews(): typeof newsOf {
  const known = new Map<string, News | null>();
  let from = '';
  return async (deps, addresses, days) => {
    if (days.from !== from || known.size > REMEMBERED_MAX) known.clear();
    from = days.from;
    const unknown = addresses.filter((address) => !known.has(address));
    const found = unknown.length > 0 ? await newsOf(deps, unknown, days) : null;
    for (const address of unknown) known.set(address, found?.get(address) ?? null);
    return new Map(
      addresses.flatMap((address) => {
        const news = known.get(address);
        return news ? [[address, news]] : [];
      }),
    );
  };
}

async function ofEmployers(
  { db }: NewsDeps,
  ids: readonly number[],
  byEmployer: ByEmployer,
): Promise<Found> {
  const employers = await employersByAnyId(db, ids);
  return [...employers].flatMap(([id, employer]) => {
    const news = byEmployer.get(employer.id);
    const name = titleCase(employer.name);
    const title = news?.isFirst ? firstReviewTitle(name) : name;
    return news
      ? [[employerAddress(id), { ...news, title, path: employerAddress(employer.id) }]]
      : [];
  });
}

type Addressed = Search & { readonly address: string };

const found = ({ address, page, criteria }: Addressed, news: NewReviews) =>
  [address, { ...news, title: searchTitle(page, criteria), path: address }] as const;

/** A filter that no longer exists finds nothing. */
const valid = <Query>(
  searches: readonly Addressed[],
  read: (criteria: unknown) => { success: boolean; data?: Query },
) =>
  searches.flatMap((search) => {
    const { data } = read(search.criteria);
    return data === undefined ? [] : [{ search, query: data }];
  });

/** The new reviews of all employers that a search of the directory finds. */
async function ofDirectory(
  deps: NewsDeps,
  searches: readonly Addressed[],
  byEmployer: ByEmployer,
): Promise<Found> {
  const queries = valid(searches, (criteria) => EmployerQuery.safeParse(criteria));
  const among = await findAmong(
    deps,
    queries.map(({ query }) => query),
    [...byEmployer.keys()],
  );
  return queries.flatMap(({ search }, at) => {
    const news = (among[at] ?? []).flatMap((id) => byEmployer.get(id) ?? []);
    const newest = news
      .map((one) => one.newest)
      .sort()
      .at(-1);
    const count = news.reduce((sum, one) => sum + one.count, 0);
    return newest === undefined ? [] : [found(search, { count, newest })];
  });
}

async function ofReviews(
  deps: NewsDeps,
  searches: readonly Addressed[],
  days: Days,
): Promise<Found> {
  const queries = valid(searches, (criteria) => ReviewQuery.safeParse(criteria));
  const news = await findNewReviews(
    deps,
    queries.map(({ query }) => query),
    days,
  );
  return queries.flatMap(({ search }, at) => {
    const one = news[at];
    return one ? [found(search, one)] : [];
  });
}
