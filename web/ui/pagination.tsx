import { ChevronLeft, ChevronRight } from 'lucide-react';
import type { ComponentType, ReactNode } from 'react';
import { PAGE_BUTTONS } from '#contract/limits.ts';
import { buttonClass } from './button.tsx';
import { cx } from './cx.ts';
import { EmptyState } from './empty-state.tsx';

/** A router link or a plain one. The current page and missing pages are not linked. */
export type PageLink = ComponentType<{
  page: number;
  className: string;
  children: ReactNode;
  'aria-current'?: 'page' | undefined;
  'aria-label'?: string | undefined;
}>;

interface PaginationProps {
  current: number;
  pages: number;
  link: PageLink;
}

/** Previous, up to five numbers, Next, and 'Page X of Y'. Renders nothing for a single page. */
export function Pagination({ current, pages, link: PageLink }: PaginationProps) {
  if (pages <= 1) return null;
  return (
    <nav aria-label="Pages" className="flex flex-col items-center gap-3 pt-10 print:hidden">
      <div className="flex flex-wrap items-center justify-center sm:gap-1">
        <Step page={current - 1} pages={pages} link={PageLink}>
          <ChevronLeft aria-hidden className="size-4" />
          <span className="max-sm:sr-only">Previous</span>
        </Step>
        <ol className="flex flex-wrap items-center justify-center gap-1">
          {pageWindow(current, pages).map((page) => (
            <li key={page}>
              <PageLink
                page={page}
                aria-label={`Page ${page}`}
                aria-current={page === current ? 'page' : undefined}
                className={cx(
                  'grid size-9 place-items-center sm:size-10 rounded-md text-sm lining-nums tabular-nums transition-colors',
                  page === current
                    ? 'bg-accent font-semibold text-on-accent'
                    : 'text-ink-soft hover:bg-sunken hover:text-ink',
                )}
              >
                {page}
              </PageLink>
            </li>
          ))}
        </ol>
        <Step page={current + 1} pages={pages} link={PageLink}>
          <span className="max-sm:sr-only">Next</span>
          <ChevronRight aria-hidden className="size-4" />
        </Step>
      </div>
      <p className="text-xs text-ink-faint lining-nums">
        Page {current} of {pages}
      </p>
    </nav>
  );
}

function Step({
  page,
  pages,
  link: PageLink,
  children,
}: {
  page: number;
  pages: number;
  link: PageLink;
  children: ReactNode;
}) {
  const className = buttonClass('quiet', 'sm', 'gap-1 px-2');
  if (page >= 1 && page <= pages) {
    return (
      <PageLink page={page} className={className}>
        {children}
      </PageLink>
    );
  }
  return (
    <span aria-disabled="true" className={cx(className, 'text-ink-faint opacity-60')}>
      {children}
    </span>
  );
}

interface NoSuchPageProps {
  page: number;
  /** The last page. */
  pages: number;
  link: PageLink;
}

/** Instead of a page of a list that has become shorter, or never was as long. */
export const NoSuchPage = ({ page, pages, link: PageLink }: NoSuchPageProps) => (
  <EmptyState
    title={`There is no page ${page}. The last page is ${pages}.`}
    action={
      <PageLink page={pages} className={buttonClass('secondary')}>
        Go to the last page
      </PageLink>
    }
  />
);

/** The page numbers to show: the current one with two on either side, or five at the start or end. */
export function pageWindow(current: number, pages: number): number[] {
  const half = Math.floor(PAGE_BUTTONS / 2);
  const last = Math.max(1, pages - PAGE_BUTTONS + 1);
  const first = Math.min(Math.max(1, current - half), last);
  return Array.from({ length: Math.min(pages, PAGE_BUTTONS) }, (_, offset) => first + offset);
}
