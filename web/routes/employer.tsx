import { PenLine } from 'lucide-react';
import { type ReactNode, useMemo } from 'react';
import { data, isRouteErrorResponse, useLocation, useRevalidator } from 'react-router';
import { EMPLOYER_MESSAGES, type EmployerType } from '#contract/employers/employer-choices.ts';
import type { EmployerBrief as Brief, Employer } from '#contract/employers/employers.ts';
import { STATE_NAMES } from '#contract/employers/states.ts';
import { employerEndpoints } from '#contract/endpoints/employers.ts';
import { DIRECTORY_SEARCH_DEBOUNCE_MS, EMPLOYER_REVIEWS_PAGE_SIZE } from '#contract/limits.ts';
import { titleCase } from '#contract/names.ts';
import type { EmployerReviewPage, Review } from '#contract/reviews/reviews.ts';
import { CategoryAverages, SpecialtyRatings } from '#web/features/employers/category-averages.tsx';
import { CompareToggle, CompareTray } from '#web/features/employers/compare/compare-tray.tsx';
import { correctionWrites } from '#web/features/employers/correction/correction.ts';
import { SuggestCorrection } from '#web/features/employers/correction/suggest-correction.tsx';
import { directoryHeading } from '#web/features/employers/directory-listing.ts';
import {
  BackLink,
  EmployerOverview,
  type Origin,
} from '#web/features/employers/employer-overview.tsx';
import { EmployerBrief } from '#web/features/employers/insights/employer-brief.tsx';
import { type BriefData, readBrief } from '#web/features/employers/insights/read-brief.ts';
import { employerReviewListing, ReviewFilters } from '#web/features/employers/review-filters.tsx';
import { feedbackWrites } from '#web/features/reviews/feedback/feedback.ts';
import { EmployerReviews } from '#web/features/reviews/list/employer-reviews.tsx';
import { SaveEmployer } from '#web/features/saved/saved.tsx';
import { formatAverage, formatCount, formatLocation, plural } from '#web/lib/format.ts';
import { Link } from '#web/lib/link.tsx';
import { pageMeta } from '#web/lib/page-meta.ts';
import { pageNumber, paths } from '#web/lib/paths.ts';
import { PrintedFrom } from '#web/lib/printed-from.tsx';
import { askApi } from '#web/lib/render-context.ts';
import { pageWrites } from '#web/lib/write.ts';
import { FilterChip } from '#web/listing/chosen-filters.tsx';
import type { Criteria } from '#web/listing/criteria.ts';
import { takeKeptList } from '#web/listing/kept-lists.ts';
import { type Answer, listFailure } from '#web/listing/pages.tsx';
import { type ListForm, useListForm } from '#web/listing/use-list-form.ts';
import { LoadFailedScreen, NotFoundScreen } from '#web/shell/error-screens.tsx';
import { MemberLink } from '#web/shell/member-link.tsx';
import { Banner } from '#web/ui/banner.tsx';
import { buttonClass } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import type { Route } from './+types/employer.ts';

/** The id of the heading of the reviews. */
const REVIEWS_ID = 'reviews';

export async function loader({
  context,
  params,
  request,
}: Route.LoaderArgs): Promise<EmployerData> {
  const id = params.employerId;
  // The API rejects a malformed id with 400. For a reader, it is a dead link.
  if (!/^\d+$/.test(id)) throw data(null, { status: 404 });
  const criteria = employerReviewListing(id).read(request.url);
  const page = pageNumber(request.url);
  const [brief, reviews] = await Promise.all([
    readBrief(context, id, criteria),
    askApi(context, employerEndpoints.reviews, {
      params: { id },
      query: { ...criteria, page, page_size: EMPLOYER_REVIEWS_PAGE_SIZE },
    }),
  ]);
  const shown = { ...brief, criteria, page, concerns: [], marked: [] };
  if (!reviews.ok) {
    return { ...shown, reviews: { pages: [], failure: listFailure(await reviews.json()) } };
  }
  const { concerns = [], concern_words: marked = [], ...first } = await reviews.json();
  return { ...shown, concerns, marked, reviews: { pages: [first], failure: null } };
}

/** What the page shows. Back restores it with all pages of the reviews. */
interface EmployerData extends BriefData {
  reviews: Answer<Review>;
  /** The concerns that the search names. */
  concerns: NonNullable<EmployerReviewPage['concerns']>;
  /** The words and phrases of the concern that filters the reviews. */
  marked: readonly string[];
  criteria: Criteria;
  page: number;
}

