import { ROLE_SWITCH_DAYS } from './limits.ts';
import { TRANSPORT_ERRORS } from './transport.ts';

/** The only table of error code -> HTTP status -> text (RFC 9457 `title`). */
export const ERRORS = {
  ...TRANSPORT_ERRORS,
  malformed_request: { status: 400, text: 'The request could not be read.' },
  invalid_code: { status: 400, text: 'Invalid or expired verification code.' },
  invalid_reset_link: {
    status: 400,
    text: 'This password reset link is invalid or has expired. Please request a new one.',
  },
  invalid_email_link: { status: 400, text: 'This link is invalid or has expired.' },
  duplicate_review: {
    status: 400,
    text: 'You have already reviewed this employer in this position. Please edit that review instead.',
  },
  several_employers: {
    status: 400,
    text: 'Several employers have this name. Please choose one, or give the city and state of another.',
  },
  identifying_text: {
    status: 400,
    text: 'Please remove patient or contact details from your review.',
  },
  invalid_proof_code: { status: 400, text: 'This code is wrong or has expired.' },
  nothing_to_prove: { status: 409, text: 'There is nothing for you to prove right now.' },
  no_practice_address: {
    status: 409,
    text: 'The registry has no practice address in the United States for your NPI.',
  },
  npi_banned: { status: 409, text: 'This NPI is banned. Lift the ban first.' },
  one_verifier: {
    status: 409,
    text: 'An account has proven this NPI. Taking the NPI from it needs two verifiers, and this office does not have two.',
  },
  second_verifier: {
    status: 409,
    text: 'You decided this first. Another verifier must confirm it on another day. All commands count as one verifier.',
  },
  another_day: {
    status: 409,
    text: 'Another verifier decided this today. It can be confirmed on another day (UTC).',
  },
  lock_needs_proof: {
    status: 403,
    text: 'Only an account that is verified by proof can lock its reviews.',
  },
  letter_too_soon: { status: 409, text: 'You can request one letter a month.' },
  mailbox_not_listed: {
    status: 400,
    text: 'This mailbox does not belong to an institution that we know.',
  },
  mailbox_used: {
    status: 409,
    text: 'This mailbox has already been used to verify an account.',
  },
  employer_mailbox: {
    status: 400,
    text: 'Please use your mailbox at the employer. A free mailbox cannot represent one.',
  },
  representative_account: {
    status: 403,
    text: 'An employer’s representative can read reviews and reply to them, and nothing else.',
  },
  not_representative: {
    status: 403,
    text: 'Only a verified representative of the employer can do this.',
  },
  registry_unavailable: {
    status: 503,
    text: 'The NPI registry is not responding right now. Please try again later.',
  },
  confirm_password: { status: 403, text: 'Please confirm your password to continue.' },
  saved_full: {
    status: 409,
    text: 'There is no room to save more. Please remove something first.',
  },
  last_owner: {
    status: 409,
    text: 'Appoint another owner first. An office of two or more must have one.',
  },
  own_roles: {
    status: 409,
    text: 'You cannot change your own roles. Ask another owner.',
  },
  role_wait: {
    status: 409,
    text: `A former verifier can become a moderator or an auditor only after ${ROLE_SWITCH_DAYS} days, and vice versa.`,
  },
  factor_required: {
    status: 403,
    text: 'Enter the code from your authenticator app to continue.',
  },
  factor_setup_required: {
    status: 403,
    text: 'Set up an authenticator app to enter the office.',
  },
  invalid_factor_code: {
    status: 400,
    text: 'This code is wrong, or has been used. Please enter the next one.',
  },
  own_review: { status: 403, text: 'This is your own review.' },
  review_removed: {
    status: 409,
    text: 'This review was removed by a moderator and cannot be edited. You can delete it.',
  },
  awaits_moderator: {
    status: 409,
    text: 'A moderator is going to look at this review. Until then, it cannot be edited.',
  },
  reply_exists: { status: 409, text: 'This review already has a reply. Please edit that one.' },
  reply_removed: {
    status: 409,
    text: 'This reply was removed by a moderator and cannot be changed.',
  },
  not_appealable: { status: 409, text: 'There is no decision about this review to appeal.' },
  appeal_too_late: { status: 409, text: 'The time to appeal this decision has passed.' },
  appeal_exists: { status: 409, text: 'You have already appealed this decision.' },
  appeal_open: {
    status: 409,
    text: 'The appeal about this review must be decided first.',
  },
  own_decision: {
    status: 409,
    text: 'You made this decision. Another administrator must look at it.',
  },
  correction_waiting: {
    status: 409,
    text: 'A correction of this is already waiting for a curator.',
  },
  employer_rejected: {
    status: 409,
    text: 'A curator has removed this employer from the directory. Its reviews cannot be public.',
  },
  merge_over: {
    status: 409,
    text: 'This merge has already been undone, or is too old to be undone.',
  },
  asked_today: {
    status: 409,
    text: 'This person was asked today. Please wait until tomorrow (UTC).',
  },
  case_claimed: { status: 409, text: 'Another administrator is working on this case.' },
  case_closed: { status: 409, text: 'This case has already been decided.' },
  changed_meanwhile: {
    status: 409,
    text: 'This has changed since you read it. Please read it again, and then decide.',
  },
  authentication_required: { status: 401, text: 'Please log in to continue.' },
  invalid_credentials: { status: 401, text: 'Incorrect email or password.' },
  session_expired: { status: 401, text: 'Your session has expired. Please log in again.' },
  cross_site_request: {
    status: 403,
    text: 'This request did not come from Curbside. Please reload the page and try again.',
  },
  method_not_allowed: { status: 405, text: 'This method is not allowed here.' },
  request_timeout: { status: 408, text: 'The request took too long to arrive.' },
  payload_too_large: { status: 413, text: 'The request is too large.' },
  unsupported_media_type: { status: 415, text: 'Please send JSON in UTF-8, uncompressed.' },
  headers_too_large: { status: 431, text: 'The address or the headers are too long.' },
  unavailable: { status: 503, text: 'Curbside is busy. Please try again in a moment.' },
} as const satisfies Record<string, { status: number; text: string }>;

export type ErrorCode = keyof typeof ERRORS;
