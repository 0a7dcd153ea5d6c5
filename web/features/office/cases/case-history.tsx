import type { CaseFile } from '#contract/office/case-queue.ts';
import { DECISION_OUTCOMES, REVIEW_RULES } from '#contract/review-rules.ts';
import { REPORT_REASONS } from '#contract/reviews/review-feedback.ts';
import type { EarlierDecision } from '#contract/reviews/review-moderation.ts';
import { actLine } from '#web/lib/case-decision.tsx';
import { formatLongDate } from '#web/lib/format.ts';

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
