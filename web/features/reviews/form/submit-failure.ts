import type { EmployerCandidate } from '#contract/employers/employers.ts';
import { ERRORS, type ErrorCode } from '#contract/errors.ts';
import { describeFinding, type Finding } from '#contract/reviews/screening.ts';
import { type ApiError, textMember } from '#web/lib/transport-error.ts';
import { REVIEW_FIELDS, type ReviewField, type ReviewValues } from './review-values.ts';

/** What the banner above the form shows. */
export interface Failure {
  message: string;
  field?: ReviewField | undefined;
  /** What must be removed from the review, and where it is. */
  findings?: readonly Finding[];
  /** The user's review of the same employer in the same position. */
  existingReviewId?: string | undefined;
  /** Several employers have the name that was typed, at the same place. */
  candidates?: readonly EmployerCandidate[];
  /** No response: the review may or may not have arrived. */
  isUnanswered?: boolean;
}

/** What the fields of the form share. */
export interface ReviewFormState {
  values: ReviewValues;
  failure: Failure | null;
  /** Changes some values, which saves the draft. */
  set: (change: Partial<ReviewValues>) => void;
}

export type SubmitVerb = 'create' | 'update';

/** docs/product/reviews.md, "Failed review". */
export function submitFailure(error: ApiError, verb: SubmitVerb): Failure {
  const { response } = error;
  if (response === null) {
    // The transport's message begins with the same two words.
    const message = `Network error: ${error.message.replace(/^Network error\. /, '')}`;
    return { message, isUnanswered: true };
  }
  if (response.status === 401) {
    return { message: `You must be logged in to ${verb} a review. Please log in and try again.` };
  }
  const { body } = response;
  const { findings, candidates } = (body ?? {}) as Pick<Failure, 'findings' | 'candidates'>;
  if (findings) return findingsFailure(findings);
  return {
    message:
      textMember(body, 'detail') ??
      firstMessage(body) ??
      `Failed to ${verb} review. Please try again.`,
    field: REVIEW_FIELDS.find((field) => hasMember(error.errors, field)),
    existingReviewId: existingReview(body),
    ...(candidates && { candidates }),
  };
}

/** The banner shows the first finding. Each one is also shown below its field. */
export function findingsFailure(findings: readonly Finding[]): Failure {
  const message = findings[0] ? describeFinding(findings[0]) : ERRORS.identifying_text.text;
  const field = REVIEW_FIELDS.find((name) => name === findings[0]?.field);
  return { message, field, findings };
}

/** The id of the user's review that the rejected one duplicates. */
function existingReview(body: unknown): string | undefined {
  const code: ErrorCode = 'duplicate_review';
  return textMember(body, 'code') === code ? textMember(body, 'review_id') : undefined;
}

/** The first text among a body's values. A field's messages are a list. */
function firstMessage(body: unknown): string | undefined {
  if (typeof body !== 'object' || body === null) return undefined;
  return Object.values(body)
    .flat()
    .find((value): value is string => typeof value === 'string' && value !== '');
}

/** The error to show at a field. Findings are listed there, so they need no other text. */
export const fieldError = (failure: Failure | null, field: ReviewField) =>
  failure?.field === field && !failure.findings ? failure.message : undefined;

const hasMember = (value: unknown, name: string) =>
  typeof value === 'object' && value !== null && name in value;
