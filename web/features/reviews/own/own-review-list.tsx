import { Eye, PenLine, Send, Trash2, Undo2 } from 'lucide-react';
import { type ReactNode, type Ref, useState } from 'react';
import { DEMAND_KINDS, DEMAND_OUTCOMES } from '#contract/legal-demands/legal-demand-choices.ts';
import type { OwnLegalDemand } from '#contract/legal-demands/legal-demands.ts';
import { APPEAL_MAX } from '#contract/limits.ts';
import { titleCase } from '#contract/names.ts';
import { DECISION_SOURCES, REVIEW_RULES, ruleAnchor } from '#contract/review-rules.ts';
import { AppealRequest, type OwnDecision } from '#contract/reviews/review-appeals.ts';
import type { OwnReview } from '#contract/reviews/reviews.ts';
import { ReviewCard } from '#web/features/reviews/review-card.tsx';
import { Form } from '#web/form/form.tsx';
import { formatCount, formatLongDate, formatMinute } from '#web/lib/format.ts';
import { Link } from '#web/lib/link.tsx';
import { paths } from '#web/lib/paths.ts';
import { useWrite } from '#web/lib/write.ts';
import { Banner, focusOn } from '#web/ui/banner.tsx';
import { Button, buttonClass } from '#web/ui/button.tsx';
import { type OwnReviewQuestion, ownReviewWrites } from './own-reviews.tsx';

interface DecisionTexts {
  headline: string;
  /** The reason, or a note from the moderator. */
  reason: string | null;
  /** What the author can do, or no longer do. */
  next: readonly string[];
  /** The decision behind it; null if there is none yet. */
  decision: OwnDecision | null;
}

/**
 * What happened to a review, in words for its author. Null if no moderator has changed anything.
 */
export function decisionTexts({
  removed_reason,
  decision,
}: Pick<OwnReview, 'removed_reason' | 'decision'>): DecisionTexts | null {
  if (removed_reason === null) return decision ? publicTexts(decision) : null;
  const isInForce = decision && decision.outcome !== 'restore' && !isOverturned(decision);
  return isInForce ? hiddenTexts(decision) : WAITING;
}

const WAITING: DecisionTexts = {
  headline: 'Hidden until a moderator has looked at it. Only you can see this review.',
  reason: null,
  next: [],
  decision: null,
};

const isOverturned = ({ appeal }: OwnDecision) => appeal?.outcome === 'overturn';

function publicTexts(decision: OwnDecision): DecisionTexts {
  const { outcome, note } = decision;
  if (!isOverturned(decision)) {
    return {
      headline: 'Restored by a moderator. This review is public again.',
      reason: note === '' ? null : `Note: ${note}`,
      next: [],
      decision,
    };
  }
  return {
    headline: 'Your appeal succeeded. This review is public again.',
    reason: `It was ${outcome === 'hold' ? 'hidden' : 'removed'} for this reason: ${note}`,
    next: [],
    decision,
  };
}

function hiddenTexts(decision: OwnDecision): DecisionTexts {
  const { note, may_edit, awaits_moderator, appeal, appeal_until } = decision;
  const isHeld = decision.outcome === 'hold';
  const isTooLate = !awaits_moderator && appeal === null && appeal_until === null;
  return {
    headline: hiddenHeadline(decision),
    reason: `Reason: ${note}`,
    next: [
      may_edit && 'You can edit it and submit it again. A moderator will then look at it again.',
      isHeld && appeal?.outcome === null && 'You can edit it once your appeal is decided.',
      isTooLate && 'The deadline to appeal has passed.',
    ].filter((text) => text !== false),
    decision,
  };
}

function hiddenHeadline({ outcome, may_edit, awaits_moderator }: OwnDecision): string {
  if (awaits_moderator) {
    return 'Resubmitted. Only you can see this review until a moderator has looked at it.';
  }
  if (may_edit) return 'Hidden by a moderator until you edit it. Only you can see this review.';
  return outcome === 'hold'
    ? 'Hidden by a moderator. Only you can see this review.'
    : 'Removed by a moderator. Only you can see this review.';
}

