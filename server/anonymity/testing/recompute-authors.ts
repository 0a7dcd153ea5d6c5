import { type Author, lockedAuthor, openAuthor } from '../author.ts';
import type { Dump, DumpedRow } from './dump.ts';
import { column, type Meaning, type Meanings, meaningsFrom } from './meanings.ts';
import { bytesOf, dumpedBytes, OPENED_SALT } from './open-dump.ts';
import type { Thief } from './thief.ts';

/** An account and an author that it may act as. */
export type Candidate = readonly [account: string, author: Author];

const SECRET_BYTES = 32;

/**
 * Every account as an open author, and as a locked one with every 32-byte value in its row tried as
 * its secret.
 */
export function candidatesOf(dump: Dump, { keys }: Thief): Candidate[] {
  return (dump.tables.get('public.users') ?? []).flatMap(({ columns }): Candidate[] => {
    const account = String(columns['id']);
    const locked = lockedAuthorsOf(columns).map((author): Candidate => [account, author]);
    return [[account, openAuthor(keys, account)], ...locked];
  });
}

function lockedAuthorsOf(columns: DumpedRow['columns']): Author[] {
  const opened = columns[OPENED_SALT] as { salts: string[] } | undefined;
  const [salt, ...older] = (opened?.salts ?? []).map((one) => Buffer.from(one, 'base64'));
  if (!salt) return [];
  return Object.values(columns).flatMap((value) => {
    const secret = bytesOf(value);
    return secret?.length === SECRET_BYTES
      ? [lockedAuthor({ secret, salts: [salt, ...older] })]
      : [];
  });
}

/** Distinguishes sets of candidates. */
export const fingerprintOf = (candidates: readonly Candidate[]) =>
  candidates.map(([account, { keys }]) => [account, ...keys.map(dumpedBytes)]);

/** Links reviews to their authors. For votes and reports, tries every account on each. */
export function authorMeanings(
  dump: Dump,
  thief: Thief,
  candidates: readonly Candidate[],
): Meanings {
  const deeds = (
    [
      ['vote', 'public.review_votes'],
      ['report', 'public.review_reports'],
      ['reply-report', 'public.reply_reports'],
    ] as const
  ).map(([deed, table]) => [deed, [...new Set(column(dump, table, 'review_id'))].sort()] as const);
  const input = ['authors', fingerprintOf(candidates), deeds];
  return meaningsFrom(thief, input, (note) => {
    for (const [account, author] of candidates) {
      const meaning: Meaning = { account };
      for (const key of author.keys) note(key, meaning);
      for (const [deed, reviews] of deeds) {
        for (const review of reviews) {
          for (const key of author.deedKeys(deed, review)) note(key, meaning);
        }
      }
    }
  });
}
