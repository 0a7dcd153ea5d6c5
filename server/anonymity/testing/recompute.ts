import { emailIndexes, npiIndexes } from '#server/features/accounts/identity.ts';
import { accountHash } from '#server/features/accounts/link-tokens.ts';
import { addressKeyOf } from '#server/features/accounts/one-time-codes.ts';
import { addressKey } from '#server/features/accounts/undo-links.ts';
import { LIMITS, type Limit, type LimitName } from '#server/rate-limits/limits.ts';
import { networkOf } from '#server/rate-limits/networks.ts';
import { counterKey } from '#server/rate-limits/rate-limits.ts';
import type { Dump } from './dump.ts';
import { bytesOf, dumpedBytes, withColumns } from './open-dump.ts';
import type { Thief } from './thief.ts';

/** What a keyed value stands for. */
type Meaning = Readonly<Record<string, string>>;
type Meanings = Map<string, Meaning>;

/**
 * The same dump with what its keyed values stand for added to each row as `known`: the thief
 * computes them for every account and every suspect, and looks for them in every column.
 */
export function recompute(dump: Dump, thief: Thief): Dump {
  const accounts = column(dump, 'public.users', 'id');
  const meanings: Meanings = new Map();
  const note = (key: Buffer, meaning: Meaning) => meanings.set(dumpedBytes(key), meaning);
  if (thief.holds.includes('INDEX_KEY')) notePeopleByIndex(thief, note);
  if (thief.holds.includes('AUTHORSHIP_KEY')) {
    for (const account of accounts) {
      for (const key of thief.keys.authorKeys(account)) note(key, { account });
    }
  }
  if (thief.holds.includes('SESSION_KEY')) {
    noteSessions(thief, accounts, note);
    noteCounters(dump, thief, accounts, note);
  }
  const deeds = thief.holds.includes('AUTHORSHIP_KEY')
    ? deedsOf(dump, thief, accounts)
    : new Map<string, Meaning>();
  return withColumns(dump, (_table, { columns }) => {
    const known = Object.entries(columns).flatMap(([name, value]) => {
      const meaning = typeof value === 'string' && (meanings.get(value) ?? deeds.get(value));
      return meaning ? [[name, meaning]] : [];
    });
    return known.length > 0 ? { known: Object.fromEntries(known) } : {};
  });
}

type Note = (key: Buffer, meaning: Meaning) => void;

const column = (dump: Dump, table: string, name: string) =>
  (dump.tables.get(table) ?? []).map(({ columns }) => String(columns[name]));

const emailsOf = ({ suspects }: Thief) =>
  suspects.people.flatMap(({ email, former_email }) => [
    email,
    ...(former_email ? [former_email] : []),
  ]);

function notePeopleByIndex(thief: Thief, note: Note) {
  for (const email of emailsOf(thief)) {
    for (const key of emailIndexes(thief.keys, email)) note(key, { email });
  }
  for (const { npi } of thief.suspects.people) {
    for (const key of npiIndexes(thief.keys, npi)) note(key, { npi });
  }
}

function noteSessions(thief: Thief, accounts: readonly string[], note: Note) {
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
}

/** Every counter that there could be in a window whose salt is still there. */
function noteCounters(dump: Dump, thief: Thief, accounts: readonly string[], note: Note) {
  const networks = [
    ...new Set(
      thief.suspects.addresses.flatMap((ip) => networkOf({ ip }).map(({ prefix }) => prefix)),
    ),
  ];
  const emails = emailsOf(thief).map((email) => ({ email }));
  const subjects: Record<Limit['by'], Meaning[]> = {
    account: accounts.map((account) => ({ account })),
    'e-mail address': emails,
    'e-mail address and network': emails,
    network: [],
    NPI: thief.suspects.people.map(({ npi }) => ({ npi })),
    session: column(dump, 'public.sessions', 'id').map((session) => ({ session })),
    // Random, and known to the browser alone.
    'known device': [],
  };
  for (const { columns } of dump.tables.get('public.rate_limit_salts') ?? []) {
    const salt = bytesOf(columns['salt']) ?? Buffer.alloc(0);
    for (const [name, limit] of Object.entries(LIMITS) as [LimitName, Limit][]) {
      if (limit.per !== columns['window_length']) continue;
      const keyOf = (prefix: string, subject: string) =>
        counterKey(thief.keys, { salt, name, prefix, subject });
      // By network alone too, whatever the limit is meant to go by.
      for (const network of networks) note(keyOf(network, ''), { network, limit: name });
      const isByBoth = limit.by === 'e-mail address and network';
      for (const prefix of isByBoth ? networks : ['']) {
        for (const subject of subjects[limit.by]) {
          const [id = ''] = Object.values(subject);
          const counted = limit.by === 'account' ? thief.keys.writer(id) : id;
          note(keyOf(prefix, counted), {
            ...subject,
            ...(prefix && { network: prefix }),
            limit: name,
          });
        }
      }
    }
  }
}

/** Votes and reports: bound to the one review, so every account is tried on each. */
function deedsOf(dump: Dump, { keys }: Thief, accounts: readonly string[]): Meanings {
  const meanings: Meanings = new Map();
  for (const [table, deed] of [
    ['public.review_votes', 'vote'],
    ['public.review_reports', 'report'],
  ] as const) {
    for (const review of new Set(column(dump, table, 'review_id'))) {
      for (const account of accounts) {
        for (const key of keys.deedKeys(deed, account, review)) {
          meanings.set(dumpedBytes(key), { account });
        }
      }
    }
  }
  return meanings;
}
