import { type ReactNode, useRef } from 'react';
import { REVIEWS_SKELETON_AFTER_MS } from '#contract/limits.ts';
import type { Page } from '#contract/paging.ts';
import { createStore } from '#web/lib/store.ts';
import { ApiError, textMember } from '#web/lib/transport-error.ts';
import { Banner } from '#web/ui/banner.tsx';
import { buttonClass } from '#web/ui/button.tsx';
import { Spinner } from '#web/ui/loading.tsx';

/** The pages of a list so far, or the reason why there are none. */
export interface Answer<T> {
  pages: readonly Page<T>[];
  failure: string | null;
}

export interface PagesState<T> extends Answer<T> {
  /**
   * The items of all pages, without the duplicates that occur when a new item moves others to the
   * next page.
   */
  items: readonly T[];
  /** The count of the latest answer that has one. */
  count: number | null;
  hasMore: boolean;
  /** Another answer is loading. The current one stays on the screen. */
  isLoading: boolean;
  isSlow: boolean;
  isLoadingMore: boolean;
  moreFailure: string | null;
}

/**
 * The pages of one list. It shows the loader's answer for the latest URL, and appends further pages.
 */
export function createPages<T extends { id: string }>(first: Answer<T> | Promise<Answer<T>>) {
  const start = first instanceof Promise ? null : first;
  let latest: Answer<T> | Promise<Answer<T>> | null = start;
  let slowTimer: ReturnType<typeof setTimeout> | undefined;
  const store = createStore<PagesState<T>>({
    ...shown(start ?? { pages: [], failure: null }, null),
    isLoading: start === null,
    isSlow: false,
    isLoadingMore: false,
    moreFailure: null,
  });
  const patch = (change: Partial<PagesState<T>>) => store.set({ ...store.get(), ...change });

  function settle(answer: Answer<T>): void {
    clearTimeout(slowTimer);
    patch({ ...shown(answer, store.get().count), isLoading: false, isSlow: false });
  }

  return {
    ...store,

    /**
     * Shows an answer once it arrives, unless `follow` has been called again by then. `asked`
     * resolves when its request starts, because the time before that does not count as slow.
     */
    follow(answer: Answer<T> | Promise<Answer<T>>, asked = Promise.resolve()): void {
      if (answer === latest) return;
      latest = answer;
      patch({ isLoadingMore: false, moreFailure: null });
      clearTimeout(slowTimer);
      if (!(answer instanceof Promise)) {
        settle(answer);
        return;
      }
      patch({ isLoading: true, isSlow: false, failure: null });
      void asked.then(() => {
        if (latest !== answer || !store.get().isLoading) return;
        slowTimer = setTimeout(() => patch({ isSlow: true }), REVIEWS_SKELETON_AFTER_MS);
      });
      void answer.then((settled) => {
        if (latest === answer) settle(settled);
      });
    },

    /** Appends the next page. Returns the id of the first item that it added. */
    async loadMore(fetchNext: (pages: number) => Promise<Page<T>>): Promise<string | null> {
      const { pages, items, isLoading, isLoadingMore } = store.get();
      if (isLoading || isLoadingMore) return null;
      const asked = latest;
      patch({ isLoadingMore: true, moreFailure: null });
      try {
        const next = await fetchNext(pages.length);
        if (latest !== asked) return null;
        settle({ pages: [...pages, next], failure: null });
        patch({ isLoadingMore: false });
        return store.get().items[items.length]?.id ?? null;
      } catch (error) {
        if (latest === asked) patch({ isLoadingMore: false, moreFailure: listFailure(error) });
        return null;
      }
    },
  };
}

function shown<T extends { id: string }>({ pages, failure }: Answer<T>, lastCount: number | null) {
  const last = pages.at(-1);
  const byId = pages.flatMap(({ results }) => results.map((item) => [item.id, item] as const));
  return {
    pages,
    failure,
    items: [...new Map(byId).values()],
    count: last?.count ?? lastCount,
    hasMore: Boolean(last?.next),
  };
}

/** What a failed list shows (docs/product/reviews.md, "Public review list"). */
export function listFailure(error: unknown): string {
  const body = error instanceof ApiError ? error.response?.body : error;
  const reason = textMember(body, 'detail') ?? textMember(error, 'message') ?? 'Unknown error';
  return `Failed to load reviews: ${reason}`;
}

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

  async function append(link: HTMLElement) {
    const first = await onLoadMore();
    // Meanwhile, the reader may have gone on to a field.
    if (document.activeElement !== link && document.activeElement !== document.body) return;
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
                void append(event.currentTarget);
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
