import type { OwnDecision } from '#contract/review-appeals.ts';
import { DECISION_SOURCES, REVIEW_RULES, ruleAnchor } from '#contract/review-rules.ts';
import type { OwnReview } from '#contract/reviews.ts';
import { formatLongDate } from '#web/lib/format.ts';
import { Link } from '#web/lib/link.tsx';
import { paths } from '#web/lib/paths.ts';
import { Banner } from '#web/ui/banner.tsx';
import { AppealForm } from './appeal-form.tsx';
import { decisionTexts } from './decision-texts.ts';

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
