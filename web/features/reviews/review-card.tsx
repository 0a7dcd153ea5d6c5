import { Check, X } from 'lucide-react';
import { type ReactNode, useId, useState } from 'react';
import { titleCase } from '#contract/names.ts';
import { CATEGORIES, CUSTOM_EMPLOYER_ID, REVIEW_TEXTS } from '#contract/review-choices.ts';
import type { Review } from '#contract/reviews/reviews.ts';
import { formatLocation, formatLongDate, formatMonth, relativeAge } from '#web/lib/format.ts';
import { type Ratings, ratingOf } from '#web/lib/legacy-ratings.ts';
import { Link } from '#web/lib/link.tsx';
import { paths } from '#web/lib/paths.ts';
import { useSession } from '#web/lib/session.ts';
import { useHydrated } from '#web/lib/store.ts';
import { cx } from '#web/ui/cx.ts';
import { Stars } from '#web/ui/stars.tsx';
import { CardFeedback, ReportDialog } from './feedback/card-feedback.tsx';

/** The ratings of a review, in the order of the form. Immigration support is optional. */
export function categoryRatings(ratings: Ratings): { label: string; rating: number }[] {
  return CATEGORIES.flatMap(([category, label]) => {
    const rating = ratingOf(ratings, category);
    return rating ? [{ label, rating }] : [];
  });
}

/**
 * Laid out like a table of contents: the category, leader dots, stars, and the number. CSS draws the
 * dots and the number: a page has hundreds of them.
 */
