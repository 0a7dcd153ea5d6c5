import type { Quote } from '#contract/employer-comparison.ts';
import { Link } from '#web/lib/link.tsx';
import { paths } from '#web/lib/paths.ts';
import { Unknown } from './figure-cell.tsx';

interface QuoteCellProps {
  quote: Quote | null;
  kind: 'pro' | 'con';
  name: string;
}

/** An excerpt of a review, with a link to the whole review. */
export function QuoteCell({ quote, kind, name }: QuoteCellProps) {
  if (!quote) return <Unknown />;
  return (
    <>
      <q className="block max-w-72">{quote.excerpt}</q>
      <Link
        to={paths.review(quote.review_id)}
        className="prose-link inline-block py-1 text-xs print:hidden"
      >
        Read the review
        <span className="sr-only">
          {' '}
          with this {kind} about {name}
        </span>
      </Link>
    </>
  );
}
