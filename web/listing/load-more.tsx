import type { RefObject } from 'react';
import { Banner } from '#web/ui/banner.tsx';
import { buttonClass } from '#web/ui/button.tsx';
import { Spinner } from '#web/ui/spinner.tsx';
import type { PagesState } from './pages.ts';

interface LoadMoreProps {
  state: Pick<PagesState<unknown>, 'hasMore' | 'isLoadingMore' | 'moreFailure'>;
  /** The next page's own address, for readers without script. */
  href: string;
  /** Returns the id of the first item that was added. */
  onLoadMore: () => Promise<string | null>;
  /** Its items carry their id as `data-item`. */
  list: RefObject<HTMLElement | null>;
}

/** A link to the next page. With script it appends that page and focuses its first item. */
export function LoadMore({ state, href, onLoadMore, list }: LoadMoreProps) {
  const { hasMore, isLoadingMore, moreFailure } = state;
  if (!hasMore) return null;

  async function append() {
    const first = await onLoadMore();
    list.current
      ?.querySelector<HTMLElement>(`[data-item="${first}"]`)
      ?.focus({ preventScroll: true });
  }

  return (
    <div className="border-t border-rule pt-8">
      {moreFailure && (
        <Banner tone="error" className="mb-6">
          {moreFailure}
        </Banner>
      )}
      <p className="text-center">
        <a
          href={href}
          aria-busy={isLoadingMore || undefined}
          onClick={(event) => {
            event.preventDefault();
            void append();
          }}
          className={buttonClass('secondary')}
        >
          {isLoadingMore && <Spinner />}
          {isLoadingMore ? 'Loading...' : 'Load more reviews'}
        </a>
      </p>
    </div>
  );
}