function CategoryRatings({ review }: { review: Ratings }) {
  return (
    <dl className="rating-list">
      {categoryRatings(review).map(({ label, rating }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd data-value={rating}>
            <Stars rating={rating} size="sm" />
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** The page may come from a cache, so the browser computes the age again after hydration. */
function RelativeTime({ dateTime }: { dateTime: string }) {
  const isHydrated = useHydrated();
  return (
    <time key={String(isHydrated)} dateTime={dateTime} suppressHydrationWarning>
      {relativeAge(dateTime, new Date())}
    </time>
  );
}

interface ReviewCardProps {
  review: Review;
  /** Always expanded, without 'Read more' (dashboard, My Reviews, employer page). */
  isExpanded?: boolean;
  /** The path of the list with this card. The employer's page links back to it. */
  from?: string;
  /**
   * Replaces a reader's actions, for example with edit and delete for the author. `false` shows
   * none.
   */
  actions?: ReactNode;
  /** Replaces the age and the link to the review's page, which does not exist yet. */
  when?: ReactNode;
  /** For the employer's own page: leads with the position, and shows the employer by the date. */
  leadsWithPosition?: boolean;
  /** How to show a text, for a list that marks some words. */
  renderText?: (text: string) => ReactNode;
  /** Ids of the expanded reviews, kept for when the user leaves the list and returns. */
  opened?: Set<string>;
}

/** A review, with the facts in the margin and the text next to them. */
export function ReviewCard({
  review,
  isExpanded = false,
  from,
  actions,
  when,
  leadsWithPosition = false,
  renderText = asIs,
  opened,
}: ReviewCardProps) {
  const [isOpen, setOpen] = useState(isExpanded || Boolean(opened?.has(review.id)));
  const id = useId();
  const more = moreOf(review);

  function toggle() {
    setOpen(!isOpen);
    if (isOpen) opened?.delete(review.id);
    else opened?.add(review.id);
  }

  return (
    <article
      aria-label={nameOf(review)}
      className="grid gap-x-12 gap-y-4 border-t border-rule py-8 wrap-anywhere md:grid-cols-[13rem_1fr]"
    >
      <Margin review={review} when={when ?? <Age review={review} />} isOnPage={leadsWithPosition} />
      <div className="flex min-w-0 flex-col gap-4">
        {leadsWithPosition ? (
          <PositionLine review={review} />
        ) : (
          <EmployerLine employer={review.employer} from={from} />
        )}
        <p className="max-w-[42rem] whitespace-pre-line lining-nums">
          {renderText(review.review_text)}
        </p>
        <div className="max-w-[42rem]">
          <CategoryRatings review={review} />
        </div>
        {more.length > 0 && (
          <div id={`${id}-more`} className={cx(!isOpen && 'hidden noscript:block')}>
            <More texts={more} renderText={renderText} />
          </div>
        )}
        {more.length > 0 && !isExpanded && (
          <button
            type="button"
            aria-expanded={isOpen}
            aria-controls={`${id}-more`}
            onClick={toggle}
            className="prose-link self-start py-1 text-sm noscript:hidden"
          >
            {isOpen ? 'Read less' : 'Read more'}
          </button>
        )}
        <ReviewReply review={review} canReport={actions === undefined} />
        {actions ?? <CardFeedback review={review} />}
      </div>
    </article>
  );
}

/**
 * 'Cardiologist, 2 of 5 stars, November 2026'. Helps screen reader users tell the cards of a list
 * apart.
 */
const nameOf = ({ position_title, overall_rating, created_at }: Review) =>
  `${titleCase(position_title)}, ${overall_rating} of 5 stars, ${formatMonth(created_at)}`;

interface MarginProps {
  review: Review;
  when: ReactNode;
  /** On the employer's own page. */
  isOnPage: boolean;
}

/** Two or three lines on a phone, where it is above the text. */
function Margin({ review, when, isOnPage }: MarginProps) {
  const { overall_rating, would_recommend, employer, position_title, specialty } = review;
  const Mark = would_recommend ? Check : X;
  return (
    <div className="text-sm text-ink-soft lining-nums max-md:text-xs md:flex md:flex-col md:gap-1">
      <p className="md:mb-1">
        <Stars rating={overall_rating} className="text-sm!" />
        <span aria-hidden className="mx-1.5 text-base font-semibold text-ink max-md:text-sm">
          {overall_rating}
        </span>{' '}
        <span className="text-xs text-ink-faint">{when}</span>
        {isOnPage && (
          <span className="text-xs text-ink-faint max-md:before:content-['_·_'] md:block print:inline print:before:content-['_·_']">
            <Link
              to={paths.employer(employer.id)}
              className="py-1.5 underline-offset-4 hover:underline"
            >
              {titleCase(employer.name)}
            </Link>
            {employer.city && <span>, {formatLocation(employer)}</span>}
          </span>
        )}
      </p>
      <div className="max-md:*:inline max-md:*:not-first:before:content-['_·_'] md:flex md:flex-col md:gap-1">
        {!isOnPage && <p className="font-semibold text-ink">{titleCase(position_title)}</p>}
        {!isOnPage && specialty && <p>{specialty}</p>}
        <p>{`${review.start_year}–${review.is_current_employee ? 'present' : review.end_year}`}</p>
        <p>
          <Mark
            aria-hidden
            className={cx(
              'mr-1 inline size-3.5 align-[-0.125em] md:mr-1.5 md:size-4',
              would_recommend && 'text-accent',
            )}
          />
          <span>{would_recommend ? 'Would recommend' : 'Would not recommend'}</span>
        </p>
      </div>
    </div>
  );
}

const Age = ({ review }: { review: Review }) => (
  <Link
    to={paths.review(review.id)}
    className="inline-flex min-h-6 items-center underline-offset-4 hover:underline"
  >
    <span className="sr-only">Link to this review, </span>
    <RelativeTime dateTime={review.created_at} />
  </Link>
);

const PositionLine = ({ review }: { review: Review }) => (
  <header>
    <h3 className="font-display text-xl text-balance">{titleCase(review.position_title)}</h3>
    {review.specialty && <p className="text-sm text-ink-soft">{review.specialty}</p>}
  </header>
);

function EmployerLine({
  employer,
  from,
}: {
  employer: Review['employer'];
  from: string | undefined;
}) {
  const location = formatLocation(employer);
  return (
    <header>
      <h3 className="font-display text-xl text-balance">
        {employer.id === CUSTOM_EMPLOYER_ID ? (
          titleCase(employer.name)
        ) : (
          <Link
            to={paths.employer(employer.id)}
            state={from ? { from } : undefined}
            className="decoration-accent decoration-1 underline-offset-4 hover:underline"
          >
            {titleCase(employer.name)}
          </Link>
        )}
      </h3>
      {location && <p className="text-sm text-ink-soft">{location}</p>}
    </header>
  );
}

const { review_text: _, ...MORE_TEXTS } = {
  ...REVIEW_TEXTS,
  overall_experience: 'Overall experience',
};

/** What the card shows once it is expanded: labels and texts. */
const moreOf = (review: Review) =>
  (Object.keys(MORE_TEXTS) as (keyof typeof MORE_TEXTS)[]).flatMap((field) => {
    const text = review[field];
    return text ? [[MORE_TEXTS[field], text] as const] : [];
  });

interface MoreProps extends Pick<Required<ReviewCardProps>, 'renderText'> {
  texts: ReturnType<typeof moreOf>;
}

const More = ({ texts, renderText }: MoreProps) => (
  <dl className="flex max-w-[42rem] flex-col gap-4">
    {texts.map(([term, text]) => (
      <div key={term} className="print:*:inline">
        <dt className="label-caps text-ink-faint print:mr-1.5">{term}</dt>
        <dd className="whitespace-pre-line lining-nums">{renderText(text)}</dd>
      </div>
    ))}
  </dl>
);

const asIs = (text: string) => text;

interface ReviewReplyProps {
  review: Review;
  /** True for readers. The page must then have the write for reports. */
  canReport: boolean;
}

/** The employer's reply, labeled and below the review. It names no person. */
function ReviewReply({ review, canReport }: ReviewReplyProps) {
  const { user } = useSession();
  const [isReporting, setReporting] = useState(false);
  const { reply, employer } = review;
  if (!reply) return null;
  const name = titleCase(employer.name);
  return (
    // No landmark: a page may have several replies from one employer.
    // biome-ignore lint/a11y/useSemanticElements: it has no fields
    <div
      role="group"
      aria-label={`Reply from ${name}`}
      className="flex max-w-[42rem] flex-col gap-2 border-l-3 border-control bg-sunken px-4 py-3"
    >
      <h4 className="text-sm font-semibold text-balance">Reply from {name}’s representative</h4>
      <p className="whitespace-pre-line lining-nums">{reply.text}</p>
      <div className="flex flex-wrap items-center gap-x-3 text-xs text-ink-faint">
        <span className="lining-nums">{formatLongDate(reply.replied_on)}</span>
        {canReport && user && !user.is_representative && (
          <button type="button" onClick={() => setReporting(true)} className="entry-action">
            Report reply
          </button>
        )}
      </div>
      {isReporting && (
        <ReportDialog
          reviewId={review.id}
          what="reply"
          about={name}
          onClose={() => setReporting(false)}
        />
      )}
    </div>
  );
}
