import fc from 'fast-check';
import { PASSWORD } from '#server/features/accounts/testing/account-flows.ts';
import type { Operation } from './operations.ts';
import { type Exchange, type FuzzRequest, validRequests } from './requests.ts';
import type { Role } from './roles.ts';
import { CANARY } from './texts.ts';
import { toJson } from './values.ts';
import { HOSPITAL } from './world.ts';

const step = (role: Role, method: string, url: string, body?: unknown): FuzzRequest => ({
  role,
  method,
  url,
  headers: body === undefined ? {} : { 'content-type': 'application/json' },
  body: body === undefined ? null : toJson(body),
});

const ADDRESS = `{{fresh:1}}@Mail.Example`;
const NEW_PASSWORD = 'New-Stethoscope-2';
const RECOVERY_CODE = 'ABCDE-FGHJK-MNPQR-STVWX-YZ012';
const details = {
  email: ADDRESS,
  first_name: CANARY,
  last_name: 'Example',
  npi: '{{npi:1}}',
  password: PASSWORD,
};

/** `{{last}}` is the id of the latest created item. `{{code}}` and `{{token}}` come from the mail. */
const review = (id: string, created: FuzzRequest) => [
  { ...created, method: 'PATCH', url: `/api/reviews/${id}/`, body: withoutPublish(created.body) },
  step('poster', 'POST', `/api/reviews/${id}/publish/`),
  step('readonly', 'POST', `/api/reviews/${id}/helpful/`),
  step('readonly', 'POST', `/api/reviews/${id}/not-helpful/`),
  step('readonly', 'DELETE', `/api/reviews/${id}/not-helpful/`),
  step('poster', 'POST', `/api/reviews/${id}/helpful/`),
  step('pending', 'POST', `/api/reviews/${id}/report/`, { reason: 'other', note: CANARY }),
  step('readonly', 'GET', `/api/reviews/votes/?ids=${id}`),
  step('admin', 'GET', '/api/admin/reports/'),
  step('admin', 'POST', `/api/admin/reviews/${id}/keep/`),
  step('admin', 'POST', `/api/admin/reviews/${id}/remove/`, { reason: CANARY }),
  step('admin', 'POST', `/api/admin/reviews/${id}/restore/`),
  step('signed-out', 'GET', `/api/reviews/${id}/`),
  step('poster', 'GET', '/api/reviews/my_reviews/'),
  step('poster', 'DELETE', `/api/reviews/${id}/`),
];

const account = [
  step('signed-out', 'POST', '/api/auth/register/', { action: 'create_account', ...details }),
  step('signed-out', 'POST', '/api/auth/register/', { action: 'resend_otp', email: ADDRESS }),
  step('signed-out', 'POST', '/api/auth/register/', {
    action: 'verify_otp',
    ...details,
    otp_code: '{{code}}',
  }),
  step('signed-out', 'POST', '/api/auth/login/', { email: ADDRESS, password: PASSWORD }),
];

const changeOfAddress = [
  step('member', 'PATCH', '/api/users/{{user:0}}/', { email: `{{fresh:2}}@mail.example` }),
];

const stopped = [
  ...changeOfAddress,
  step('signed-out', 'POST', '/api/auth/email/stop/', { token: '{{token:stop-email-change}}' }),
];

const member = [
  step('member', 'POST', '/api/auth/reviews/unlock/', { password: 'Wrong-Stethoscope-1' }),
  ...changeOfAddress,
  step('signed-out', 'POST', '/api/auth/email/confirm/', { token: '{{token:confirm-email}}' }),
  step('signed-out', 'POST', '/api/auth/email/stop/', { token: '{{token:stop-email-change}}' }),
  step('member', 'GET', '/api/auth/export/'),
  step('signed-out', 'POST', '/api/auth/password/reset/', { email: '{{email}}' }),
  step(
    'signed-out',
    'GET',
    '/api/auth/password/reset/validate/?token={{token:password-reset}}&uidb64={{uidb64}}',
  ),
  step('member', 'POST', '/api/auth/password/change/', {
    current_password: PASSWORD,
    new_password: NEW_PASSWORD,
  }),
  step('member', 'POST', '/api/auth/delete-account/', { password: NEW_PASSWORD, reviews: 'keep' }),
];

