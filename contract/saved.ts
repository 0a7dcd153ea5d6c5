import * as z from 'zod/mini';
import { Employer, EmployerId, EmployerQuery, MAX_EMPLOYER_ID } from './employers.ts';
import { SAVED_ADDRESS_MAX, SAVED_MAX } from './limits.ts';
import { ReviewQuery } from './reviews.ts';
import { parseSaved, type SearchedPage } from './saved-address.ts';

const ADDRESS_MESSAGE = 'Must be the address of an employer or of a search';
const TOO_LONG = 'This search is too long to save';
const NUMBER_MESSAGE = `Please send from 1 to ${SAVED_MAX} entries`;

const QUERIES = { '/employers': EmployerQuery, '/reviews': ReviewQuery } satisfies Record<
  SearchedPage,
  z.ZodMiniType
>;
/** The page of a list is not part of a search. */
const PAGING = ['page', 'page_size'];

/** Whether the page of the address exists, and its filters are valid. */
function isSavable(address: string): boolean {
  const saved = parseSaved(address);
  if (saved === null) return false;
  if ('employerId' in saved) return EmployerId.safeParse(String(saved.employerId)).success;
  if (PAGING.some((name) => name in saved.criteria)) return false;
  return QUERIES[saved.page].safeParse(saved.criteria).success;
}

const Address = z
  .string(ADDRESS_MESSAGE)
  .check(
    z.maxLength(SAVED_ADDRESS_MAX, { error: TOO_LONG, abort: true }),
    z.refine(isSavable, ADDRESS_MESSAGE),
  );

/** What an account has saved, the latest first. */
export const SavedList = z.strictObject({
  entries: z.array(z.string()),
  weekly_mail: z.boolean(),
});
export type SavedList = z.infer<typeof SavedList>;

/** Entries to save, or to remove. */
export const SavedEntriesRequest = z.strictObject({
  entries: z
    .array(Address, NUMBER_MESSAGE)
    .check(z.minLength(1, NUMBER_MESSAGE), z.maxLength(SAVED_MAX, NUMBER_MESSAGE)),
});

export const WeeklyMailRequest = z.strictObject({ weekly_mail: z.boolean() });

/** Ids of saved employers, in a body: a list of them must not be in a URL. */
export const SavedEmployersRequest = z.strictObject({
  ids: z
    .array(z.int().check(z.minimum(1), z.maximum(MAX_EMPLOYER_ID)), NUMBER_MESSAGE)
    .check(z.minLength(1, NUMBER_MESSAGE), z.maxLength(SAVED_MAX, NUMBER_MESSAGE)),
});

/** In the order of the request, without ids that do not exist. */
export const SavedEmployers = z.strictObject({
  results: z.array(
    z.strictObject({
      /** As in the request. The employer has another one if it was merged. */
      id: z.int(),
      employer: Employer,
      /** The day of the newest review. Null if there is none. */
      newest_review_on: z.nullable(z.iso.date()),
    }),
  ),
});
export type SavedEmployers = z.infer<typeof SavedEmployers>;

const TOKEN_MESSAGE = 'This link is incomplete';

/** From the link in a mail. */
export const UnsubscribeRequest = z.strictObject({
  token: z.string(TOKEN_MESSAGE).check(z.regex(/^[\w-]{1,300}$/, TOKEN_MESSAGE)),
});

export const SAVED_MESSAGES = {
  unsubscribed: 'You will get no more weekly emails.',
} as const;
