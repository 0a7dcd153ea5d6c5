import type { ReactNode } from 'react';
import { EMPLOYER_MESSAGES } from '#contract/employers/employer-choices.ts';
import { PAGE_SIZE } from '#contract/limits.ts';
import { formatCount } from '#web/lib/format.ts';
import { Link } from '#web/lib/link.tsx';
import { paths } from '#web/lib/paths.ts';
import type { OtherPageState } from '#web/lib/scroll-positions.ts';
import { ClosestNote } from '#web/listing/closest-note.tsx';
import type { Criteria } from '#web/listing/criteria.ts';
import { AddEmployer } from '#web/shell/add-employer.tsx';
import { Banner } from '#web/ui/banner.tsx';
import { buttonClass } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { NoSuchPage, type PageLink, Pagination } from '#web/ui/pagination.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import {
  type DirectoryAnswer,
  directoryListing,
  type ListedEmployer,
  ratedByOf,
} from './directory-listing.ts';
import { EmployerCard } from './employer-card.tsx';

interface DirectoryResultsProps {
  answer: DirectoryAnswer;
  criteria: Criteria;
  page: number;
  isLoading: boolean;
  action: (employer: ListedEmployer) => ReactNode;
}

/** A page of the directory, or the reason why there is none. */
export function DirectoryResults({
  answer: { list, rejections },
  criteria,
  page,
  isLoading,
  action,
}: DirectoryResultsProps) {
  if (!list) {
    return (
      <>
        <StatusLine>{isLoading && 'Loading...'}</StatusLine>
        <Banner tone="error">
          {rejections.length > 0
            ? rejections.map((reason) => <p key={reason}>{reason}</p>)
            : EMPLOYER_MESSAGES.listFailed}
        </Banner>
      </>
    );
  }
  const { count, results, is_closest } = list;
  const before = (page - 1) * PAGE_SIZE;
  const shown = `Showing ${formatCount(before + 1)} to ${formatCount(before + results.length)} of ${formatCount(count)} employers`;
  const pages = Math.ceil(count / PAGE_SIZE);
  const pathOf = (target: number) =>
    paths.employers({ ...criteria, page: target === 1 ? null : target });
  const link: PageLink = ({ page: target, ...rest }) => (
    <Link {...rest} to={pathOf(target)} state={{ isOtherPage: true } satisfies OtherPageState} />
  );
  return (
    <>
      <StatusLine>
        {results.length > 0 && shown}
        {isLoading && <span className="ml-3 text-accent">Loading...</span>}
      </StatusLine>
      {page > pages && count > 0 ? (
        <NoSuchPage page={page} pages={pages} link={link} />
      ) : results.length === 0 ? (
        <EmptyState
          title="No employers found"
          action={
            <div className="flex flex-wrap justify-center gap-3">
              {directoryListing.isNarrowed(criteria) && (
                <Link to={paths.employers()} className={buttonClass('secondary')}>
                  Clear search and filters
                </Link>
              )}
              <AddEmployer name={criteria.search} />
            </div>
          }
        >
          Try adjusting your search or filters.
        </EmptyState>
      ) : (
        <>
          {is_closest && <ClosestNote />}
          <CardList>
            {results.map((employer) => (
              <li key={employer.id} className="listed-card">
                <EmployerCard
                  employer={employer}
                  specialty={criteria['specialty']}
                  ratedBy={ratedByOf(criteria)}
                  from={pathOf(page)}
                  action={action(employer)}
                />
              </li>
            ))}
          </CardList>
        </>
      )}
      {page <= pages && <Pagination current={page} pages={pages} link={link} />}
    </>
  );
}

/** A placeholder as tall as a page of cards, shown while the first page loads. */
export function DirectorySkeleton() {
  return (
    <>
      <StatusLine>Loading...</StatusLine>
      <CardList>
        {Array.from({ length: PAGE_SIZE }, (_, place) => place).map((place) => (
          <li
            key={place}
            className="flex h-(--listed-card-height) flex-col gap-3 border-t border-rule py-5 md:py-6"
          >
            <Skeleton className="h-7 w-72 max-w-full" />
            <Skeleton className="h-4 w-40" />
            <Skeleton className="h-4 w-64 max-w-full" />
            <Skeleton className="h-4 w-52" />
          </li>
        ))}
      </CardList>
    </>
  );
}

const CardList = ({ children }: { children: ReactNode }) => (
  <ul className="grid gap-x-16 [--listed-card-height:10rem] md:[--listed-card-height:12rem] lg:grid-cols-2">
    {children}
  </ul>
);

function StatusLine({ children }: { children: ReactNode }) {
  return (
    <p role="status" className="min-h-9 text-sm text-ink-faint lining-nums">
      {children}
    </p>
  );
}
