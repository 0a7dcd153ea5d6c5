import { DEMAND_KINDS, DEMAND_OUTCOMES } from '#contract/legal-demands/legal-demand-choices.ts';
import type { LegalDemand } from '#contract/legal-demands/legal-demands.ts';
import { titleCase } from '#contract/names.ts';
import { formatLongDate } from '#web/lib/format.ts';
import { Link } from '#web/lib/link.tsx';
import { paths } from '#web/lib/paths.ts';
import { Facts } from '#web/ui/facts.tsx';
import { DemandDocument } from './demand-document.tsx';

/** What the office knows about a demand. The office does not know who wrote the review. */
export function DemandFacts({ demand }: { demand: LegalDemand }) {
  const { kind, received_on, jurisdiction, outcome, decided_on, review, is_gagged } = demand;
  const { sender, docket, due_on } = demand;
  return (
    <Facts
      facts={[
        { term: 'Kind', value: DEMAND_KINDS[kind] },
        { term: 'Received on', value: formatLongDate(received_on) },
        { term: 'Sender', value: sender || 'Not given' },
        { term: 'Docket number', value: docket || 'Not given' },
        { term: 'Due on', value: due_on ? formatLongDate(due_on) : 'Not given' },
        { term: 'Document', value: <DemandDocument demand={demand} /> },
        { term: 'Jurisdiction', value: jurisdiction || 'Not given' },
        { term: 'Review', value: review ? <ReviewName review={review} /> : 'None, or deleted' },
        ...(review
          ? [
              {
                term: 'Author',
                value: is_gagged ? 'Must not be told' : 'Sees it on the dashboard',
              },
            ]
          : []),
        {
          term: 'Outcome',
          value:
            outcome === null || decided_on === null
              ? 'Pending'
              : `${DEMAND_OUTCOMES[outcome]}, ${formatLongDate(decided_on)}`,
        },
      ]}
    />
  );
}

function ReviewName({ review }: { review: NonNullable<LegalDemand['review']> }) {
  const name = `${titleCase(review.position_title)}, ${titleCase(review.employer)}`;
  if (!review.is_public) return <span>{name} (not public)</span>;
  return (
    <Link to={paths.review(review.id)} className="prose-link">
      {name}
    </Link>
  );
}
