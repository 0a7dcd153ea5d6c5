import { NEW_EMPLOYERS_PER_DAY, RESET_MAILS_PER_HOUR } from '#contract/limits.ts';

/** Windows begin and end at full hours and days (UTC), the same for everyone. */
export const WINDOW_SECONDS = { hour: 3600, day: 86_400 } as const;
export type WindowLength = keyof typeof WINDOW_SECONDS;

export interface Limit {
  /** Points per window; for a network, those of its narrowest prefix. */
  points: number;
  per: WindowLength;
  counts: string;
  by:
    | 'account'
    | 'email address'
    | 'email address and network'
    | 'known device'
    | 'network'
    | 'session';
  /** Above its points it allows one attempt at a time, after a wait that doubles. */
  backsOff?: true;
  /** Success proves who is there, so it clears earlier failures. */
  clearedBySuccess?: true;
  /** A message instead of the general one. */
  refusal?: (points: number) => string;
}

/**
 * The only table of limits. RATE_LIMIT_FACTOR multiplies the points. A test keeps it equal to the
 * table in docs/operations.md.
 */
export const LIMITS = {
  login: {
    points: 6,
    per: 'day',
    by: 'email address and network',
    counts: 'wrong logins',
    backsOff: true,
    clearedBySuccess: true,
  },
  loginAccount: {
    points: 100,
    per: 'hour',
    by: 'email address',
    counts: 'wrong logins, except from known devices',
  },
  loginNetwork: {
    points: 200,
    per: 'hour',
    by: 'network',
    counts: 'wrong logins, except from known devices',
  },
  loginDevice: {
    points: 10,
    per: 'day',
    by: 'known device',
    counts: 'wrong logins',
    backsOff: true,
    clearedBySuccess: true,
  },
  refresh: { points: 20, per: 'hour', by: 'session', counts: 'refused refresh tokens' },
  password: {
    points: 10,
    per: 'hour',
    by: 'account',
    counts: 'wrong passwords while signed in',
    clearedBySuccess: true,
  },
  code: {
    points: 15,
    per: 'hour',
    by: 'email address and network',
    counts: 'wrong sign-up codes',
    clearedBySuccess: true,
  },
  codeNetwork: { points: 200, per: 'hour', by: 'network', counts: 'wrong sign-up codes' },
  codeMail: {
    points: 5,
    per: 'hour',
    by: 'email address and network',
    counts: 'sign-up codes sent',
  },
  codeMailFirst: {
    points: 20,
    per: 'hour',
    by: 'email address',
    counts: 'sign-up codes sent, the first for each network',
  },
  codeMailMore: {
    points: 10,
    per: 'hour',
    by: 'email address',
    counts: 'sign-up codes sent, all others',
  },
  codeMailNetwork: { points: 60, per: 'hour', by: 'network', counts: 'sign-up codes sent' },
  newAccount: { points: 20, per: 'day', by: 'network', counts: 'sign-ups with the right code' },
  registryCheck: {
    points: 10,
    per: 'day',
    by: 'account',
    counts: 'repeated registry checks',
  },
  /** docs/product/accounts.md, "Resetting a password". */
  resetMail: {
    points: RESET_MAILS_PER_HOUR,
    per: 'hour',
    by: 'email address',
    counts: 'password reset mails requested',
  },
  resetMailNetwork: {
    points: 60,
    per: 'hour',
    by: 'network',
    counts: 'password reset mails requested',
  },
  emailChange: { points: 5, per: 'hour', by: 'account', counts: 'email address changes' },
  emailChangeMail: {
    points: 10,
    per: 'hour',
    by: 'email address',
    counts: 'confirmation mails to a new email address',
  },
  letter: { points: 10, per: 'day', by: 'account', counts: 'letters requested' },
  letterCode: { points: 20, per: 'hour', by: 'account', counts: 'letter codes entered' },
  mailboxMail: {
    points: 5,
    per: 'day',
    by: 'account',
    counts: "codes sent to institutions' mailboxes",
  },
  mailboxMailAddress: {
    points: 10,
    per: 'day',
    by: 'email address',
    counts: "codes sent to institutions' mailboxes; more are dropped silently",
  },
  mailboxCode: {
    points: 10,
    per: 'day',
    by: 'account',
    counts: 'institutional mailbox codes entered',
  },
  reviewLock: {
    points: 10,
    per: 'day',
    by: 'account',
    counts: 'reviews locked or unlocked',
  },
  newEmployer: {
    points: NEW_EMPLOYERS_PER_DAY,
    per: 'day',
    by: 'account',
    counts: 'new employers',
    refusal: (points) =>
      `You can add up to ${points} new employers a day. Please choose one from the list, or try again tomorrow.`,
  },
  reviewWrite: {
    points: 60,
    per: 'hour',
    by: 'account',
    counts: 'reviews posted, edited, or published early',
  },
  reviewVote: { points: 300, per: 'hour', by: 'account', counts: 'votes' },
  reviewReport: { points: 20, per: 'hour', by: 'account', counts: 'reports' },
  write: {
    points: 600,
    per: 'hour',
    by: 'account',
    counts: 'all other write requests',
  },
} as const satisfies Record<string, Limit>;

export type LimitName = keyof typeof LIMITS;
/** Limits that routes for signed-in callers may declare. */
export type AccountLimit = {
  [Name in LimitName]: (typeof LIMITS)[Name]['by'] extends 'account' ? Name : never;
}[LimitName];
