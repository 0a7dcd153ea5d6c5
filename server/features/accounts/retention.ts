import { toDay } from '#server/anonymity/coarse-time.ts';
import { openUnexpired } from '#server/anonymity/seal.ts';
import type { Deps } from '#server/deps.ts';
import { forgetEnded } from '#server/features/verification/service.ts';
import type { JobHandler } from '#server/jobs/payloads.ts';
import { forgetEndedWindows } from '#server/rate-limits/windows.ts';
import { changeContext } from './email-change/email-change.ts';
import { forgetEmailChange, selectEmailChanges } from './email-change/email-change-queries.ts';
import { resetContext } from './password/password-reset.ts';
import { deleteReset, selectResets } from './password/reset-queries.ts';
import { codeContext, selectCodes, takeCode } from './signup/one-time-codes.ts';

/** Deletes expired sessions, codes, letters, links, tombstones, and rate limits. */
export function retention(deps: Pick<Deps, 'db' | 'keys' | 'clock'>): JobHandler<'retention'> {
  return async () => {
    const { db, clock } = deps;
    const now = clock();
    const today = toDay(now);
    await db.deleteFrom('sessions').where('expires_on', '<=', today).execute();
    await db.deleteFrom('email_undos').where('expires_on', '<=', today).execute();
    await forgetEnded(deps);
    await forgetEndedWindows(db, now);
    await forgetExpired(deps);
  };
}

/**
 * The expiry of these is sealed, so all are opened. There are few, none older than a day or two.
 */
async function forgetExpired({ db, keys, clock }: Pick<Deps, 'db' | 'keys' | 'clock'>) {
  const isExpired = (context: string, sealed: Buffer) =>
    openUnexpired(keys, context, sealed, clock()) === null;
  for (const { details_key, address_key, sealed } of await selectCodes(db)) {
    if (isExpired(codeContext(address_key), sealed)) await takeCode(db, details_key, sealed);
  }
  for (const { token_hash, sealed } of await selectResets(db)) {
    if (isExpired(resetContext(token_hash), sealed)) await deleteReset(db, token_hash);
  }
  for (const { account_key, sealed } of await selectEmailChanges(db)) {
    if (isExpired(changeContext(account_key), sealed)) {
      await forgetEmailChange(db, account_key, sealed);
    }
  }
}