export const clientLoader = async ({ serverLoader }: Route.ClientLoaderArgs) =>
  takeKeptList<EmployerData>() ?? serverLoader();

export const { clientAction } = pageWrites({
  ...feedbackWrites.writes,
  ...correctionWrites.writes,
});

export function meta({ loaderData }: Route.MetaArgs) {
  if (!loaderData) return pageMeta(EMPLOYER_MESSAGES.notFound);
  const { employer, criteria } = loaderData;
  const name = titleCase(employer.name);
  // Many hospitals share a name.
  const place = formatLocation(employer);
  const suffix = place && `, ${place}`;
  const specialty = criteria['specialty'];
  return pageMeta(
    `${name} reviews${suffix}${specialty ? `: ${specialty}` : ''}`,
    `What doctors say about working at ${name}${suffix}: anonymous ratings and reviews.`,
  );
}

interface EmployerHeadingProps {
  employer: Employer;
  form: ListForm;
  /** The actions for visitors. */
  children: ReactNode;
}

/** Compact on a phone, so that the ratings fit on the first screen. */
function EmployerHeading({ employer, form, children }: EmployerHeadingProps) {
  const place = formatLocation(employer);
  const type = employer.employer_type_display;
  const { specialty, ...others } = form.values;
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-8 gap-y-2 print:pt-0 pt-7 pb-3 md:pt-16 md:pb-4 lg:grid lg:grid-cols-[minmax(0,1fr)_auto] lg:items-end">
      <h1 className="font-display text-3xl leading-tight tracking-[-0.012em] wrap-anywhere max-lg:basis-full">
        {titleCase(employer.name)}
      </h1>
      <p className="text-ink-soft max-sm:min-w-20 max-sm:flex-1 max-sm:text-sm lg:row-start-2">
        {place || type}
        {/* On a phone, the overview names it. */}
        {place && <span className="max-sm:hidden"> · {type}</span>}
      </p>
      {specialty && (
        <p className="max-lg:order-last max-lg:basis-full">
          <FilterChip form={form} to={others} does="Show all specialties instead of">
            {specialty}
          </FilterChip>
        </p>
      )}
      <div className="flex flex-wrap items-center gap-3 lg:justify-end lg:row-span-2 lg:row-start-1">
        {children}
      </div>
      <div className="hidden basis-full print:block">
        <PrintedFrom />
      </div>
    </div>
  );
}

interface SimilarEmployersProps {
  similar: Brief['similar'];
  type: EmployerType;
  state: string | null;
}

/** Employers of the same type in the same state, those of the same city first. */
function SimilarEmployers({ similar, type, state }: SimilarEmployersProps) {
  if (similar.length === 0 || state === null) return null;
  const best = { employer_type: type, ordering: '-established', state };
  return (
    <section aria-labelledby="similar" className="mt-10 print:hidden">
      <h2 id="similar" className="pb-4 font-display text-2xl">
        {`Similar employers in ${STATE_NAMES[state] ?? state}`}
      </h2>
      <ul className="grid gap-x-12 md:grid-cols-2">
        {similar.map((employer) => (
          <li
            key={employer.id}
            className="group relative flex items-baseline justify-between gap-x-4 border-t border-rule py-3"
          >
            <div className="min-w-0 wrap-anywhere">
              <Link
                to={paths.employer(employer.id)}
                className="font-display text-lg decoration-accent decoration-1 underline-offset-4 group-hover:underline after:absolute after:inset-0"
              >
                {titleCase(employer.name)}
              </Link>
              <p className="text-sm text-ink-soft">{formatLocation(employer)}</p>
            </div>
            <p className="shrink-0 text-right lining-nums">
              <span className="font-display text-xl">{formatAverage(employer.overall_rating)}</span>
              <span className="block text-xs text-ink-faint">
                {plural(employer.total_reviews, 'review')}
              </span>
            </p>
          </li>
        ))}
      </ul>
      <Link to={paths.employers(best)} className="prose-link mt-3 inline-block py-1 text-sm">
        {directoryHeading(best)}
      </Link>
    </section>
  );
}