type Opened = 'never' | 'now' | 'before';

interface AppealFormProps {
  reviewId: string;
  until: string;
  opened: Opened;
  open: (opened: Opened) => void;
}

/** Opens on demand. */
function AppealForm({ reviewId, until, opened, open }: AppealFormProps) {
  const { send, error } = useWrite(ownReviewWrites, 'appeal');

  if (opened !== 'now') {
    return (
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <p>You can appeal once, until {formatLongDate(until)} (UTC).</p>
        <Button
          variant="secondary"
          size="sm"
          ref={opened === 'before' ? focusOn : null}
          onClick={() => open('now')}
        >
          Appeal this decision
        </Button>
      </div>
    );
  }
  return (
    <Form
      schema={AppealRequest}
      fields={[
        {
          name: 'text',
          label: 'Your appeal',
          hint: `Up to ${formatCount(APPEAL_MAX)} characters. A moderator will read it, without your name. Leave out anything that identifies you.`,
          kind: 'area',
          maxLength: APPEAL_MAX,
          // The button that had the focus is gone.
          takesFocus: true,
        },
      ]}
      action={{ text: 'Send appeal', size: 'sm' }}
      draft={`appeal:${reviewId}`}
      error={error}
      onSubmit={(body) => send({ params: { id: reviewId }, body })}
      onCancel={() => open('before')}
      form={{ className: 'flex flex-col gap-4' }}
    />
  );
}

/** The only place where the author learns about a moderator's decision. */
function DecisionNotice({ review }: { review: OwnReview }) {
  const [opened, open] = useState<Opened>('never');
  const texts = decisionTexts(review);
  if (texts === null) return null;
  const { headline, reason, next, decision } = texts;
  return (
    <Banner tone="info">
      <div className="flex max-w-[42rem] flex-col gap-2">
        <p className="font-semibold">{headline}</p>
        {reason && <p className="whitespace-pre-line">{reason}</p>}
        {decision && <Grounds decision={decision} />}
        {decision?.appeal && <Appeal appeal={decision.appeal} isNew={opened === 'now'} />}
        {next.map((text) => (
          <p key={text}>{text}</p>
        ))}
        {decision?.appeal_until && (
          <AppealForm
            reviewId={review.id}
            until={decision.appeal_until}
            opened={opened}
            open={open}
          />
        )}
      </div>
    </Banner>
  );
}

const Grounds = ({ decision: { rule, source, decided_on } }: { decision: OwnDecision }) => (
  <p>
    Decided on {formatLongDate(decided_on)}. Rule:{' '}
    <Link to={paths.guidelines(ruleAnchor(rule))} className="prose-link">
      {REVIEW_RULES[rule].name}
    </Link>
    . Found by: {DECISION_SOURCES[source]}.
  </p>
);

interface AppealProps {
  appeal: NonNullable<OwnDecision['appeal']>;
  /** It has just been sent, and its form is gone. */
  isNew: boolean;
}

function Appeal({ appeal: { text, outcome, answer, answered_on }, isNew }: AppealProps) {
  return (
    <>
      {answered_on === null ? (
        <p ref={isNew ? focusOn : null} tabIndex={-1} className="outline-none">
          Your appeal is waiting for a moderator.
        </p>
      ) : (
        <>
          <p>
            {`Your appeal ${outcome === 'uphold' ? 'was rejected' : 'succeeded'} on ${formatLongDate(answered_on)}. The answer:`}
          </p>
          <Quote>{answer}</Quote>
        </>
      )}
      <details>
        <summary className="cursor-pointer py-1">Your appeal</summary>
        <Quote>{text}</Quote>
      </details>
    </>
  );
}

const Quote = ({ children }: { children: string }) => (
  <blockquote className="border-l-3 border-control pl-4 whitespace-pre-line">{children}</blockquote>
);

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
