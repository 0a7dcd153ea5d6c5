import { DEMAND_KINDS, DEMAND_OUTCOMES } from '#contract/legal-demand-choices.ts';
import type { OwnLegalDemand } from '#contract/legal-demands.ts';
import type { OwnReview } from '#contract/reviews.ts';
import { formatLongDate } from '#web/lib/format.ts';
import { Link } from '#web/lib/link.tsx';
import { paths } from '#web/lib/paths.ts';
import { Banner } from '#web/ui/banner.tsx';

/** The only place where the author learns about legal demands concerning a review. */
export function LegalNotice({ review: { legal_demands = [] } }: { review: OwnReview }) {
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
