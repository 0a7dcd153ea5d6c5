import type { ReactNode } from 'react';
import {
  EMPLOYER_MESSAGES,
  OWNERSHIP_NOT_SPECIFIED,
} from '#contract/employers/employer-choices.ts';
import type { Employer } from '#contract/employers/employers.ts';
import { PAGE_SIZE } from '#contract/limits.ts';
import { CATEGORY_RATINGS, type CategoryRating } from '#contract/review-choices.ts';
import { formatAverage, formatCount, formatLocation, plural } from '#web/lib/format.ts';
import { Link } from '#web/lib/link.tsx';
import { paths } from '#web/lib/paths.ts';
import type { OtherPageState } from '#web/lib/scroll.ts';
import type { Criteria } from '#web/listing/criteria.ts';
import { ClosestNote } from '#web/listing/search-line.tsx';
import { AddEmployer } from '#web/shell/member-link.tsx';
import { Badge, type BadgeTone } from '#web/ui/badge.tsx';
import { Banner } from '#web/ui/banner.tsx';
import { buttonClass } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { Skeleton } from '#web/ui/loading.tsx';
import { NoSuchPage, type PageLink, Pagination } from '#web/ui/pagination.tsx';
import { Stars } from '#web/ui/stars.tsx';
import {
  type DirectoryAnswer,
  directoryListing,
  type ListedEmployer,
  ratedByOf,
} from './directory-listing.ts';
import type { Origin } from './employer-overview.tsx';

/** Darker for a higher level of care. */
const TRAUMA_TONES: Record<NonNullable<Employer['trauma_level']>, BadgeTone> = {
  'Level I': 'solid',
  'Level II': 'accent',
  'Level III': 'plain',
  'Level IV': 'faint',
  'Level V': 'faint',
};

interface EmployerCardProps {
  employer: ListedEmployer;
  /** The specialty that the list is limited to. */
  specialty: string | undefined;
  /** The category that the list is ordered by. */
  ratedBy: CategoryRating | undefined;
  /** The path of the list with this card. The employer's page links back to it. */
  from: string;
  action: ReactNode;
}

/**
 * An entry of the directory. The whole card is a link, except for its action. On a phone, the action
 * is beside the name.
 */
function EmployerCard({ employer, specialty, ratedBy, from, action }: EmployerCardProps) {
  return (
    <article className="group relative flex flex-wrap items-baseline gap-x-3 gap-y-1 border-t border-rule py-3.5 wrap-anywhere lining-nums md:grid md:grid-cols-[minmax(0,1fr)_auto] md:grid-rows-[auto_1fr_auto] md:gap-x-6 md:py-6">
      <h2 className="min-w-0 flex-[1_1_9rem] font-display text-xl max-md:text-lg max-md:leading-snug">
        <Link
          // With its figures for the specialty, if it has any.
          to={paths.employer(employer.id, employer.specialty_reviews ? { specialty } : {})}
          state={{ from } satisfies Origin}
          className="decoration-accent decoration-1 underline-offset-4 group-hover:underline after:absolute after:inset-0"
        >
          {employer.name}
        </Link>
      </h2>
      <div className="relative max-w-full shrink-0 self-start md:col-start-2 md:row-start-3 md:self-end">
        {action}
      </div>
      <Rating employer={employer} specialty={specialty} ratedBy={ratedBy} />
      <p className="text-sm text-ink-soft md:row-start-2">{formatLocation(employer)}</p>
      <div className="flex basis-full flex-col gap-1 text-sm text-ink-soft md:row-start-3">
        <span className="flex flex-wrap gap-1.5">
          <Badge>{employer.employer_type_display}</Badge>
          {employer.trauma_level && (
            <Badge tone={TRAUMA_TONES[employer.trauma_level]}>Trauma {employer.trauma_level}</Badge>
          )}
          {employer.has_helipad && <Badge>Helipad</Badge>}
        </span>
        <Facts employer={employer} />
      </div>
    </article>
  );
}

function Rating({ employer, specialty, ratedBy }: Omit<EmployerCardProps, 'from' | 'action'>) {
  const { overall_rating, total_reviews, specialty_reviews, category_average } = employer;
  return (
    <div className="flex flex-wrap items-baseline gap-x-2 text-xs text-ink-faint md:col-start-2 md:row-span-2 md:row-start-1 md:block md:max-w-40 md:justify-self-end md:text-right">
      <p className="font-display text-lg leading-none text-ink md:text-2xl md:leading-none">
        {formatAverage(overall_rating)}
      </p>
      {overall_rating !== null && <Stars rating={overall_rating} size="sm" className="md:mt-1.5" />}
      <p className="md:mt-1">{plural(total_reviews, 'review')}</p>
      {specialty && specialty_reviews !== undefined && (
        <p className="text-ink-soft">
          {`${
            specialty_reviews === 0 ? 'No reviews' : plural(specialty_reviews, 'review')
          } in ${specialty}`}
        </p>
      )}
      {ratedBy && category_average !== undefined && (
        <p className="text-ink-soft">
          {`${CATEGORY_RATINGS[ratedBy]}: ${formatAverage(category_average)}`}
        </p>
      )}
    </div>
  );
}

function Facts({ employer }: { employer: ListedEmployer }) {
  const facts = [
    employer.bed_count !== null && employer.bed_count > 0 && plural(employer.bed_count, 'bed'),
    employer.ownership_type !== OWNERSHIP_NOT_SPECIFIED && employer.ownership_type,
    employer.phone,
  ].filter(Boolean);
  if (facts.length === 0) return null;
  return (
    <p className="flex flex-wrap gap-x-3">
      {facts.map((fact) => (
        <span key={String(fact)}>{fact}</span>
      ))}
    </p>
  );
}

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
        {isLoading && <span className="ml-3 text-accent"> Loading...</span>}
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
