import { Eye, PenLine, Send, Trash2, Undo2 } from 'lucide-react';
import type { ReactNode, Ref } from 'react';
import { DEMAND_KINDS, DEMAND_OUTCOMES } from '#contract/legal-demands/legal-demand-choices.ts';
import type { OwnLegalDemand } from '#contract/legal-demands/legal-demands.ts';
import { titleCase } from '#contract/names.ts';
import type { OwnReview } from '#contract/reviews/reviews.ts';
import { ReviewCard } from '#web/features/reviews/review-card.tsx';
import { formatLongDate, formatMinute } from '#web/lib/format.ts';
import { Link } from '#web/lib/link.tsx';
import { paths } from '#web/lib/paths.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Button, buttonClass } from '#web/ui/button.tsx';
import { DecisionNotice } from './decision-notice.tsx';
import type { OwnReviewQuestion } from './own-reviews.tsx';

/** The only place where the author learns about legal demands concerning a review. */
function LegalNotice({ review: { legal_demands = [] } }: { review: OwnReview }) {
  if (legal_demands.length === 0) return null;
  return (
    <Banner tone="info">
      <div className="flex max-w-[42rem] flex-col gap-2">
        <p className="font-semibold">
          {legal_demands.length === 1
            ? 'We received a legal demand about this review.'
            : 'We received legal demands about this review.'}
        </p>
        {legal_demands.map((demand, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two demands may be alike, and hold no state
          <p key={place}>{toText(demand)}</p>
        ))}
        <p>
          We show you this without looking up who wrote the review.{' '}
          <Link to={paths.legalDemands()} className="prose-link">
            What we hold, and what we cannot hand over
          </Link>
        </p>
      </div>
    </Banner>
  );
}

function toText({ kind, received_on, outcome, decided_on }: OwnLegalDemand): string {
  const received = `${DEMAND_KINDS[kind]}, received on ${formatLongDate(received_on)}.`;
  if (outcome === null || decided_on === null) return `${received} Outcome: pending.`;
  return `${received} Outcome on ${formatLongDate(decided_on)}: ${DEMAND_OUTCOMES[outcome]}.`;
}

interface OwnReviewListProps {
  reviews: readonly OwnReview[];
  onAsk: (asked: OwnReviewQuestion) => void;
  /** The review that was just written. */
  newest?: { id: string | undefined; ref: Ref<HTMLLIElement> };
}

/** The user's own reviews, expanded, each with its actions. */
export function OwnReviewList({ reviews, onAsk, newest }: OwnReviewListProps) {
  return (
    <ul>
      {reviews.map((review) => (
        <li
          key={review.id}
          ref={newest && newest.id === review.id ? newest.ref : null}
          className="scroll-mt-32"
        >
          <div className="flex flex-col gap-3 pt-8 empty:hidden">
            <DecisionNotice review={review} />
            <LegalNotice review={review} />
            {review.status !== 'published' && <ScheduledNotice review={review} />}
          </div>
          <ReviewCard
            review={review}
            isExpanded
            actions={<Actions {...{ review, onAsk }} />}
            when={review.status === 'published' ? null : <WhenScheduled review={review} />}
          />
        </li>
      ))}
    </ul>
  );
}

/** Shown above a review that is not public yet. */
function ScheduledNotice({ review: { status } }: { review: OwnReview }) {
  return (
    <Banner tone="info">
      {status === 'held' ? (
        <>
          <p className="font-semibold">Not published. Only you can see this review.</p>
          <p>
            You may already have a review of this employer in this position, this one may contain
            patient or contact details, or the employer may have been removed from the directory.
            Edit it to schedule it again, or withdraw it.
          </p>
        </>
      ) : (
        <>
          <p className="font-semibold">Scheduled. Only you can see this review.</p>
          <p>Until it goes live, you can edit it, publish it now, or withdraw it.</p>
        </>
      )}
    </Banner>
  );
}

const WhenScheduled = ({ review: { status, created_at } }: { review: OwnReview }) =>
  status === 'held' ? (
    <span>Not published</span>
  ) : (
    <span key="time">
      Goes live <time dateTime={created_at}>{formatMinute(created_at)}</time>
    </span>
  );

function Actions({ review, onAsk }: Pick<OwnReviewListProps, 'onAsk'> & { review: OwnReview }) {
  const { id, status, removed_reason, employer, decision } = review;
  const isScheduled = status !== 'published';
  // A review that a moderator removed can only be deleted (`review_removed`), unless it is held.
  const isRemoved = removed_reason !== null;
  const about = <span className="sr-only"> review of {titleCase(employer.name)}</span>;
  const ask = (write: OwnReviewQuestion['write']) => () => onAsk({ reviewId: id, write });
  return (
    <div className="-ml-3 flex flex-wrap gap-x-1">
      {(!isRemoved || decision?.may_edit) && (
        <Action to={paths.editReview(id)}>
          <PenLine aria-hidden className="size-4" />
          <span>Edit{about}</span>
        </Action>
      )}
      {status === 'scheduled' && (
        <Button variant="quiet" size="sm" onClick={ask('publish')}>
          <Send aria-hidden className="size-4" />
          <span>Publish now{about}</span>
        </Button>
      )}
      <Button variant="quiet" size="sm" onClick={ask(isScheduled ? 'takeBack' : 'delete')}>
        {isScheduled ? (
          <Undo2 aria-hidden className="size-4" />
        ) : (
          <Trash2 aria-hidden className="size-4" />
        )}
        <span>
          <span>{isScheduled ? 'Withdraw' : 'Delete'}</span>
          {about}
        </span>
      </Button>
      {!isRemoved && !isScheduled && (
        <Action to={paths.review(id)}>
          <Eye aria-hidden className="size-4" />
          <span>View{about}</span>
        </Action>
      )}
    </div>
  );
}

const Action = ({ to, children }: { to: string; children: ReactNode }) => (
  <Link to={to} className={buttonClass('quiet', 'sm')}>
    {children}
  </Link>
);
