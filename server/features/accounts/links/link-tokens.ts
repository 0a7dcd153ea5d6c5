import { randomBytes } from 'node:crypto';
import type { Keys } from '#server/anonymity/keys.ts';

type Purpose = 'password-reset' | 'email-change' | 'email-undo';

/** The secret part of a link: 256 random bits that are never stored. */
export function newToken(): string {
  return randomBytes(32).toString('base64url');
}

/** The stored form of a link token. */
export const tokenHash = (keys: Pick<Keys, 'sessionIndex'>, purpose: Purpose, token: string) =>
  keys.sessionIndex(purpose, `token/${token}`);

/** A keyed hash of the account id, different in each table so that tables cannot be joined. */
export const accountHash = (keys: Pick<Keys, 'sessionIndex'>, purpose: Purpose, userId: string) =>
  keys.sessionIndex(purpose, `account/${userId}`);

/** The URL of a page, for links in mail. */
export function pageLink(publicUrl: string, path: string, query: Record<string, string>): string {
  const url = new URL(path, publicUrl);
  url.search = new URLSearchParams(query).toString();
  return url.href;
}
