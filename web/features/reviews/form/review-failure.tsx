import { useEffect, useRef } from 'react';
import type { EmployerCandidate } from '#contract/employers/employers.ts';
import { ERRORS, type ErrorCode } from '#contract/errors.ts';
import { describeFinding, type Finding, SCREENING_KINDS } from '#contract/reviews/screening.ts';
import { Link } from '#web/lib/link.tsx';
import { paths } from '#web/lib/paths.ts';
import { type ApiError, textMember } from '#web/lib/transport-error.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Combobox, type ComboboxProps } from '#web/ui/combobox.tsx';
import { Field } from '#web/ui/inputs.tsx';
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

type SubmitVerb = 'create' | 'update';

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

/**
 * Shown above the form. It stays visible while the form scrolls to the invalid field. Without an
 * invalid field, the banner takes the focus.
 */
export function FailureBanner({ failure }: { failure: Failure }) {
  const ref = useRef<HTMLDivElement>(null);
  const { message, field, existingReviewId, isUnanswered } = failure;

  useEffect(() => {
    if (field === undefined) ref.current?.focus();
  }, [field]);

  return (
    <Banner ref={ref} tone="error" tabIndex={-1} className="sticky top-0 z-20 mb-6 scroll-mt-24">
      <p>{message}</p>
      {existingReviewId && (
        <p className="mt-1">
          <Link to={paths.editReview(existingReviewId)} className="underline underline-offset-2">
            Edit your existing review
          </Link>
        </p>
      )}
      {isUnanswered && (
        <p className="mt-1">
          What you typed is saved in this browser. Sending it again won’t post a second review.
        </p>
      )}
    </Banner>
  );
}

interface SearchFieldProps extends Omit<ComboboxProps, 'id' | 'name'> {
  name: ReviewField;
  failure: Failure | null;
  label: string;
  hint?: string;
}

/** A required text box with suggestions. */
export function SearchField({ label, hint, failure, ...box }: SearchFieldProps) {
  const isInvalid = failure?.field === box.name;
  return (
    <Field label={label} hint={hint} error={fieldError(failure, box.name)}>
      {(control) => (
        <Combobox {...control} {...box} required aria-invalid={isInvalid || undefined} />
      )}
    </Field>
  );
}

interface FieldFindingsProps {
  field: ReviewField;
  text: string;
  failure: Failure | null;
}

/** The number of characters shown on either side of a finding. */
const SHOWN_AROUND = 40;

/** Shown below a field: the parts of its text that must not be published. */
export function FieldFindings({ field, text, failure }: FieldFindingsProps) {
  const findings = failure?.findings?.filter((finding) => finding.field === field) ?? [];
  if (findings.length === 0) return null;
  // Findings refer to the trimmed text.
  const trimmed = text.trim();
  return (
    <ul className="mt-2 flex flex-col gap-2 text-sm">
      {findings.map((finding) => (
        <li key={finding.start} className="border-l-3 border-danger pl-3">
          <p className="break-words whitespace-pre-line">
            {textBefore(trimmed, finding)}
            <mark className="bg-danger-wash font-semibold text-danger">{finding.excerpt}</mark>
            {textAfter(trimmed, finding)}
          </p>
          <p className="text-xs text-ink-soft">This looks like {SCREENING_KINDS[finding.kind]}.</p>
        </li>
      ))}
    </ul>
  );
}

const textBefore = (text: string, { start }: Finding) =>
  (start > SHOWN_AROUND ? '…' : '') + text.slice(Math.max(0, start - SHOWN_AROUND), start);

const textAfter = (text: string, { end }: Finding) =>
  text.slice(end, end + SHOWN_AROUND) + (end + SHOWN_AROUND < text.length ? '…' : '');

/** Scrolls to the invalid field, focuses it, and selects the first finding. */
export function focusInvalidField(form: HTMLFormElement, { field, findings }: Failure): void {
  const control = field && controlOf(form, field);
  if (!(control instanceof HTMLElement)) return;
  control.focus({ preventScroll: true });
  control.scrollIntoView({ block: 'center' });
  const finding = findings?.[0];
  if (!finding || !isText(control)) return;
  // Findings refer to the trimmed text.
  const blanks = control.value.length - control.value.trimStart().length;
  control.setSelectionRange(blanks + finding.start, blanks + finding.end);
}

/** For a group of radio buttons, the first one. */
function controlOf(form: HTMLFormElement, field: ReviewField) {
  const found = form.elements.namedItem(field);
  return found instanceof RadioNodeList ? found[0] : found;
}

const isText = (control: HTMLElement) =>
  control instanceof HTMLTextAreaElement || control instanceof HTMLInputElement;
