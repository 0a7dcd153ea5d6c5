import { useEffect, useRef } from 'react';
import type { Finding } from '#contract/reviews/screening.ts';
import { SCREENING_KINDS } from '#contract/reviews/screening-patterns.ts';
import { Link } from '#web/lib/link.tsx';
import { paths } from '#web/lib/paths.ts';
import { Banner } from '#web/ui/banner.tsx';
import type { ReviewField } from './review-values.ts';
import type { Failure } from './submit-failure.ts';

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

interface FieldFindingsProps {
  field: ReviewField;
  text: string;
  failure: Failure | null;
}

/** The number of characters shown on either side of a finding. */
const CONTEXT = 40;

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
            {before(trimmed, finding)}
            <mark className="bg-danger-wash font-semibold text-danger">{finding.excerpt}</mark>
            {after(trimmed, finding)}
          </p>
          <p className="text-xs text-ink-soft">This looks like {SCREENING_KINDS[finding.kind]}.</p>
        </li>
      ))}
    </ul>
  );
}

const before = (text: string, { start }: Finding) =>
  (start > CONTEXT ? '…' : '') + text.slice(Math.max(0, start - CONTEXT), start);

const after = (text: string, { end }: Finding) =>
  text.slice(end, end + CONTEXT) + (end + CONTEXT < text.length ? '…' : '');

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
