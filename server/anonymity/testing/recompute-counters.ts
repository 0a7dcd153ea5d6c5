import { LIMITS, type Limit, type LimitName, networkOf } from '#server/rate-limits/limits.ts';
import { counterKey } from '#server/rate-limits/rate-limits.ts';
import type { Dump } from './dump.ts';
import {
  column,
  emailsOf,
  type Meaning,
  type Meanings,
  meaningsFrom,
  type Note,
} from './meanings.ts';
import { bytesOf, dumpedBytes } from './open-dump.ts';
import { type Candidate, fingerprintOf } from './recompute-authors.ts';
import type { Thief } from './thief.ts';

/** Computes every possible counter of the windows that still have a salt. */
export function counterMeanings(
  dump: Dump,
  thief: Thief,
  candidates: readonly Candidate[],
): Meanings[] {
  const { keys } = thief;
  const sessions = column(dump, 'public.sessions', 'id');
  return (dump.tables.get('public.rate_limit_salts') ?? []).flatMap(({ columns }) => {
    const salt = bytesOf(columns['salt']) ?? Buffer.alloc(0);
    const limits = (Object.entries(LIMITS) as [LimitName, Limit][]).filter(
      ([, { per }]) => per === columns['window_length'],
    );
    const probe = dumpedBytes(keys.sessionIndex('rate-limit', salt.toString('hex')));
    const members = [fingerprintOf(candidates), keys.writer(''), sessions];
    return [
      meaningsFrom(thief, ['counters of members', probe, members], (note) => {
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
      }),
      // The same for every thief with the key.
      meaningsFrom(thief, ['counters of suspects', probe], (note) =>
        noteCountersOfSuspects(thief, salt, limits, note),
      ),
    ];
  });
}

function noteCountersOfSuspects(
  thief: Thief,
  salt: Buffer,
  limits: readonly [LimitName, Limit][],
  noteKey: Note,
) {
  const { keys, suspects } = thief;
  const prefixes = suspects.addresses.flatMap((ip) =>
    networkOf({ ip }).map(({ prefix }) => prefix),
  );
  const networks = [...new Set(prefixes)];
  const emails = emailsOf(thief);
  for (const [limit, { by }] of limits) {
    const note = (prefix: string, subject: string, meaning: Meaning) =>
      noteKey(counterKey(keys, { salt, name: limit, prefix, subject }), {
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
}
