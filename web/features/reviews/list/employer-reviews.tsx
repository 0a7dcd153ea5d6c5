import type { ReactNode } from 'react';
import { memo, useCallback, useState } from 'react';
import { CONCERNS } from '#contract/concerns.ts';
import { employerEndpoints } from '#contract/endpoints/employers.ts';
import { EMPLOYER_REVIEWS_PAGE_SIZE } from '#contract/limits.ts';
import type { EmployerReviewPage, Review } from '#contract/reviews/reviews.ts';
import { ReviewCard } from '#web/features/reviews/review-card.tsx';
import { useFindOnReturn } from '#web/lib/after-sign-in.ts';
import { plural } from '#web/lib/format.ts';
import { paths } from '#web/lib/paths.ts';
import { api } from '#web/lib/session.ts';
import { useStore } from '#web/lib/store.ts';
import { CriteriaLink } from '#web/listing/chosen-filters.tsx';
import type { Criteria } from '#web/listing/criteria.ts';
import { useKeepOnLeave, useMorePages } from '#web/listing/kept-lists.ts';
import { type Answer, createPages, PagedList } from '#web/listing/pages.tsx';
import { ClosestNote } from '#web/listing/search-line.tsx';
import type { ListForm } from '#web/listing/use-list-form.ts';
import { EmptyState } from '#web/ui/empty-state.tsx';

/** A text in which these words and phrases are marked. */
const markedText = (text: string, words: readonly string[]): ReactNode =>
  words.length === 0
    ? text
    : partsOf(text, words).map((part, at) =>
        at % 2 === 0 ? (
          part
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: a text keeps its parts
          <mark key={at} className="bg-accent-wash text-ink">
            {part}
          </mark>
        ),
      );

/**
 * The parts of a text; every second one is one of the words or phrases. Like the database, it ignores
 * case, and what is between the words of a phrase.
 */
export function partsOf(text: string, words: readonly string[]): string[] {
  const phrases = words.map((phrase) => phrase.split(' '));
  // Every second one is a word.
  const told = text.split(/([\p{L}\p{N}]+)/u);
  const parts = [''];
  for (let at = 0; at < told.length; at += 1) {
    const found = phrases.find((phrase) =>
      phrase.every((word, nth) => word === told[at + 2 * nth]?.toLowerCase()),
    );
    const length = found ? 2 * found.length - 1 : 1;
    const part = told.slice(at, at + length).join('');
    if (found) parts.push(part, '');
    else parts.push(parts.pop() + part);
    at += length - 1;
  }
  return parts;
}

interface EmployerReviewsProps {
  employerId: number;
  answer: Answer<Review>;
  /** The number of the first page. */
  page: number;
  criteria: Criteria;
  form: ListForm;
  /** The id of the heading of the reviews, which gets the focus. */
  headingId: string;
  /** The concerns that the search names, and the number of reviews that mention each. */
  concerns: NonNullable<EmployerReviewPage['concerns']>;
  /** The words and phrases of the concern that filters the reviews. */
  marked: readonly string[];
  /** Returns what the Back button restores, with all pages. */
  keep: (answer: Answer<Review>) => unknown;
}

/** The reviews of one employer. Its `key` must change with the criteria. */
export function EmployerReviews(props: EmployerReviewsProps) {
  const { employerId, answer, page, criteria, concerns, marked, keep } = props;
  const [pages] = useState(() => createPages<Review>(answer));
  const renderText = useCallback((text: string) => markedText(text, marked), [marked]);
  const state = useStore(pages, (current) => current);
  useFindOnReturn(state.items, state.isLoading);
  useKeepOnLeave(() => keep({ pages: pages.get().pages, failure: null }));
  const onLoadMore = useMorePages(
    () =>
      pages.loadMore((loaded) =>
        api.call(employerEndpoints.reviews, {
          params: { id: employerId },
          query: { ...criteria, page: page + loaded, page_size: EMPLOYER_REVIEWS_PAGE_SIZE },
        }),
      ),
    () => pages.get().pages.length,
  );
  const more = concerns.filter(({ count }) => count > (state.count ?? 0));
  const moreOnTopic = more.length > 0 && <MoreOnTopic {...props} concerns={more} />;
  const backToFirst = page > 1 && (
    <a href={paths.employer(employerId, criteria)} className="prose-link mb-4 inline-block text-sm">
      Back to the first reviews
    </a>
  );
  if (state.items.length === 0 && page > 1) {
    return <EmptyState title={`There is no page ${page}.`} action={backToFirst} />;
  }
  if (state.items.length === 0) {
    return (
      <EmptyState title="No reviews found" action={moreOnTopic}>
        {whyNone(criteria)}
      </EmptyState>
    );
  }
  return (
    <>
      {backToFirst}
      {moreOnTopic}
      {state.pages[0]?.is_closest && <ClosestNote />}
      <PagedList
        state={state}
        nextPath={paths.employer(employerId, { ...criteria, page: page + state.pages.length })}
        moreLabel="Show more"
        onLoadMore={onLoadMore}
      >
        {(review) => <Card review={review} isExpanded leadsWithPosition renderText={renderText} />}
      </PagedList>
      {state.hasMore && (
        <p className="hidden text-sm print:block">
          This page shows {state.items.length} of {state.count} reviews.
        </p>
      )}
    </>
  );
}

/** Memoized, because the form's state changes often. */
const Card = memo(ReviewCard);

/** A search finds only the words that were typed. A concern also has others. */
function MoreOnTopic({
  concerns,
  form,
  headingId,
}: Pick<EmployerReviewsProps, 'concerns' | 'form' | 'headingId'>) {
  return (
    <ul className="mb-4 text-sm print:hidden">
      {concerns.map(({ concern, count }) => (
        <li key={concern}>
          <CriteriaLink
            form={form}
            to={{ concern }}
            headingId={headingId}
            className="prose-link inline-block py-1"
          >
            {`${plural(count, 'review')} ${count === 1 ? 'mentions' : 'mention'} ${CONCERNS[concern].toLowerCase()} or related words`}
          </CriteriaLink>
        </li>
      ))}
    </ul>
  );
}

function whyNone({ search, concern, specialty, min_rating, max_rating }: Criteria): string {
  if (search || concern || min_rating || max_rating)
    return 'Try fewer words, another spelling, or fewer filters.';
  return specialty ? 'No reviews for this specialty yet.' : 'No reviews for this position yet.';
}
