import { useState } from 'react';
import { REPORT_REASONS } from '#contract/review-feedback.ts';
import type { ModeratedReview, Report } from '#contract/review-moderation.ts';
import { ReviewCard } from '#web/features/reviews/review-card.tsx';
import { formatLongDate, plural } from '#web/lib/format.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Banner } from '#web/ui/banner.tsx';
import { Button } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { DecisionDialog } from './decision-dialog.tsx';
import { DECISIONS, type Decision, decisionsFor } from './decisions.ts';

/** The button that had the focus is gone with its review. */
const focusOn = (element: HTMLElement | null) => element?.focus();

interface ModeratedListProps {
  reviews: readonly ModeratedReview[];
  /** Shown instead of an empty list. */
  empty: { title: string; text: string };
}

/** Reviews with open reports, or removed ones. */
export function ModeratedList({ reviews, empty }: ModeratedListProps) {
  const [asked, ask] = useState<{ id: string; decision: Decision } | null>(null);
  const [done, setDone] = useState<string | null>(null);

  return (
    <>
      {done && (
        <Banner tone="success" ref={focusOn} tabIndex={-1} className="mb-8 outline-none">
          {done}
        </Banner>
      )}
      {reviews.length === 0 ? (
        <EmptyState title={empty.title}>{empty.text}</EmptyState>
      ) : (
        <ul className="flex flex-col gap-6">
          {reviews.map((moderated) => (
            <ModeratedEntry
              key={moderated.review.id}
              moderated={moderated}
              onDecide={(decision) => {
                setDone(null);
                ask({ id: moderated.review.id, decision });
              }}
            />
          ))}
        </ul>
      )}
      {asked && (
        <DecisionDialog
          reviewId={asked.id}
          decision={asked.decision}
          onDone={(text) => {
            ask(null);
            setDone(text);
          }}
          onClose={() => ask(null)}
        />
      )}
    </>
  );
}

interface ModeratedEntryProps {
  moderated: ModeratedReview;
  onDecide: (decision: Decision) => void;
}

/** A review with its reports. The page knows neither the author nor the reporters. */
function ModeratedEntry({ moderated, onDecide }: ModeratedEntryProps) {
  const { review, reports } = moderated;
  return (
    <li className="curb-rule pt-6 pb-4">
      {review.removed_reason !== null && (
        <p className="max-w-[42rem]">
          <Badge tone="solid">{reports.length > 0 ? 'Hidden until you decide' : 'Removed'}</Badge>{' '}
          Reason given to the author: {review.removed_reason}
        </p>
      )}
      {reports.length > 0 && <Reports reports={reports} />}
      <div className="mt-6">
        <ReviewCard
          review={review}
          isExpanded
          actions={
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
            </div>
          }
        />
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
          // biome-ignore lint/suspicious/noArrayIndexKey: a report has no id, since that could reveal the reporter
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
