import { useState } from 'react';
import { DECISION_OUTCOMES, REVIEW_RULES } from '#contract/review-rules.ts';
import type { OpenAppeal } from '#contract/reviews/review-appeals.ts';
import { REPORT_REASONS } from '#contract/reviews/review-feedback.ts';
import type { ListedReview, ModeratedReview, Report } from '#contract/reviews/review-moderation.ts';
import { ReviewCard } from '#web/features/reviews/review-card.tsx';
import { formatLongDate, formatPeriod, plural } from '#web/lib/format.ts';
import { Link } from '#web/lib/link.tsx';
import { paths } from '#web/lib/paths.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Banner } from '#web/ui/banner.tsx';
import { Button, buttonClass } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import {
  awaitsDecision,
  DECISIONS,
  type Decision,
  DecisionDialog,
  decisionsFor,
} from './decision-dialog.tsx';

interface ModeratedListProps {
  reviews: readonly ListedReview[];
  /** Shown instead of an empty list. */
  empty: { title: string; text: string };
}

interface Asked {
  /** As it was listed. Since then, someone else may have decided its case, and it may be gone. */
  listed: ListedReview;
  decision: Decision;
}

/** Reviews with open reports, or removed ones. */
export function ModeratedList({ reviews, empty }: ModeratedListProps) {
  const [asked, ask] = useState<Asked | null>(null);
  const [done, setDone] = useState<string | null>(null);
  const moderated =
    reviews.find(({ review }) => review.id === asked?.listed.review.id) ?? asked?.listed;
  const finish = (text: string) => {
    ask(null);
    setDone(text);
  };

  return (
    <>
      {done && (
        <Banner tone="success" takesFocus className="mb-8">
          {done}
        </Banner>
      )}
      {reviews.length === 0 ? (
        <EmptyState title={empty.title}>{empty.text}</EmptyState>
      ) : (
        <ul className="flex flex-col gap-6">
          {reviews.map((listed) => (
            <li key={listed.review.id} className="curb-rule pt-6 pb-4">
              <ModeratedEntry
                moderated={listed}
                hasHistory
                onDecide={(decision) => {
                  setDone(null);
                  ask({ listed, decision });
                }}
              />
            </li>
          ))}
        </ul>
      )}
      {moderated && asked && (
        <DecisionDialog
          moderated={moderated}
          decision={asked.decision}
          caseId={asked.listed.case_id ?? undefined}
          onDone={finish}
          onClose={() => ask(null)}
        />
      )}
    </>
  );
}

interface ModeratedEntryProps {
  moderated: ModeratedReview;
  /** Without it, the entry offers no decisions. */
  onDecide?: (decision: Decision) => void;
  /** Links to the page with the reply and the earlier decisions. */
  hasHistory?: boolean;
}

/** A review with its reports. The page knows neither the author nor the reporters. */
export function ModeratedEntry({ moderated, onDecide, hasHistory = false }: ModeratedEntryProps) {
  const { review, reports, is_resubmitted, is_edited, is_held, appeal } = moderated;
  return (
    <div>
      {review.removed_reason !== null && (
        <p className="max-w-[42rem]">
          <Badge tone="solid">
            {awaitsDecision(moderated) ? 'Hidden until you decide' : is_held ? 'Held' : 'Removed'}
          </Badge>{' '}
          Reason given to the author: {review.removed_reason}
        </p>
      )}
      {is_resubmitted && <Resubmitted />}
      {is_edited && <Edited by="author" />}
      {reports.length > 0 && <Reports reports={reports} />}
      {appeal && <AppealText appeal={appeal} />}
      {/* If there is nothing above it, the card needs no divider. */}
      <div className="mt-6 first:mt-0 first:*:border-t-0 first:*:pt-0">
        <ReviewCard
          review={review}
          isExpanded
          actions={
            onDecide !== undefined && (
              <div className="flex flex-wrap gap-3">
                {appeal && (
                  <Button size="sm" onClick={() => onDecide('appeal')}>
                    Decide appeal
                  </Button>
                )}
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
                {hasHistory && (
                  <Link
                    to={paths.adminReview(review.id)}
                    className={buttonClass('secondary', 'sm')}
                  >
                    Reply and history
                  </Link>
                )}
              </div>
            )
          }
        />
      </div>
    </div>
  );
}

/** The author's appeal, and the decision that it is about. */
function AppealText({ appeal: { text, decision } }: { appeal: OpenAppeal }) {
  return (
    <section className="mt-4 max-w-[42rem]">
      <h3 className="label-caps text-ink-faint">Appeal</h3>
      <p className="mt-2 border-l-3 border-control pl-4 whitespace-pre-line wrap-anywhere">
        {text}
      </p>
      <p className="mt-2 text-sm text-ink-faint">
        Against: {DECISION_OUTCOMES[decision.outcome]} on {formatLongDate(decision.decided_on)}.
        Rule: {REVIEW_RULES[decision.rule].name}.
      </p>
    </section>
  );
}

/** The reports may be about a text that is no longer there. */
export const Edited = ({ by }: { by: 'author' | 'employer' }) => (
  <p className="mb-4">
    <Badge tone="accent">Edited since it was reported</Badge> The {by} has changed the text.
  </p>
);

const Resubmitted = () => (
  <section className="mt-4">
    <h3 className="label-caps text-ink-faint">Resubmitted</h3>
    <p className="mt-2">The author has edited this review and asks to publish it.</p>
  </section>
);

interface ReportsProps {
  reports: readonly Report[];
  /** Of a reply: its likeliest reporter is the author of the review, so only the month is stored. */
  isByMonth?: boolean;
}

export function Reports({ reports, isByMonth = false }: ReportsProps) {
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
                · {formatPeriod(report.reported_on, isByMonth ? 'month' : 'day')}
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
