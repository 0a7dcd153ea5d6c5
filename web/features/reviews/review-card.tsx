import { Check, X } from 'lucide-react';
import { type ReactNode, useId, useState } from 'react';
import { Link } from 'react-router';
import { titleCase } from '#contract/names.ts';
import type { Review } from '#contract/reviews.ts';
import { categoryRatings } from '#web/lib/category-ratings.ts';
import { formatLocation } from '#web/lib/format.ts';
import { paths } from '#web/lib/paths.ts';
import { cx } from '#web/ui/cx.ts';
import { RatingList } from '#web/ui/rating-list.tsx';
import { Stars } from '#web/ui/stars.tsx';
import { RelativeTime } from './relative-time.tsx';

interface ReviewCardProps {
  review: Review;
  /** Always open, without 'Read more' (dashboard, My Reviews, employer detail). */
  isExpanded?: boolean;
  /** The path of the list it stands in, where the employer's page can lead back to. */
  from?: string;
  /** Edit and delete, for the author. */
  actions?: ReactNode;
}

/** An entry of the journal: the facts in the margin, the text beside them. */
export function ReviewCard({ review, isExpanded = false, from, actions }: ReviewCardProps) {
  const [isOpen, setOpen] = useState(isExpanded);
  const moreId = useId();
  const hasMore = Boolean(review.pros || review.cons || review.overall_experience);
  return (
    <article className="grid gap-x-12 gap-y-4 border-t border-rule py-8 md:grid-cols-[13rem_1fr]">
      <Margin review={review} />
      <div className="flex min-w-0 flex-col gap-4">
        <EmployerLine employer={review.employer} from={from} />
        <p className="max-w-[42rem] whitespace-pre-line">{review.review_text}</p>
        <div className="max-w-[42rem]">
          <RatingList ratings={categoryRatings(review)} />
        </div>
        {hasMore && (
          <div id={moreId} className={cx(!isOpen && 'hidden noscript:block')}>
            <More review={review} />
          </div>
        )}
        <div className="flex flex-wrap items-center gap-x-6 gap-y-2 empty:hidden">
          {hasMore && !isExpanded && (
            <button
              type="button"
              aria-expanded={isOpen}
              aria-controls={moreId}
              onClick={() => setOpen(!isOpen)}
              className="prose-link py-1 text-sm noscript:hidden"
            >
              {isOpen ? 'Read less' : 'Read more'}
            </button>
          )}
          {actions}
        </div>
      </div>
    </article>
  );
}

function Margin({ review }: { review: Review }) {
  const Mark = review.would_recommend ? Check : X;
  return (
    <div className="flex flex-col gap-1 text-sm text-ink-soft">
      <Stars rating={review.overall_rating} size="lg" className="mb-1" />
      <p className="font-semibold text-ink">{titleCase(review.position_title)}</p>
      {review.specialty && <p>{review.specialty}</p>}
      <p>
        {review.start_year}–{review.is_current_employee ? 'present' : review.end_year}
      </p>
      <p className="flex items-center gap-1.5">
        <Mark aria-hidden className={cx('size-4', review.would_recommend && 'text-accent')} />
        {review.would_recommend ? 'Would recommend' : 'Would not recommend'}
      </p>
      <p className="text-xs text-ink-faint">
        <RelativeTime dateTime={review.created_at} />
      </p>
    </div>
  );
}

function EmployerLine({
  employer,
  from,
}: {
  employer: Review['employer'];
  from: string | undefined;
}) {
  return (
    <header>
      <h3 className="font-display text-xl text-balance">
        <Link
          to={paths.employer(employer.id)}
          state={from ? { from } : undefined}
          className="decoration-accent decoration-1 underline-offset-4 hover:underline"
        >
          {titleCase(employer.name)}
        </Link>
      </h3>
      <p className="text-sm text-ink-soft">{formatLocation(employer)}</p>
    </header>
  );
}

function More({ review }: { review: Review }) {
  const parts = [
    ['Pros', review.pros],
    ['Cons', review.cons],
    ['Overall experience', review.overall_experience],
  ] as const;
  return (
    <dl className="flex max-w-[42rem] flex-col gap-4">
      {parts.map(
        ([term, text]) =>
          text && (
            <div key={term}>
              <dt className="label-caps text-ink-faint">{term}</dt>
              <dd className="whitespace-pre-line">{text}</dd>
            </div>
          ),
      )}
    </dl>
  );
}
