import ipaddr from 'ipaddr.js';
import { NEW_EMPLOYERS_PER_DAY, RESET_MAILS_PER_HOUR } from '#contract/limits.ts';
import { STAFF_MESSAGES } from '#contract/office/staff.ts';

/** Windows begin and end on the hour and at midnight (UTC), for everyone. */
export const WINDOW_SECONDS = { hour: 3600, day: 86_400 } as const;
export type WindowLength = keyof typeof WINDOW_SECONDS;

interface Counted {
  /** Points per window. For a network, the points of its narrowest prefix. */
  points: number;
  per: WindowLength;
  counts: string;
  /** After its points are used up, it allows one attempt at a time, after a wait that doubles. */
  backsOff?: true;
  /** Replaces the general message. */
  refusal?: (points: number) => string;
}

/** Counted for one caller. Nobody else sees what is left. */
interface OwnLimit extends Counted {
  by: 'account' | 'known device' | 'session';
  /** Success proves who the caller is, so it clears earlier failures. */
  clearedBySuccess?: true;
}

/**
 * Counted for everyone who names the address or shares the network. Success changes nothing here:
 * strangers would see that somebody has signed in or joined.
 */
interface SharedLimit extends Counted {
  by: 'email address' | 'email address and network' | 'network';
  clearedBySuccess?: never;
}

export type Limit = OwnLimit | SharedLimit;

const perWindow =
  (per: WindowLength) =>
  <const By extends Limit['by']>(points: number, by: By, counts: string) => ({
    points,
    per,
    by,
    counts,
  });
const hourly = perWindow('hour');
const daily = perWindow('day');

/**
 * The only table of limits: points, who has them, and what uses them up. RATE_LIMIT_FACTOR
 * multiplies the points. docs/operations.md explains those of guesses.
 */
export const LIMITS = {
  login: { ...daily(6, 'email address and network', 'wrong logins'), backsOff: true },
  loginAccount: hourly(100, 'email address', 'wrong logins, except from known devices'),
  loginNetwork: hourly(200, 'network', 'wrong logins, except from known devices'),
  loginDevice: {
    ...daily(10, 'known device', 'wrong logins'),
    backsOff: true,
    clearedBySuccess: true,
  },
  refresh: hourly(20, 'session', 'rejected refresh tokens'),
  password: {
    ...hourly(10, 'account', 'wrong passwords while signed in'),
    clearedBySuccess: true,
  },
  code: hourly(15, 'email address and network', 'wrong sign-up codes'),
  codeNetwork: hourly(200, 'network', 'wrong sign-up codes'),
  codeMail: hourly(5, 'email address and network', 'sign-up codes sent'),
  codeMailFirst: hourly(20, 'email address', 'sign-up codes sent, the first for each network'),
  codeMailMore: hourly(10, 'email address', 'sign-up codes sent, all others'),
  codeMailNetwork: hourly(60, 'network', 'sign-up codes sent'),
  codeMailNetworkDay: daily(100, 'network', 'sign-up codes sent'),
  registryCheck: daily(10, 'account', 'repeated registry checks'),
  /** docs/product/accounts.md, "Resetting a password". */
  resetMail: hourly(RESET_MAILS_PER_HOUR, 'email address', 'password reset mails requested'),
  resetMailNetwork: hourly(60, 'network', 'password reset mails requested'),
  emailChange: hourly(5, 'account', 'email address changes'),
  emailChangeMail: hourly(10, 'email address', 'confirmation mails to a new email address'),
  letter: daily(10, 'account', 'letters requested'),
  letterCode: hourly(20, 'account', 'letter codes entered'),
  /** Not counted by mailbox: strangers could use up what its owner needs. */
  mailboxMail: daily(5, 'account', "codes sent to institutions' mailboxes"),
  mailboxCode: daily(10, 'account', 'institutional mailbox codes entered'),
  factorCode: {
    ...daily(10, 'session', 'wrong codes of an authenticator app'),
    clearedBySuccess: true,
  },
  factorCodeAccount: {
    ...daily(
      20,
      'account',
      'wrong codes of an authenticator app, except from sessions that have entered a correct one',
    ),
    refusal: () => STAFF_MESSAGES.guessed,
  },
  recoveryCode: {
    ...daily(10, 'session', 'wrong recovery codes of a second factor'),
    clearedBySuccess: true,
  },
  reviewLock: daily(10, 'account', 'reviews locked or unlocked'),
  newEmployer: {
    ...daily(NEW_EMPLOYERS_PER_DAY, 'account', 'new employers'),
    refusal: (points) =>
      `You can add up to ${points} new employers a day. Please choose one from the list, or try again tomorrow.`,
  },
  demandDocument: hourly(30, 'account', 'documents of legal demands added'),
  correction: hourly(10, 'account', 'corrections of employers proposed'),
  reviewWrite: hourly(60, 'account', 'reviews posted, edited, or published early'),
  reviewVote: hourly(300, 'account', 'votes'),
  reviewReport: hourly(20, 'account', 'reports'),
  replyWrite: hourly(60, 'account', 'replies posted or edited'),
  write: hourly(600, 'account', 'all other write requests'),
} as const satisfies Record<string, Limit>;

export type LimitName = keyof typeof LIMITS;
/** Limits that routes for signed-in callers may declare. */
export type AccountLimit = {
  [Name in LimitName]: (typeof LIMITS)[Name]['by'] extends 'account' ? Name : never;
}[LimitName];

interface Prefix {
  prefix: string;
  /** Its allowance, as a multiple of the limit's points. */
  share: number;
}

/** A caller's network as limits count it: its prefixes, from narrowest to widest. */
export type Network = readonly Prefix[];

/** IPv4: one address (often a whole hospital's), and the addresses around it (often strangers'). */
const IPV4_PREFIXES = [
  { bits: 32, share: 1 },
  { bits: 24, share: 5 },
] as const;
/** IPv6: one network, and the ranges that sites are assigned (RFC 6177). */
const IPV6_PREFIXES = [
  { bits: 64, share: 1 },
  { bits: 56, share: 1.5 },
  { bits: 48, share: 2 },
] as const;

/** Anything that a proxy sends instead of an address (RFC 7239, section 6) counts as one network. */
const UNKNOWN: Network = [{ prefix: 'unknown', share: 1 }];

export function networkOf({ ip }: { ip: string }): Network {
  if (!ipaddr.isValid(ip)) return UNKNOWN;
  // IPv4-mapped IPv6 addresses are IPv4 addresses.
  const address = ipaddr.process(ip);
  const isIpv4 = address.kind() === 'ipv4';
  const bytes = address.toByteArray();
  return (isIpv4 ? IPV4_PREFIXES : IPV6_PREFIXES).map(({ bits, share }) => {
    const network = bytes.map((byte, at) => (at < bits / 8 ? byte : 0));
    return { prefix: `${ipaddr.fromByteArray(network)}/${bits}`, share };
  });
}
