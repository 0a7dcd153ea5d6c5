import type { OwnReview } from '#contract/reviews/reviews.ts';
import type { Author, AuthorKeys } from '#server/anonymity/author.ts';
import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors/app-error.ts';
import * as queries from '../rows/queries.ts';
import { toOwnReview, toOwnReviews } from '../rows/review-row.ts';
import * as scheduled from '../rows/scheduled-queries.ts';
import { withDecisions } from './own-decision.ts';

/** The caller's own reviews, scheduled ones first. */
export async function ownReviews(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  { keys: author }: Author,
): Promise<OwnReview[]> {
  const now = clock();
  const toPublished = ({ has_scheduled: _, ...row }: OwnRow) => toOwnReview(row, now);
  const only = await queries.selectByAuthor(db, author);
  // Most authors have no scheduled reviews, so this is enough.
  if (only[0]?.has_scheduled === false) return withDecisions(db, only.map(toPublished), now);
  // In this order: one that goes live in between is in both results, and counts as published.
  const waiting = await scheduled.selectByAuthor(db, author);
  const rows = await queries.selectByAuthor(db, author);
  const ids = new Set(rows.map(({ id }) => id));
  const others = waiting.filter(({ id }) => !ids.has(id));
  const published = await withDecisions(db, rows.map(toPublished), now);
  return [...(await toOwnReviews(db, others, now)), ...published];
}

/** An author's published or removed review, as its author sees it. Throws `not_found`. */
export async function ownReview(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  id: string,
  author: AuthorKeys,
): Promise<OwnReview> {
  const row = await queries.selectOwn(db, id, author);
  if (!row) throw new AppError('not_found');
  const [review] = await withDecisions(db, [toOwnReview(row, clock())], clock());
  if (!review) throw new AppError('not_found');
  return review;
}

type OwnRow = Awaited<ReturnType<typeof queries.selectByAuthor>>[number];
