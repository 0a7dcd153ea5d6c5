import { TRANSPORT_ERRORS } from './transport-errors.ts';

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
  identifying_text: {
    status: 400,
    text: 'Please remove patient or contact details from your review.',
  },
  invalid_proof_code: { status: 400, text: 'This code is wrong or has expired.' },
  nothing_to_prove: { status: 409, text: 'There is nothing for you to prove at the moment.' },
  no_practice_address: {
    status: 409,
    text: 'The registry has no practice address in the United States for your NPI.',
  },
  npi_banned: { status: 409, text: 'This NPI is banned. Lift the ban first.' },
  lock_needs_proof: {
    status: 403,
    text: 'Only an account that is verified by proof can lock its reviews.',
  },
  letter_too_soon: { status: 409, text: 'You can ask for one letter a month.' },
  mailbox_not_listed: {
    status: 400,
    text: 'This is not a mailbox of an institution that we know.',
  },
  mailbox_used: {
    status: 409,
    text: 'This mailbox has already been used to verify an account.',
  },
  registry_unavailable: {
    status: 503,
    text: 'The NPI registry does not answer at the moment. Please try again later.',
  },
  confirm_password: { status: 403, text: 'Please confirm your password to continue.' },
  saved_full: {
    status: 409,
    text: 'There is no room to save more. Please remove something first.',
  },
  own_review: { status: 403, text: 'This is your own review.' },
  review_removed: {
    status: 409,
    text: 'This review was removed by a moderator and cannot be edited. You can delete it.',
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
  unsupported_media_type: { status: 415, text: 'Please send JSON.' },
  headers_too_large: { status: 431, text: 'The address or the headers are too long.' },
  unavailable: { status: 503, text: 'Curbside is busy. Please try again in a moment.' },
} as const satisfies Record<string, { status: number; text: string }>;

export type ErrorCode = keyof typeof ERRORS;
