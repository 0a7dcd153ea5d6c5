import type { Db } from '#server/db/open.ts';
import type { JobHandler } from '#server/jobs/payloads.ts';
import { replaceUncurated } from './queries.ts';

/**
 * Minimum number of published reviews before a title is suggested. It counts reviews, as the public
 * list does, and not authors: see docs/anonymity.md, "Position titles".
 */
const USES_FOR_SUGGESTION = 10;

/** Updates the suggestions from the published reviews. Only the nightly job calls this. */
export const refreshTitles =
  ({ db }: { readonly db: Db }): JobHandler<'refresh-titles'> =>
  () =>
    replaceUncurated(db, USES_FOR_SUGGESTION);
