import type { ReactNode } from 'react';
import { titleCase } from '#contract/names.ts';
import type { CaseFile } from '#contract/office/case-queue.ts';
import { DECISION_OUTCOMES, REVIEW_RULES } from '#contract/review-rules.ts';
import { REPORT_REASONS } from '#contract/reviews/review-feedback.ts';
import type { EarlierDecision } from '#contract/reviews/review-moderation.ts';
import { actLine } from '#web/lib/case-decision.tsx';
import { formatLongDate } from '#web/lib/format.ts';
import { Link } from '#web/lib/link.tsx';
import { paths } from '#web/lib/paths.ts';
import { openedText } from './case-name.ts';

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

/** What should perhaps be decided alike: of the same employer, and of the same kind or rule. */
export function OtherCases({ others, similar }: Pick<CaseFile, 'others' | 'similar'>) {
  if (others.length === 0 && similar.length === 0) return null;
  return (
    <section aria-label="Of the same employer" className="mt-10 border-t border-rule pt-6">
      <h2 className="font-display text-xl">Of the same employer</h2>
      <div className="mt-4 grid max-w-[60rem] gap-x-12 gap-y-6 text-sm lining-nums wrap-anywhere md:grid-cols-2">
        {others.length > 0 && (
          <List name="Open cases of this kind">
            {others.map((one) => (
              <li key={one.id}>
                <Link to={paths.case(one.id)} className="prose-link">
                  {one.title}
                </Link>
                <span className="block text-ink-soft">{openedText(one)}</span>
              </li>
            ))}
          </List>
        )}
        {similar.length > 0 && (
          <List name="Decided before">
            {similar.map(({ review, position_title, outcome, rule, decided_on, by }, place) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: their order never changes
              <li key={place}>
                <Link to={paths.adminReview(review)} className="prose-link">
                  {titleCase(position_title)}
                </Link>
                <span className="block text-ink-soft">
                  {`${DECISION_OUTCOMES[outcome]} · ${REVIEW_RULES[rule].name} · ${by} · ${formatLongDate(decided_on)}`}
                </span>
              </li>
            ))}
          </List>
        )}
      </div>
    </section>
  );
}

function List({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <h3 className="mb-3 font-semibold">{name}</h3>
      <ul className="flex flex-col gap-3">{children}</ul>
    </div>
  );
}
