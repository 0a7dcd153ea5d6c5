import type { Review } from '#contract/reviews/reviews.ts';
import { TOPICS } from '#server/db/topics.ts';
import type { TestApp } from '#server/testing/app.ts';

/** The response of one public URL. */
interface Seen {
  readonly url: string;
  readonly status: number;
  readonly etag: unknown;
  readonly body: string;
}

/** Everything that anyone can read at one moment. */
export interface View {
  readonly answers: ReadonlyMap<string, Seen>;
  readonly reviews: ReadonlyMap<string, string>;
}

/** The difference between two views. */
export interface Change {
  /** Routes whose responses differ, with placeholders: `/api/reviews/{id}/`. */
  readonly paths: readonly string[];
  readonly appeared: readonly string[];
  readonly vanished: readonly string[];
  /** Review -> names of the changed fields. */
  readonly changed: ReadonlyMap<string, readonly string[]>;
}

export const NOTHING: Change = { paths: [], appeared: [], vanished: [], changed: new Map() };

const LISTS = [
  '/api/employers/',
  '/api/employers/?search=hospital&ordering=-total_reviews',
  '/api/employers/filter_options/',
  '/api/employers/mail_domain/?domain=sample-hospital.example',
  '/api/reviews/',
  '/api/reviews/?ordering=-helpful',
  '/api/reviews/?search=colleagues&min_rating=2',
  '/api/reviews/filter_options/',
  '/api/position-titles/?page_size=100',
  '/api/position-titles/?search=position',
  '/api/suggestions/?search=position',
  '/api/suggestions/?search=colleagues',
  '/api/physician-counts/?state=IL',
  '/api/transparency/',
  '/sitemap.xml',
  '/sitemaps/pages.xml',
  '/sitemaps/employers/1.xml',
  '/feeds/reviews',
  '/feeds/reviews?search=colleagues',
];

/** Every public URL for these employers and for every listed review. */
function urlsOf(employers: readonly number[], reviews: View['reviews']): string[] {
  return [
    ...LISTS,
    `/api/employers/compare/?ids=${employers.slice(0, 3).join()}`,
    ...employers.flatMap((id) => [
      `/api/employers/${id}/`,
      `/api/employers/${id}/insights/`,
      `/api/employers/${id}/reviews/`,
      `/feeds/employers/${id}`,
    ]),
    ...[...reviews.keys()].map((id) => `/api/reviews/${id}/`),
    ...[...monthsOf(reviews)].map((month) => `/sitemaps/reviews/${month}.xml`),
  ];
}

const monthsOf = (reviews: View['reviews']) =>
  new Set([...reviews.values()].map((review) => JSON.parse(review).created_at.slice(0, 7)));

/** The route of a URL, as in the API documentation. */
export const pathOf = (url: string) =>
  (url.split('?')[0] ?? '').replace(/\/(?:\d+|[0-9a-f-]{36})\//, '/{id}/');

/** Reads all public URLs without the cache, whose responses are only older. */
export async function lookAround(
  { app, deps }: TestApp,
  employers: readonly number[],
): Promise<View> {
  deps.cache.changed(TOPICS);
  const reviews = new Map<string, string>();
  for (let page = 1, isLast = false; !isLast; page += 1) {
    const list = (await app.inject(`/api/reviews/?page_size=100&page=${page}`)).json();
    for (const review of list.results as Review[]) reviews.set(review.id, JSON.stringify(review));
    isLast = list.next === null;
  }
  const answers = new Map<string, Seen>();
  for (const url of urlsOf(employers, reviews)) {
    const { statusCode: status, headers, body } = await app.inject(url);
    answers.set(url, { url, status, etag: headers.etag, body });
  }
  return { answers, reviews };
}

export function compare(before: View, after: View): Change {
  const [ids, idsAfter] = [[...before.reviews.keys()], [...after.reviews.keys()]];
  const paths = [...after.answers.values()].filter(({ url, etag, body, status }) => {
    const earlier = before.answers.get(url);
    return earlier && (earlier.etag !== etag || earlier.body !== body || earlier.status !== status);
  });
  const changed = ids.flatMap((id): [string, string[]][] => {
    const [one, other] = [before.reviews.get(id) ?? '{}', after.reviews.get(id)];
    return other === undefined || one === other ? [] : [[id, fieldsThatDiffer(one, other)]];
  });
  return {
    paths: [...new Set(paths.map(({ url }) => pathOf(url)))].toSorted(),
    appeared: idsAfter.filter((id) => !before.reviews.has(id)),
    vanished: ids.filter((id) => !after.reviews.has(id)),
    changed: new Map(changed),
  };
}

function fieldsThatDiffer(one: string, other: string): string[] {
  const [before, after] = [JSON.parse(one), JSON.parse(other)];
  return Object.keys({ ...before, ...after })
    .filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]))
    .toSorted();
}

/** The reviews that a change shows to be related. */
export const together = ({ appeared, vanished, changed }: Change) =>
  new Set([...appeared, ...vanished, ...changed.keys()]);