const letter = [
  step('member', 'GET', '/api/verification/'),
  step('member', 'POST', '/api/verification/letter/', {}),
  step('member', 'POST', '/api/verification/letter/confirm/', { code: '{{letter}}' }),
];

const mailbox = [
  step('member', 'POST', '/api/verification/mailbox/', { email: `{{fresh:1}}@${HOSPITAL}` }),
  step('member', 'POST', '/api/verification/mailbox/confirm/', { code: '{{code}}' }),
];

const reset = [
  step('member', 'GET', '/api/auth/reviews/lock/'),
  step('member', 'POST', '/api/auth/reviews/lock/', {
    password: PASSWORD,
    recovery_code: RECOVERY_CODE,
  }),
  step('signed-out', 'POST', '/api/auth/password/reset/', { email: '{{email}}' }),
  step('signed-out', 'POST', '/api/auth/password/reset/confirm/', {
    token: '{{token:password-reset}}',
    uidb64: '{{uidb64}}',
    new_password: NEW_PASSWORD,
    recovery_code: RECOVERY_CODE,
  }),
];

/** Codes of the steps before, at, and after the current one. Each is accepted once. */
const secondFactor = [
  step('officer', 'POST', '/api/admin/factor/setup/', { password: PASSWORD }),
  step('officer', 'POST', '/api/admin/factor/', { setup: '{{setup}}', code: '{{totp:-1}}' }),
  step('officer', 'POST', '/api/admin/factor/enter/', { code: '{{totp:0}}' }),
  step('officer', 'POST', '/api/admin/factor/recovery-codes/'),
  step('officer', 'POST', '/api/admin/factor/remove/'),
];

/** A moderator other than the one who decided takes the second look. */
const secondLook = [
  step('admin', 'POST', '/api/admin/reviews/{{last}}/keep/'),
  step('officer', 'POST', '/api/admin/reviews/{{last}}/second-look/', {
    verdict: 'show',
    case_id: '{{look}}',
  }),
];

/** A moderator other than the one who decided answers the appeal. */
const appeal = [
  step('admin', 'POST', '/api/admin/reviews/{{last}}/hold/', { reason: CANARY }),
  step('poster', 'POST', '/api/reviews/{{last}}/appeal/', { text: CANARY }),
  step('poster', 'GET', '/api/reviews/my_reviews/'),
  step('officer', 'POST', '/api/admin/reviews/{{last}}/appeal/', {
    outcome: 'overturn',
    answer: CANARY,
  }),
];

const PHONE = { field: 'phone', value: '(334) 555-0177' };
const ZIP = { field: 'zip', value: '62701' };
const SOURCE = { source: 'https://hospital.example' };
const ACCEPTED = { ...PHONE, today: null, reason: 'So it is' };
const REFUSED = { ...ZIP, today: null, reason: 'Not so' };

const employer = [
  step('poster', 'POST', '/api/employers/custom/', { name: `Clinic {{fresh:1}}` }),
  step('admin', 'PATCH', '/api/admin/employers/{{last}}/', { name: `Center {{fresh:1}}` }),
  step('admin', 'GET', '/api/admin/employers/submitted/'),
  step('admin', 'GET', '/api/admin/employers/{{last}}/'),
  step('poster', 'POST', '/api/employers/{{last}}/corrections/', { ...PHONE, ...SOURCE }),
  step('poster', 'POST', '/api/employers/{{last}}/corrections/', { ...ZIP, ...SOURCE }),
  step('admin', 'POST', '/api/admin/employers/{{last}}/corrections/accept/', ACCEPTED),
  step('admin', 'POST', '/api/admin/employers/{{last}}/corrections/refuse/', REFUSED),
  step('admin', 'GET', '/api/admin/employers/{{last}}/merge/?into={{employer:0}}'),
  step('admin', 'POST', '/api/admin/employers/{{last}}/merge/', { into: '@@{{employer:0}}@@' }),
  step('admin', 'POST', '/api/admin/employers/{{last}}/unmerge/', { reason: 'Two places' }),
  step('signed-out', 'GET', '/api/employers/{{last}}/'),
  step('signed-out', 'GET', '/api/employers/{{last}}/reviews/?page=2'),
];

