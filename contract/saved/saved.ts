import * as z from 'zod/mini';
import { Employer, EmployerId, EmployerQuery } from '../employers/employers.ts';
import { SAVED_ADDRESS_MAX, SAVED_MAX } from '../limits.ts';
import { parseInput } from '../paging.ts';
import { ReviewQuery } from '../reviews/review-queries.ts';
import { parseSaved, type SearchedPage } from './saved-address.ts';

export const SAVED_MESSAGES = {
  address: 'Must be the address of an employer or of a search',
  tooLong: 'This search is too long to save',
  number: `Please send from 1 to ${SAVED_MAX} entries`,
  token: 'This link is incomplete',
  unsubscribed: 'You will get no more weekly emails.',
} as const;

const QUERIES = { '/employers': EmployerQuery, '/reviews': ReviewQuery } satisfies Record<
  SearchedPage,
  z.ZodMiniType
>;
/** Paging is not part of a search. */
const PAGING = ['page', 'page_size'];

/** Whether the address has an existing page and valid filters. */
function isSavable(address: string): boolean {
  const saved = parseSaved(address);
  if (saved === null) return false;
  if ('employerId' in saved) return true;
  if (PAGING.some((name) => name in saved.criteria)) return false;
  return parseInput(QUERIES[saved.page], saved.criteria).success;
}

const Address = z
  .string(SAVED_MESSAGES.address)
  .check(
    z.maxLength(SAVED_ADDRESS_MAX, { error: SAVED_MESSAGES.tooLong, abort: true }),
    z.refine(isSavable, SAVED_MESSAGES.address),
  );

/** From one to as many as can be saved. */
const some = <T extends z.ZodMiniType>(item: T) =>
  z
    .array(item, SAVED_MESSAGES.number)
    .check(z.minLength(1, SAVED_MESSAGES.number), z.maxLength(SAVED_MAX, SAVED_MESSAGES.number));

/** What an account has saved, newest first. */
export const SavedList = z.strictObject({
  entries: z.array(z.string()),
  weekly_mail: z.boolean(),
});
export type SavedList = z.infer<typeof SavedList>;

/** Entries to save, or to remove. */
export const SavedEntriesRequest = z.strictObject({ entries: some(Address) });

/** Entries that can no longer be saved can still be removed. */
export const SavedRemovalRequest = z.strictObject({
  entries: some(z.string().check(z.maxLength(SAVED_ADDRESS_MAX))),
});

export const WeeklyMailRequest = z.strictObject({ weekly_mail: z.boolean() });

/** Ids of saved employers, in a body: such a list must not be in a URL. */
export const SavedEmployersRequest = z.strictObject({
  ids: some(z.int().check(z.refine((id) => EmployerId.safeParse(id).success))),
});

/** In the order of the request, without ids that do not exist. */
export const SavedEmployers = z.strictObject({
  results: z.array(
    z.strictObject({
      /** As in the request. If the employer was merged, it has another id now. */
      id: z.int(),
      employer: Employer,
      /** The day of the newest review. Null if there is none. */
      newest_review_on: z.nullable(z.iso.date()),
      /** Its first review is from today or one of the six days before (UTC). */
      is_first_review: z.boolean(),
    }),
  ),
});
export type SavedEmployers = z.infer<typeof SavedEmployers>;

/** From the link in an email. */
export const UnsubscribeRequest = z.strictObject({
  token: z.string(SAVED_MESSAGES.token).check(z.regex(/^[\w-]{1,300}$/, SAVED_MESSAGES.token)),
});
