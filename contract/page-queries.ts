import { CONCERN_FILTERS } from './concerns.ts';
import {
  EMPLOYER_ORDERING_KEYS,
  EMPLOYER_TYPE_KEYS,
  TRAUMA_LEVELS,
} from './employers/employer-choices.ts';
import { CHOICE_MAX, CITIES_MAX, POSITION_TITLE_MAX, SEARCH_MAX } from './limits.ts';
import { REVIEW_FILTER_CHOICES, REVIEW_ORDERING_KEYS } from './review-choices.ts';
import { SPECIALTY_NAMES } from './specialties.ts';

/** Normalizes a parameter's values to one spelling; empty if they have no effect. */
type Parameter = (values: readonly string[]) => string;
type PageQuery = Readonly<Record<string, Parameter>>;

/** Truncates to one character over the limit, so that the API still rejects the text. */
const text =
  (max: number): Parameter =>
  ([value = '']) =>
    value.trim().slice(0, max + 1);

const oneOf =
  (choices: readonly string[]): Parameter =>
  ([value = '']) =>
    choices.includes(value.trim()) ? value.trim() : '';

/** A form without script has two fields of this name, and the second one is more specific. */
const lastOf =
  (choices: readonly string[]): Parameter =>
  (values) =>
    oneOf(choices)([values.findLast((value) => value.trim() !== '') ?? '']);

const valuesOf = (choices: readonly { readonly value: string }[]) =>
  oneOf(choices.map(({ value }) => value));

/** A form without script repeats the parameter instead of using commas. */
const list =
  (max: number): Parameter =>
  (values) => {
    const items = values.join(',').split(',');
    return [...new Set(items.map((item) => item.trim()).filter(Boolean))]
      .join(',')
      .slice(0, max + 1);
  };

const page: Parameter = ([value]) => {
  const number = Number(value);
  return Number.isSafeInteger(number) && number > 1 ? String(number) : '';
};

const flag = oneOf(['true', 'false']);
const search = text(SEARCH_MAX);
const specialty = oneOf(SPECIALTY_NAMES);
const title = text(POSITION_TITLE_MAX);
const name = text(CHOICE_MAX);
const number = text(20);
/** `redirect` is a path of this site; `employer` is an employer's id. */
const loginTarget = { redirect: text(2000), employer: text(20) };

/** The page and the RFC 8058 URL for unsubscribing from the weekly email. */
export const UNSUBSCRIBE_PATH = '/unsubscribe';

/**
 * Every page by its path (web/routes.ts), with the query parameters that its server-rendered part
 * reads. The server drops all others, so that they cannot cause another render or use memory.
 */
export const PAGE_QUERIES: Readonly<Record<string, PageQuery>> = {
  '/': {},
  '/employers': {
    search,
    state: name,
    employer_type: oneOf(EMPLOYER_TYPE_KEYS),
    ownership_type: name,
    trauma_level: oneOf(TRAUMA_LEVELS),
    hospital_status: name,
    has_helipad: flag,
    min_beds: number,
    max_beds: number,
    min_staff: number,
    max_staff: number,
    hospitals_only: flag,
    has_reviews: flag,
    min_reviews: number,
    min_immigration_support_rating: number,
    specialty,
    ordering: lastOf(EMPLOYER_ORDERING_KEYS),
    page,
  },
  '/employers/:employerId': {
    search,
    position_title: title,
    specialty,
    concern: oneOf(CONCERN_FILTERS),
    min_rating: number,
    max_rating: number,
    ordering: oneOf(REVIEW_ORDERING_KEYS),
    page,
  },
  '/compare': { ids: text(100), specialty },
  '/reviews': {
    search,
    position_title: title,
    specialty,
    state: title,
    city: list(CITIES_MAX),
    min_rating: number,
    max_rating: number,
    would_recommend: valuesOf(REVIEW_FILTER_CHOICES.would_recommend),
    is_current_employee: valuesOf(REVIEW_FILTER_CHOICES.is_current_employee),
    ordering: oneOf(REVIEW_ORDERING_KEYS),
    page,
    refreshFilters: oneOf(['true']),
  },
  '/reviews/:reviewId': {},
  '/login': { ...loginTarget, expired: oneOf(['true']) },
  '/signup': loginTarget,
  '/register': loginTarget,
  '/forgot-password': {},
  '/represent': { employer: number },
  '/how-it-works': {},
  '/guidelines': {},
  '/transparency': {},
  '/terms-of-use': {},
  '/privacy-policy': {},
  // These pages load their data only in the browser, from its own URL.
  '/create-review': {},
  '/reviews/create': {},
  '/edit-review/:reviewId': {},
  '/dashboard': {},
  '/my-reviews': {},
  '/saved': {},
  [UNSUBSCRIBE_PATH]: {},
  '/password-reset': {},
  '/confirm-email': {},
  '/stop-email-change': {},
  '/verification-required': {},
  '/letter': {},
  '/profile': {},
  '/admin': {},
  '/admin/cases/:caseId': {},
  '/admin/reviews/:reviewId': {},
  '/admin/representatives': {},
  '/admin/employers/:employerId': {},
  '/admin/doctors': {},
  '/admin/reports': {},
  '/admin/staff': {},
  '/admin/log': {},
  '/admin/security': {},
};
