import { createHash } from 'node:crypto';
import { AppError } from '#server/errors/app-error.ts';

const VERSION_LENGTH = 16;

/**
 * Changes whenever what a decision is about changes. Computed when it is read, and never stored: a
 * stored hash would find a text that its author has replaced.
 */
export const versionOf = (...read: readonly unknown[]): string =>
  createHash('sha256').update(JSON.stringify(read)).digest('base64url').slice(0, VERSION_LENGTH);

/** Throws `changed_meanwhile` if a decision names another version than the current one. */
export function requireVersion(read: string | undefined, current: string): void {
  if (read !== undefined && read !== current) throw new AppError('changed_meanwhile');
}
