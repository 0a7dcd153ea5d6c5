import { emailIndexes, npiIndexes } from '#server/features/accounts/identity/identity.ts';
import { accountHash, addressKey } from '#server/features/accounts/mail-links.ts';
import { addressKeyOf } from '#server/features/accounts/signup/one-time-codes.ts';
import type { Dump } from './dump.ts';
import { withFragments } from './fragments.ts';
import { column, emailsOf, type Meanings, meaningsFrom, type Note } from './meanings.ts';
import { dumpedBytes, withColumns } from './open-dump.ts';
import { authorMeanings, candidatesOf } from './recompute-authors.ts';
import { counterMeanings } from './recompute-counters.ts';
import type { Thief } from './thief.ts';

/**
 * Adds the meanings of keyed values to each row, as `known`. The thief computes them for every
 * account and every suspect, and looks for them in every column.
 */
export function recompute(dump: Dump, thief: Thief): Dump {
  const found: Meanings[] = [];
  if (thief.holds.includes('INDEX_KEY')) {
    const probe = emailIndexes(thief.keys, '').map(dumpedBytes);
    found.push(meaningsFrom(thief, ['people', probe], peopleByIndex(thief)));
  }
  const candidates = candidatesOf(dump, thief);
  if (thief.holds.includes('AUTHORSHIP_KEY')) found.push(authorMeanings(dump, thief, candidates));
  if (thief.holds.includes('SESSION_KEY')) {
    const accounts = column(dump, 'public.users', 'id').toSorted();
    const probe = dumpedBytes(thief.keys.sessionIndex('session-account', ''));
    found.push(meaningsFrom(thief, ['sessions', probe, accounts], sessions(thief, accounts)));
    found.push(...counterMeanings(dump, thief, candidates));
  }
  const read = withColumns(dump, (_table, { columns }) => {
    const known = Object.entries(columns).flatMap(([name, value]) => {
      if (typeof value !== 'string') return [];
      const meaning = found.findLast((meanings) => meanings.has(value))?.get(value);
      return meaning ? [[name, meaning]] : [];
    });
    return known.length > 0 ? { known: Object.fromEntries(known) } : {};
  });
  return withFragments(read, thief, found);
}

const peopleByIndex = (thief: Thief) => (note: Note) => {
  for (const email of emailsOf(thief)) {
    for (const key of emailIndexes(thief.keys, email)) note(key, { email });
  }
  for (const { npi } of thief.suspects.people) {
    for (const key of npiIndexes(thief.keys, npi)) note(key, { npi });
    for (const purpose of ['npi-tombstone', 'npi-tombstone-weak'] as const) {
      for (const key of thief.keys.indexes(purpose, npi)) note(key, { npi });
    }
  }
};

const sessions = (thief: Thief, accounts: readonly string[]) => (note: Note) => {
  const { keys } = thief;
  for (const account of accounts) {
    note(keys.sessionIndex('session-account', account), { account });
    for (const purpose of ['password-reset', 'email-change', 'email-undo'] as const) {
      note(accountHash(keys, purpose, account), { account });
    }
  }
  for (const email of emailsOf(thief)) {
    note(addressKey(keys, email), { email });
    note(addressKeyOf(keys, email), { email });
  }
};
