import fc from 'fast-check';
import { reviewOf } from '#server/testing/factories.ts';
import { type Exchange, type FuzzRequest, JSON_TYPE } from './requests.ts';
import type { Role } from './roles.ts';
import { CANARY } from './texts.ts';
import { toJson } from './values.ts';

const step = (role: Role, method: string, url: string, body?: unknown): FuzzRequest => ({
  role,
  method,
  url,
  headers: body === undefined ? {} : JSON_TYPE,
  body: body === undefined ? null : toJson(body),
});

const REVIEW = '/api/reviews/{{last}}';
const DECISION = '/api/admin/reviews/{{last}}';

const written = reviewOf(0, { employer: '{{employer:0}}', position_title: 'Title {{fresh:1}}' });

/** `{{last}}` is the id of the latest created item. */
const reviewSteps = [
  step('poster', 'PATCH', `${REVIEW}/`, { ...written, cons: CANARY }),
  step('poster', 'POST', `${REVIEW}/publish/`),
  step('readonly', 'POST', `${REVIEW}/helpful/`),
  step('readonly', 'POST', `${REVIEW}/not-helpful/`),
  step('readonly', 'DELETE', `${REVIEW}/not-helpful/`),
  step('poster', 'POST', `${REVIEW}/helpful/`),
  step('pending', 'POST', `${REVIEW}/report/`, { reason: 'other', note: CANARY }),
  step('readonly', 'GET', '/api/reviews/votes/?ids={{last}}'),
  step('admin', 'GET', '/api/admin/reports/'),
  step('admin', 'GET', '/api/admin/history/?kind=report&subject={{last}}'),
  step('admin', 'POST', `${DECISION}/keep/`),
  step('admin', 'POST', `${DECISION}/hold/`, { reason: CANARY }),
  step('poster', 'POST', `${REVIEW}/appeal/`, { text: CANARY }),
  step('admin', 'POST', `${DECISION}/remove/`, { reason: CANARY }),
  step('admin', 'POST', `${DECISION}/restore/`),
  step('representative', 'POST', `${REVIEW}/reply/`, { text: CANARY }),
  step('representative', 'PATCH', `${REVIEW}/reply/`, { text: CANARY }),
  step('pending', 'POST', `${REVIEW}/reply/report/`, { reason: 'other', note: CANARY }),
  step('admin', 'POST', '/api/admin/replies/{{last}}/remove/', { reason: CANARY }),
  step('admin', 'POST', '/api/admin/replies/{{last}}/keep/'),
  step('representative', 'DELETE', `${REVIEW}/reply/`),
  step('signed-out', 'GET', `${REVIEW}/`),
  step('poster', 'GET', '/api/reviews/my_reviews/'),
  step('poster', 'DELETE', `${REVIEW}/`),
];

const EMPLOYER = '/api/employers/{{last}}';
const CURATED = '/api/admin/employers/{{last}}';
const PHONE = { field: 'phone', value: '(334) 555-0177' };
const SOURCE = { source: 'https://hospital.example' };

const employerSteps = [
  step('admin', 'PATCH', `${CURATED}/`, { name: 'Center {{fresh:1}}' }),
  step('admin', 'GET', '/api/admin/employers/submitted/'),
  step('admin', 'GET', `${CURATED}/`),
  step('poster', 'POST', `${EMPLOYER}/corrections/`, { ...PHONE, ...SOURCE }),
  step('admin', 'POST', `${CURATED}/corrections/refuse/`, { ...PHONE, today: null, reason: 'No' }),
  step('poster', 'POST', `${EMPLOYER}/corrections/`, { ...PHONE, ...SOURCE }),
  step('admin', 'POST', `${CURATED}/corrections/accept/`, { ...PHONE, today: null, reason: 'So' }),
  step('admin', 'POST', `${CURATED}/reject/`, { rejection: 'unknown' }),
  step('signed-out', 'GET', `${EMPLOYER}/insights/`),
  step('admin', 'POST', `${CURATED}/unreject/`, { reason: 'It exists' }),
  step('admin', 'POST', `${CURATED}/accept/`, {}),
  step('admin', 'GET', `${CURATED}/merge/?into={{employer:0}}`),
  step('admin', 'POST', `${CURATED}/merge/`, { into: '@@{{employer:0}}@@' }),
  step('admin', 'POST', `${CURATED}/unmerge/`, { reason: 'Two places' }),
  step('signed-out', 'GET', `${EMPLOYER}/`),
  step('signed-out', 'GET', `${EMPLOYER}/reviews/?page=2`),
];

/** Some of the steps in order, always after `first`, which they depend on. */
const someOf = (first: FuzzRequest, rest: readonly FuzzRequest[]): fc.Arbitrary<Exchange> =>
  fc.subarray([...rest], { minLength: 1 }).map((steps) => [first, ...steps]);

/** Reviews that are created, edited, voted on, reported, decided, answered, and deleted. */
export const reviewSequences = someOf(
  step('poster', 'POST', '/api/reviews/', written),
  reviewSteps,
);

/** Employers that are added, corrected, rejected, accepted, and merged. */
export const employerSequences = someOf(
  step('poster', 'POST', '/api/employers/custom/', { name: 'Clinic {{fresh:1}}' }),
  employerSteps,
);
