import { type ReactNode, useRef } from 'react';
import { Banner } from '#web/ui/banner.tsx';
import { buttonClass } from '#web/ui/button.tsx';
import { Spinner } from '#web/ui/spinner.tsx';
import type { PagesState } from './pages.ts';

interface PagedListProps<T> {
  state: Pick<PagesState<T>, 'items' | 'hasMore' | 'isLoadingMore' | 'moreFailure'>;
  /** The URL of the next page, for readers without script. */
  nextPath: string;
  /** Returns the id of the first item that it added. */
  onLoadMore: () => Promise<string | null>;
  className?: string;
  moreLabel?: string;
  children: (item: T) => ReactNode;
}

/** The items, and a link to the next page. With script, it appends that page and focuses its first item. */
export function PagedList<T extends { id: string }>(props: PagedListProps<T>) {
  const { state, nextPath, onLoadMore, className, children } = props;
  const { moreLabel = 'Load more reviews' } = props;
  const list = useRef<HTMLUListElement>(null);

  async function append() {
    const first = await onLoadMore();
    const item = list.current?.querySelector<HTMLElement>(`[data-item="${first}"]`);
    item?.focus({ preventScroll: true });
  }

  return (
    <>
      {state.items.length > 0 && (
        <ul ref={list} className={className}>
          {state.items.map((item) => (
            <li
              key={item.id}
              data-item={item.id}
              tabIndex={-1}
              className="listed-card outline-none"
            >
              {children(item)}
            </li>
          ))}
        </ul>
      )}
      {state.hasMore && (
        <div className="border-t border-rule pt-8 print:hidden">
          {state.moreFailure && (
            <Banner tone="error" className="mb-6">
              {state.moreFailure}
            </Banner>
          )}
          <p className="text-center">
            <a
              href={nextPath}
              aria-busy={state.isLoadingMore || undefined}
              onClick={(event) => {
                event.preventDefault();
                void append();
              }}
              className={buttonClass('secondary')}
            >
              {state.isLoadingMore && <Spinner />}
              <span>{state.isLoadingMore ? 'Loading...' : moreLabel}</span>
            </a>
          </p>
        </div>
      )}
    </>
  );
}