const representativeDetails = {
  email: `{{fresh:3}}@${HOSPITAL}`,
  first_name: CANARY,
  last_name: 'Example',
  work_title: CANARY,
  employer: '@@{{employer:0}}@@',
  password: PASSWORD,
};
const registering = '/api/auth/register/representative/';
const decided = '/api/admin/representatives/{{representative:0}}';
const spoken = '/api/reviews/{{spoken:0}}/reply/';
const decidedReply = '/api/admin/replies/{{spoken:0}}';

/** All steps, because they undo one another. */
const representative = [
  step('signed-out', 'POST', registering, { action: 'create_account', ...representativeDetails }),
  step('signed-out', 'POST', registering, {
    action: 'verify_otp',
    ...representativeDetails,
    otp_code: '{{code}}',
  }),
  step('representative', 'GET', '/api/representatives/me/'),
  step('representative', 'POST', spoken, { text: CANARY }),
  step('representative', 'PATCH', spoken, { text: CANARY }),
  step('pending', 'POST', `${spoken}report/`, { reason: 'other', note: CANARY }),
  step('admin', 'POST', `${decidedReply}/remove/`, { reason: CANARY }),
  step('representative', 'GET', '/api/reviews/replies/removed/'),
  step('admin', 'POST', `${decidedReply}/keep/`),
  step('representative', 'DELETE', spoken),
  step('admin', 'POST', `${decided}/refuse/`, { reason: CANARY }),
  step('admin', 'POST', `${decided}/approve/`, { reason: CANARY }),
];

/** A subset of the steps in order, always after `first`, which they depend on. */
const someOf = (first: FuzzRequest[], rest: readonly FuzzRequest[]): fc.Arbitrary<Exchange> =>
  fc.subarray([...rest], { minLength: 1 }).map((steps) => [...first, ...steps]);

/** Reviews that are created, edited, voted on, reported, moderated, and deleted. */
export const reviewSequences = (operations: readonly Operation[]): fc.Arbitrary<Exchange> =>
  newReview(operations).chain((first) => someOf([first], review('{{last}}', first)));

/** Reviews that are held, appealed, and restored, and reviews that get a second look. */
export const decisionSequences = (operations: readonly Operation[]): fc.Arbitrary<Exchange> =>
  newReview(operations).chain((first) =>
    fc.constantFrom(appeal, secondLook).map((steps) => [first, ...steps]),
  );

function newReview(operations: readonly Operation[]): fc.Arbitrary<FuzzRequest> {
  const creation = operations.filter(
    ({ method, path }) => method === 'POST' && path === '/api/reviews/',
  );
  return validRequests(creation).map(([created]) => {
    if (!created) throw new Error('no request to create a review');
    return { ...created, role: 'poster', body: ofOneEmployer(created.body) };
  });
}

/** The body of a review of a listed employer, which passes the rules. */
const ofOneEmployer = (body: string | null) =>
  toJson({
    ...JSON.parse(body ?? '{}'),
    employer: '{{employer:0}}',
    is_custom_employer: 'false',
    state: null,
    is_current_employee: true,
  });

/** An edit does not contain when to publish the review. */
const withoutPublish = (body: string | null) => {
  const { publish: _, ...fields } = JSON.parse(body ?? '{}');
  return toJson(fields);
};

/** Employers that are added and merged. */
export const employerSequences = (): fc.Arbitrary<Exchange> =>
  someOf(employer.slice(0, 1), employer.slice(1));

/** A representative who signs up, and one who replies. */
export const representativeSequences = (): fc.Arbitrary<Exchange> => fc.constant(representative);

/** Accounts from signup to deletion. Each hashes several passwords, so there are only a few. */
export const accountSequences = (): fc.Arbitrary<Exchange> =>
  fc.oneof(someOf([], member), someOf([], [...letter, ...mailbox]), {
    arbitrary: fc.constantFrom(account, member, stopped, reset, letter, mailbox, secondFactor),
    weight: 3,
  });
