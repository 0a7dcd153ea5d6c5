import { type Finding, SCREENING_KINDS } from '#contract/screening.ts';
import type { ReviewField } from './review-values.ts';
import type { Failure } from './submit-failure.ts';

interface FieldFindingsProps {
  field: ReviewField;
  /** The field as it stands. */
  text: string;
  failure: Failure | null;
}

/** How much of the text is shown on either side of a finding. */
const CONTEXT = 40;

/** Below a field: the places in its text that must not be published. */
export function FieldFindings({ field, text, failure }: FieldFindingsProps) {
  const findings = failure?.findings?.filter((finding) => finding.field === field) ?? [];
  if (findings.length === 0) return null;
  // What is screened has no blanks around it.
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
