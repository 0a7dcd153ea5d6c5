import type { Keys } from '#server/anonymity/keys.ts';

/** The part of an address after its last `@`, as institution_domains has it. */
export const domainOf = (email: string) => email.slice(email.lastIndexOf('@') + 1).toLowerCase();

/**
 * The one spelling of a mailbox: small letters, and without what follows a `+`, which leads to the
 * same mailbox (RFC 5233). Dots stay: only Gmail's consumer addresses ignore them, and those are no
 * institution's.
 */
function oneSpelling(email: string): string {
  const local = email.slice(0, email.lastIndexOf('@')).toLowerCase();
  const plus = local.indexOf('+');
  return `${plus > 0 ? local.slice(0, plus) : local}@${domainOf(email)}`;
}

/** What is remembered of a mailbox that has proven an account. It leads to no account. */
export const mailboxMark = (keys: Pick<Keys, 'sessionIndex'>, email: string) =>
  keys.sessionIndex('mailbox-mark', oneSpelling(email));

/** Names a mailbox to the rate limits. */
export const mailboxBudget = oneSpelling;
