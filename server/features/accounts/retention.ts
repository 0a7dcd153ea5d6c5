import { toDay } from '#server/anonymity/coarse-time.ts';
import { unseal } from '#server/anonymity/seal.ts';
import type { Deps } from '#server/deps.ts';
import type { JobHandler } from '#server/jobs/payloads.ts';

/** Forgets what has had its time: sessions, codes and limits. */
export function retention({
  db,
  keys,
  clock,
}: Pick<Deps, 'db' | 'keys' | 'clock'>): JobHandler<'retention'> {
  return async () => {
    const now = clock();
    await db.deleteFrom('sessions').where('expires_on', '<=', toDay(now)).execute();
    await db.deleteFrom('rate_limits').where('expire', '<', String(now.getTime())).execute();
    // When a code ends is sealed: there are only as many as were sent in the last minutes.
    const codes = await db.selectFrom('one_time_codes').selectAll().execute();
    for (const { address_key, sealed } of codes) {
      const { expiresAt } = unseal<{ expiresAt: number }>(keys.sealing, 'code', sealed);
      if (expiresAt > now.getTime()) continue;
      await db
        .deleteFrom('one_time_codes')
        .where('address_key', '=', address_key)
        .where('sealed', '=', sealed)
        .execute();
    }
  };
}
