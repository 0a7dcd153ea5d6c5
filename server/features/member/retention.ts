import { toDay } from '#server/anonymity/coarse-time.ts';
import type { Deps } from '#server/deps.ts';
import { deleteExpiredLinks } from '#server/features/accounts/mail-links.ts';
import { deleteExpiredSessions } from '#server/features/accounts/session/sessions.ts';
import { deleteExpiredCodes } from '#server/features/accounts/signup/one-time-codes.ts';
import { deleteOldMerges } from '#server/features/employers/curation/merge-queries.ts';
import { deleteExpired } from '#server/features/verification/verification.ts';
import type { JobHandler } from '#server/jobs/settings.ts';
import { forgetEndedWindows } from '#server/rate-limits/rate-limits.ts';

/** Deletes expired sessions, codes, letters, links, tombstones, rate limits, and undos of merges. */
export function retention(deps: Pick<Deps, 'db' | 'keys' | 'clock'>): JobHandler<'retention'> {
  return async () => {
    const { db, clock } = deps;
    const now = clock();
    await deleteExpiredSessions(db, toDay(now));
    await deleteExpired(deps);
    await deleteOldMerges(db, now);
    await forgetEndedWindows(db, now);
    await deleteExpiredCodes(deps);
    await deleteExpiredLinks(deps);
  };
}