export default function EmployerDetail({ loaderData }: Route.ComponentProps) {
  const { employer, insights, criteria } = loaderData;
  const { state } = useLocation();
  const listing = useMemo(() => employerReviewListing(employer.id), [employer.id]);
  const form = useListForm(listing, criteria, {
    typingPauseMs: DIRECTORY_SEARCH_DEBOUNCE_MS,
    state: { ...(state as Origin | null), isFiltered: true } satisfies Origin,
  });
  const createPath = paths.createReview({ employer: employer.id });
  const named = { id: employer.id, name: titleCase(employer.name) };
  return (
    <div className="page-width">
      <BackLink />
      <EmployerHeading employer={employer} form={form}>
        <SaveEmployer employer={named} />
        <CompareToggle employer={named} specialty={criteria['specialty']} />
        <MemberLink to={createPath} className={buttonClass('primary', 'md', 'max-md:hidden')}>
          <PenLine aria-hidden className="size-4" />
          Write a review
        </MemberLink>
      </EmployerHeading>
      <EmployerBrief employer={employer} brief={insights} form={form} headingId={REVIEWS_ID} />
      <EmployerOverview employer={employer} sources={insights?.sources ?? []} />
      <SuggestCorrection key={employer.id} employer={employer} />
      <CategoryAverages employer={employer} insights={insights} />
      <section aria-labelledby={REVIEWS_ID} className="mt-6">
        <h2
          id={REVIEWS_ID}
          tabIndex={-1}
          className="scroll-mt-4 pb-4 font-display text-2xl lining-nums outline-none"
        >
          {reviewsHeading(loaderData)}
        </h2>
        <Reviews loaderData={loaderData} form={form} createPath={createPath} />
      </section>
      {insights && (
        <SimilarEmployers
          similar={insights.similar}
          type={employer.employer_type}
          state={employer.state}
        />
      )}
      <p className="mt-8 text-sm text-ink-soft signed-in:hidden print:hidden">
        <Link
          to={paths.represent({ employer: employer.id })}
          className="prose-link inline-block py-1"
        >
          Represent this employer?
        </Link>
      </p>
      <CompareTray specialty={criteria['specialty']} />
    </div>
  );
}

/** 'Reviews (15)', or 'Reviews (4 of 15)' if a search or a filter leaves 4. */
function reviewsHeading({ employer, reviews, criteria }: EmployerData): string {
  const total = formatCount(employer.total_reviews);
  const found = reviews.pages.at(-1)?.count;
  const isNarrowed = employerReviewListing(employer.id).isNarrowed(criteria);
  return `Reviews (${isNarrowed && found !== undefined ? `${formatCount(found)} of ` : ''}${total})`;
}

interface ReviewsProps extends Pick<Route.ComponentProps, 'loaderData'> {
  form: ListForm;
  createPath: string;
}

function Reviews({ loaderData, form, createPath }: ReviewsProps) {
  const { employer, insights, reviews, criteria, page, concerns, marked } = loaderData;
  const { revalidate } = useRevalidator();
  if (employer.total_reviews === 0) {
    return (
      <EmptyState
        title="No reviews yet"
        action={
          <Link to={createPath} className={buttonClass('primary', 'md', 'signed-out:hidden')}>
            Write First Review
          </Link>
        }
      >
        Be the first to share your experience with {titleCase(employer.name)}
      </EmptyState>
    );
  }
  return (
    <>
      <ReviewFilters
        form={form}
        positions={insights?.position_titles ?? []}
        specialties={insights?.specialties ?? {}}
        headingId={REVIEWS_ID}
      />
      {insights?.subgroup && <SpecialtyRatings subgroup={insights.subgroup} />}
      {reviews.failure === null ? (
        <EmployerReviews
          key={paths.employer(employer.id, { ...criteria, page })}
          employerId={employer.id}
          answer={reviews}
          page={page}
          criteria={criteria}
          form={form}
          headingId={REVIEWS_ID}
          concerns={concerns}
          marked={marked}
          keep={(answer): EmployerData => ({ ...loaderData, reviews: answer })}
        />
      ) : (
        <Banner tone="error">
          <p>{reviews.failure}</p>
          {/* Without script, it loads the page again. */}
          <a
            href={form.listing.path({ ...criteria, page: page > 1 ? String(page) : '' })}
            onClick={(event) => {
              event.preventDefault();
              void revalidate();
            }}
            className={buttonClass('secondary', 'sm', 'mt-3')}
          >
            Try again
          </a>
        </Banner>
      )}
    </>
  );
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  if (isRouteErrorResponse(error) && error.status === 404) {
    return (
      <NotFoundScreen title={EMPLOYER_MESSAGES.notFound}>
        It may have been removed or merged with another employer.
      </NotFoundScreen>
    );
  }
  return <LoadFailedScreen title={EMPLOYER_MESSAGES.detailFailed} error={error} />;
}
