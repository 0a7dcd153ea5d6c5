import { REVIEW_ORDERING_KEYS } from '#contract/review-choices.ts';
import { STATES } from './employers.ts';

const query = (path: string, criteria: object) =>
  `${path}?${new URLSearchParams(Object.entries(criteria).map(([k, v]) => [k, String(v)]))}`;

const reviews = (criteria: object) => query('/api/reviews/', criteria);
const employers = (criteria: object) => query('/api/employers/', criteria);
const searches = (path: (criteria: object) => string, words: string) =>
  words.split(/;\s*/).map((search) => path({ search }));

/** Typical requests of visitors: common and rare, broad and narrow. */
export const REQUESTS: Readonly<Record<string, readonly string[]>> = {
  'reviews, filtered': [
    reviews({ state: 'TX' }),
    reviews({ state: 'WY' }),
    reviews({ state: 'NY', ordering: '-overall_rating' }),
    reviews({ city: 'Elmhurst' }),
    reviews({ city: 'Elmhurst,Deerhurst,Springville' }),
    reviews({ position_title: 'Hospitalist' }),
    reviews({ position_title: 'Hospitalist', state: 'CA' }),
    reviews({ min_rating: 4 }),
    reviews({ min_rating: 5, would_recommend: 'false' }),
    reviews({ would_recommend: 'true', ordering: '-helpful' }),
    reviews({ is_current_employee: 'true', page: 3 }),
    reviews({ state: 'CA', min_rating: 4, is_current_employee: 'false' }),
  ],
  'reviews, searched': searches(
    reviews,
    `hospitalist; cardiologist; visa sponsorship; night shifts; call burden; scribes; texas;
    california cardiologist; st gabriels; radiology overnight; hosptialist; parking`,
  ),
  'employers, filtered': [
    employers({ state: 'TX' }),
    employers({ state: 'VT', ordering: '-overall_rating' }),
    employers({ employer_type: 'fellowship' }),
    employers({ employer_type: 'residency', ordering: '-total_reviews' }),
    employers({ ownership_type: 'Government - Federal' }),
    employers({ trauma_level: 'Level I', ordering: '-overall_rating' }),
    employers({ hospital_status: 'Closed' }),
    employers({ has_helipad: 'true', ordering: '-bed_count' }),
    employers({ min_beds: 400, max_beds: 900 }),
    employers({ hospitals_only: 'true', state: 'CA', page: 3 }),
  ],
  'employers, searched': searches(
    employers,
    `st mary; childrens hosp texas; aldergate; galen health; memorial hospital; rehabilitation;
    regional medical center; cardiology associates; aldergait; springville`,
  ),
};

/** The path of the n-th of many distinct lists, alternating between reviews and employers. */
export function differentList(n: number): string {
  let rest = Math.floor(n / 2);
  const pick = <T>(choices: readonly T[]) => {
    const picked = choices[rest % choices.length];
    rest = Math.floor(rest / choices.length);
    return picked;
  };
  const state = pick(STATES);
  if (n % 2 === 0) return employers({ state, min_beds: rest });
  const min_rating = pick([2, 3, 4, 5]);
  const would_recommend = pick([true, false]);
  const ordering = pick(REVIEW_ORDERING_KEYS);
  return reviews({ state, min_rating, would_recommend, ordering, page_size: 10 + rest });
}
