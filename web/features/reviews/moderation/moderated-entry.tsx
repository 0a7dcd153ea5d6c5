import type { ReactNode } from 'react';
import { REPORT_REASONS } from '#contract/review-feedback.ts';
import type { ModeratedReview, Report } from '#contract/review-moderation.ts';
import { formatLongDate, plural } from '#web/lib/format.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Button } from '#web/ui/button.tsx';
import { DECISIONS, type Decision, decisionsFor } from './decisions.ts';

interface ModeratedEntryProps {
  moderated: ModeratedReview;
  /** The review itself, with what can be done about it. */
  card: (actions: ReactNode) => ReactNode;
  onDecide: (decision: Decision) => void;
}

/** A review and what was said against it; neither author nor reporter is known to this page. */
export function ModeratedEntry({ moderated, card, onDecide }: ModeratedEntryProps) {
  const { review, reports } = moderated;
  return (
    <li className="kerb-rule pt-6 pb-4">
      {review.removed_reason !== null && (
        <p className="max-w-[42rem]">
          <Badge tone="solid">{reports.length > 0 ? 'Hidden until you decide' : 'Removed'}</Badge>{' '}
          Reason given to the author: {review.removed_reason}
        </p>
      )}
      {reports.length > 0 && <Reports reports={reports} />}
      <div className="mt-6">
        {card(
          <div className="flex flex-wrap gap-3">
            {decisionsFor(moderated).map((decision) => (
              <Button
                key={decision}
                size="sm"
                variant={decision === 'remove' ? 'danger' : 'secondary'}
                onClick={() => onDecide(decision)}
              >
                {DECISIONS[decision].action}
              </Button>
            ))}
          </div>,
        )}
      </div>
    </li>
  );
}

function Reports({ reports }: { reports: readonly Report[] }) {
  return (
    <section>
      <h3 className="label-caps text-ink-faint">{plural(reports.length, 'report')}</h3>
      <ul className="mt-2 flex max-w-[42rem] flex-col gap-3">
        {reports.map((report, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a report has no id, lest it tell whose it is
          <li key={place} className="border-l-3 border-control pl-4">
            <p>
              <span className="font-semibold">{REPORT_REASONS[report.reason]}</span>
              <span className="text-sm text-ink-faint">
                {' '}
                · {formatLongDate(report.reported_on)}
              </span>
            </p>
            {report.note && (
              <p className="whitespace-pre-line text-ink-soft wrap-anywhere">{report.note}</p>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
