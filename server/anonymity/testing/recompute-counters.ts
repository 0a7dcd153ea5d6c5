import { LIMITS, type Limit, type LimitName } from '#server/rate-limits/limits.ts';
import { networkOf } from '#server/rate-limits/networks.ts';
import { counterKey } from '#server/rate-limits/rate-limits.ts';
import type { Dump } from './dump.ts';
import { column, emailsOf, type Meaning, type Meanings, type Note } from './meanings.ts';
import { bytesOf, dumpedBytes } from './open-dump.ts';
import type { Candidate } from './recompute-authors.ts';
import type { Thief } from './thief.ts';

/** Counters by email address, NPI, or network. They are the same for every thief with the key. */
const triedCounters = new WeakMap<Thief['suspects'], Map<string, Meanings>>();

/** Computes every possible counter of the windows that still have a salt. */
export function noteCounters(
  dump: Dump,
  thief: Thief,
  candidates: readonly Candidate[],
  note: Note,
) {
  const { keys, suspects } = thief;
  const sessions = column(dump, 'public.sessions', 'id');
  const tried = triedCounters.get(suspects) ?? new Map<string, Meanings>();
  triedCounters.set(suspects, tried);
  for (const { columns } of dump.tables.get('public.rate_limit_salts') ?? []) {
    const salt = bytesOf(columns['salt']) ?? Buffer.alloc(0);
    const limits = (Object.entries(LIMITS) as [LimitName, Limit][]).filter(
      ([, { per }]) => per === columns['window_length'],
    );
    for (const [name, { by }] of limits) {
      const keyOf = (subject: string) => counterKey(keys, { salt, name, prefix: '', subject });
      if (by === 'account') {
        for (const [account, { writer }] of candidates) {
          for (const subject of new Set([account, writer])) {
            note(keyOf(keys.writer(subject)), { account, limit: name });
          }
        }
      } else if (by === 'session') {
        for (const session of sessions) note(keyOf(session), { session, limit: name });
      }
    }
    const probe = dumpedBytes(keys.sessionIndex('rate-limit', salt.toString('hex')));
    const found = tried.get(probe) ?? countersOfSuspects(thief, salt, limits);
    tried.set(probe, found);
    for (const [key, meaning] of found) note(key, meaning);
  }
}

function countersOfSuspects(
  thief: Thief,
  salt: Buffer,
  limits: readonly [LimitName, Limit][],
): Meanings {
  const { keys, suspects } = thief;
  const meanings: Meanings = new Map();
  const prefixes = suspects.addresses.flatMap((ip) =>
    networkOf({ ip }).map(({ prefix }) => prefix),
  );
  const networks = [...new Set(prefixes)];
  const emails = emailsOf(thief);
  for (const [limit, { by }] of limits) {
    const note = (prefix: string, subject: string, meaning: Meaning) =>
      meanings.set(dumpedBytes(counterKey(keys, { salt, name: limit, prefix, subject })), {
        ...meaning,
        ...(prefix && { network: prefix }),
        limit,
      });
    // Also by network alone, whatever the limit counts by.
    for (const network of networks) note(network, '', {});
    if (by === 'email address') for (const email of emails) note('', email, { email });
    if (by === 'email address and network') {
      for (const network of networks) for (const email of emails) note(network, email, { email });
    }
  }
  return meanings;
}
