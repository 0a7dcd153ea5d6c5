import * as z from 'zod/mini';
import { presentPassword, User, WRONG_PASSWORD } from '../accounts/accounts.ts';
import { Representative } from '../replies/representatives.ts';
import { OwnReviews } from '../reviews/reviews.ts';
import { SavedList } from '../saved/saved.ts';
import { Doctor } from '../verification/doctors.ts';
import { Letter, OwnProofRequest } from '../verification/verification.ts';

/** Everything that is stored about the holder of an account. */
export const AccountExport = z.strictObject({
  exported_on: z.iso.date(),
  user: User,
  doctor: z.nullable(Doctor),
  representative: z.nullable(Representative),
  /** A letter that is waiting or on its way. */
  letter: z.nullable(Letter),
  /** What the holder was asked for. */
  asked: z.nullable(OwnProofRequest),
  reviews: OwnReviews,
  saved: SavedList,
});
export type AccountExport = z.infer<typeof AccountExport>;

/** `POST /auth/export/`: for a login that is no longer fresh. */
export const AccountExportRequest = z.strictObject({ password: presentPassword(WRONG_PASSWORD) });

/**
 * What happens to an author's reviews when the account is deleted. Kept reviews have no author.
 * With gradual deletion, they are deleted one at a time over DEPARTURE_DAYS.
 */
export const REVIEWS_AFTER_DELETION = ['delete', 'delete_gradually', 'keep'] as const;

export const AccountDeletionRequest = z.strictObject({
  password: presentPassword(WRONG_PASSWORD),
  reviews: z.enum(REVIEWS_AFTER_DELETION, "Reviews must be 'delete', 'delete_gradually' or 'keep'"),
});
export type AccountDeletionRequest = z.infer<typeof AccountDeletionRequest>;
