import { useState } from 'react';
import { APPEAL_MAX } from '#contract/limits.ts';
import { DECISION_SOURCES, REVIEW_RULES, ruleAnchor } from '#contract/review-rules.ts';
import { AppealRequest, type OwnDecision } from '#contract/reviews/review-appeals.ts';
import type { OwnReview } from '#contract/reviews/reviews.ts';
import { Form } from '#web/form/form.tsx';
import { formatCount, formatLongDate } from '#web/lib/format.ts';
import { Link } from '#web/lib/link.tsx';
import { paths } from '#web/lib/paths.ts';
import { useWrite } from '#web/lib/write.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Button } from '#web/ui/button.tsx';
import { ownReviewWrites } from './own-reviews.tsx';

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

/** Opens on demand. */
function AppealForm({ reviewId, until }: { reviewId: string; until: string }) {
  const [isOpen, setOpen] = useState(false);
  const { send, error } = useWrite(ownReviewWrites, 'appeal');

  if (!isOpen) {
    return (
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <p>You can appeal once, until {formatLongDate(until)}.</p>
        <Button variant="secondary" size="sm" onClick={() => setOpen(true)}>
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
      error={error}
      onSubmit={(body) => send({ params: { id: reviewId }, body })}
      onCancel={() => setOpen(false)}
      form={{ className: 'flex flex-col gap-4' }}
    />
  );
}

/** The only place where the author learns about a moderator's decision. */
export function DecisionNotice({ review }: { review: OwnReview }) {
  const texts = decisionTexts(review);
  if (texts === null) return null;
  const { headline, reason, next, decision } = texts;
  return (
    <Banner tone="info">
      <div className="flex max-w-[42rem] flex-col gap-2">
        <p className="font-semibold">{headline}</p>
        {reason && <p className="whitespace-pre-line">{reason}</p>}
        {decision && <Grounds decision={decision} />}
        {decision?.appeal && <Appeal appeal={decision.appeal} />}
        {next.map((text) => (
          <p key={text}>{text}</p>
        ))}
        {decision?.appeal_until && (
          <AppealForm reviewId={review.id} until={decision.appeal_until} />
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

function Appeal({
  appeal: { text, outcome, answer, answered_on },
}: {
  appeal: NonNullable<OwnDecision['appeal']>;
}) {
  return (
    <>
      {answered_on === null ? (
        <p>Your appeal is waiting for a moderator.</p>
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
