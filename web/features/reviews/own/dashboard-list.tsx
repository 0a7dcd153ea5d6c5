import { useEffect, useRef, useState } from 'react';
import {
  DASHBOARD_LOAD_MORE_DELAY_MS,
  DASHBOARD_PAGE_SIZE,
  SCROLL_REPEAT_MS,
} from '#contract/limits.ts';
import type { OwnReview } from '#contract/reviews.ts';
import { formatCount } from '#web/lib/format.ts';
import { scrollLater } from '#web/lib/scroll-later.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Button } from '#web/ui/button.tsx';
import { NoReviews } from './no-reviews.tsx';
import { OwnReviewList } from './own-review-list.tsx';
import { useReviewDialog } from './review-dialog.tsx';
import { StatisticsLine, statisticsOf } from './statistics.tsx';

interface DashboardListProps {
  reviews: readonly OwnReview[];
  /** What the user has just done. */
  news: keyof typeof NEWS | null;
}

const NEWS = {
  new: 'Your new review has been posted.',
  scheduled: 'Your review is scheduled. Only you can see it until it goes live.',
  updated: 'Your review has been updated.',
} as const;

/** Shows five reviews, then five more at a time (docs/product/reviews.md, "Own reviews"). */
export function DashboardList({ reviews, news }: DashboardListProps) {
  const { ask, dialog, heading, result } = useReviewDialog();
  const [shown, setShown] = useState(DASHBOARD_PAGE_SIZE);
  const [isLoading, setLoading] = useState(false);
  const newest = useRef<HTMLLIElement>(null);
  const isNew = news === 'new' || news === 'scheduled';
  const newestId = reviews.find(({ status }) => (status === 'published') === (news === 'new'))?.id;

  useEffect(() => {
    if (!isNew) return;
    // Runs after the second scroll to the top that every route change makes.
    return scrollLater(() => newest.current?.scrollIntoView(), 2 * SCROLL_REPEAT_MS);
  }, [isNew]);

  function loadMore() {
    setLoading(true);
    setTimeout(() => {
      setLoading(false);
      setShown((before) => before + DASHBOARD_PAGE_SIZE);
    }, DASHBOARD_LOAD_MORE_DELAY_MS);
  }

  return (
    <section aria-labelledby="my-reviews">
      {dialog}
      <h2 id="my-reviews" ref={heading} tabIndex={-1} className="pb-4 font-display text-2xl">
        My Reviews ({formatCount(reviews.length)})
      </h2>
      {result}
      {reviews.length > 0 && <StatisticsLine statistics={statisticsOf(reviews)} />}
      {news && !result && (
        <Banner tone="success" className="mt-6">
          {NEWS[news]}
        </Banner>
      )}
      {reviews.length === 0 ? (
        <NoReviews />
      ) : (
        <div className="pt-6">
          <OwnReviewList
            reviews={reviews.slice(0, shown)}
            onAsk={ask}
            newest={{ id: newestId, ref: newest }}
          />
        </div>
      )}
      {reviews.length > shown && (
        <div className="border-t border-rule pt-8 text-center">
          <Button variant="secondary" busy={isLoading} onClick={loadMore}>
            {isLoading ? 'Loading...' : 'Load more reviews'}
          </Button>
        </div>
      )}
    </section>
  );
}
