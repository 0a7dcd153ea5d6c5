import { randomBytes } from 'node:crypto';
import type { Keys } from '#server/anonymity/keys.ts';

type Purpose = 'password-reset' | 'email-change' | 'email-undo';

/** The secret of a link: 256 bits, never stored. */
export function newToken(): string {
  return randomBytes(32).toString('base64url');
}

/** What is stored of a link's secret. */
export function tokenHash(
  keys: Pick<Keys, 'sessionIndex'>,
  purpose: Purpose,
  token: string,
): Buffer {
  return keys.sessionIndex(purpose, `token/${token}`);
}

/** A table's name for an account: it joins to no other table. */
export function accountHash(
  keys: Pick<Keys, 'sessionIndex'>,
  purpose: Purpose,
  userId: string,
): Buffer {
  return keys.sessionIndex(purpose, `account/${userId}`);
}

/** The address of a page, as a mail links to it. */
export function pageLink(publicUrl: string, path: string, query: Record<string, string>): string {
  const url = new URL(path, publicUrl);
  url.search = new URLSearchParams(query).toString();
  return url.href;
}
