import type { Keys } from '#server/anonymity/keys.ts';

/** The lowercase domain, as in institution_domains. */
export const domainOf = (email: string) => email.slice(email.lastIndexOf('@') + 1).toLowerCase();

/**
 * A canonical address: lowercase, without a `+` suffix, which leads to the same mailbox (RFC 5233).
 * Dots stay: only consumer Gmail ignores them.
 */
export function canonicalMailbox(email: string): string {
  const local = email.slice(0, email.lastIndexOf('@')).toLowerCase();
  const plus = local.indexOf('+');
  return `${plus > 0 ? local.slice(0, plus) : local}@${domainOf(email)}`;
}

/** Stored for a mailbox that has proven an account. It does not lead to the account. */
export const mailboxMark = (keys: Pick<Keys, 'sessionIndex'>, email: string) =>
  keys.sessionIndex('mailbox-mark', canonicalMailbox(email));
