import type { Db } from '#server/db/open.ts';
import type { JobHandler } from '#server/jobs/payloads.ts';
import { replaceUncurated } from './queries.ts';

/**
 * How many published reviews must have a title before it is suggested. It counts reviews, which
 * the public list counts too, and not authors: docs/anonymity.md, "Position titles", says why.
 */
const USES_FOR_SUGGESTION = 10;

/** Brings suggestions up to date with the published reviews. Nothing but the nightly job does. */
export const refreshTitles =
  ({ db }: { readonly db: Db }): JobHandler<'refresh-titles'> =>
  () =>
    replaceUncurated(db, USES_FOR_SUGGESTION);
