import { CASE_KINDS, type CaseKind, periodOf } from '#contract/cases.ts';
import { titleCase } from '#contract/names.ts';
import type { Case, CaseFile } from '#contract/office/case-queue.ts';
import { DECISION_OUTCOMES, REVIEW_RULES } from '#contract/review-rules.ts';
import { REPORT_REASONS } from '#contract/reviews/review-feedback.ts';
import type { EarlierDecision } from '#contract/reviews/review-moderation.ts';
import { formatLongDate, formatPeriod } from '#web/lib/format.ts';
import { actLine } from '#web/lib/refused.tsx';

/** What was reported and decided before. A text that the author has replaced is not kept. */
export function CaseHistory({ decisions, acts }: Pick<CaseFile, 'decisions' | 'acts'>) {
  if (decisions.length === 0 && acts.length === 0) return null;
  return (
    <section aria-label="History" className="mt-10 border-t border-rule pt-6">
      <h2 className="font-display text-xl">History</h2>
      <ol className="mt-4 flex max-w-[42rem] flex-col gap-5 text-sm lining-nums wrap-anywhere">
        {decisions.length > 0
          ? decisions.map((decision, place) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: their order never changes
              <Decision key={place} decision={decision} />
            ))
          : acts.map((act, place) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: an act has no id here
              <li key={place}>{actLine(act)}</li>
            ))}
      </ol>
    </section>
  );
}

function Decision({ decision }: { decision: EarlierDecision }) {
  const { outcome, rule, note, by, decided_on, reports, was_resubmitted, appeal } = decision;
  return (
    <li className="border-l-3 border-control pl-4">
      <p className="font-semibold">
        {DECISION_OUTCOMES[outcome]} · {by} · {formatLongDate(decided_on)}
      </p>
      <p>Rule: {REVIEW_RULES[rule].name}</p>
      {note && <p className="whitespace-pre-line">Text for the author: {note}</p>}
      {was_resubmitted && <p>The author had edited the review, and asked to publish it.</p>}
      {reports.map((report, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a report has no id, since that could reveal the reporter
        <p key={place} className="text-ink-soft">
          {['Report', REPORT_REASONS[report.reason], report.note].filter(Boolean).join(': ')}
        </p>
      ))}
      {appeal && (
        <>
          <p className="mt-2 whitespace-pre-line">Appeal: {appeal.text}</p>
          {appeal.outcome && appeal.answered_on && (
            <p className="whitespace-pre-line">
              {`${appeal.outcome === 'overturn' ? 'Granted' : 'Rejected'} on ${formatLongDate(appeal.answered_on)}: ${appeal.answer}`}
            </p>
          )}
        </>
      )}
    </li>
  );
}

/**
 * Kinds of cases whose texts are shown as written. The others are position titles and employer
 * names, whose capitalization depends on their source.
 */
const AS_WRITTEN: { title: readonly CaseKind[]; detail: readonly CaseKind[] } = {
  title: ['doctor', 'eviction', 'representative', 'legal'],
  detail: ['doctor', 'eviction', 'legal'],
};

/** 'Hospitalist', 'Ida van der Berg'. */
export const caseTitle = ({ kind, title }: Case): string =>
  AS_WRITTEN.title.includes(kind) ? title : titleCase(title);

/** 'Reported review · Aldermoor Hospital', 'Doctor · NPI 2000000016'. */
export const caseSubtitle = ({ kind, detail }: Case): string =>
  [CASE_KINDS[kind], AS_WRITTEN.detail.includes(kind) ? detail : titleCase(detail)]
    .filter(Boolean)
    .join(' · ');

/** 'In November 2026', 'In the week of November 23, 2026', 'Since November 25, 2026'. */
export function openedText(one: Pick<Case, 'kind' | 'opened_on'>): string {
  const period = periodOf(one);
  if (period === 'day') return `Since ${formatLongDate(one.opened_on)}`;
  return formatPeriod(one.opened_on, period).replace(/^i/, 'I');
}

/** 'Due December 3, 2026', 'Overdue since December 3, 2026'. */
export const dueText = ({ on, is_overdue }: NonNullable<Case['due']>): string =>
  `${is_overdue ? 'Overdue since' : 'Due'} ${formatLongDate(on)}`;

export const WHY_ROUNDED =
  'Where a day could show when a member was online, only the week or the month is stored.';
