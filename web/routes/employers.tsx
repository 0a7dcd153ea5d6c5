import { type ReactNode, Suspense } from 'react';
import { Await, data, useNavigation } from 'react-router';
import type { EmployerFilterOptions } from '#contract/employers/employers.ts';
import { employerEndpoints } from '#contract/endpoints/employers.ts';
import { PAGE_SIZE } from '#contract/limits.ts';
import type { Problem } from '#contract/problem.ts';
import { CompareToggle, CompareTray } from '#web/features/employers/compare/compare-tray.tsx';
import { DirectoryControls } from '#web/features/employers/directory-controls.tsx';
import {
  type DirectoryAnswer,
  directoryHeading,
  directoryListing,
  directoryTitle,
  FAILED,
  ratedByOf,
  toListed,
} from '#web/features/employers/directory-listing.ts';
import { DirectoryResults, DirectorySkeleton } from '#web/features/employers/directory-results.tsx';
import { SaveEmployer, SaveSearch } from '#web/features/saved/saved.tsx';
import { plural } from '#web/lib/format.ts';
import { pageMeta } from '#web/lib/page-meta.ts';
import { pageNumber, paths } from '#web/lib/paths.ts';
import { askApi } from '#web/lib/render-context.ts';
import { PageHeading } from '#web/ui/page-heading.tsx';
import type { Route } from './+types/employers.ts';

export function meta({ loaderData }: Route.MetaArgs) {
  const { criteria = {}, answer } = loaderData ?? {};
  const isRefused = answer && 'rejections' in answer && answer.rejections.length > 0;
  return pageMeta(
    directoryTitle(isRefused ? {} : criteria),
    'US hospitals, residencies, fellowships, and clinics, with anonymous reviews from verified doctors.',
  );
}

/** Errors are part of the page, so the fields keep what was typed. */
export async function loader({ context, request }: Route.LoaderArgs) {
  const criteria = directoryListing.read(request.url);
  const page = pageNumber(request.url);
  const ratedBy = ratedByOf(criteria);
  const [list, options] = await Promise.all([
    askApi(context, employerEndpoints.list, { query: { ...criteria, page, page_size: PAGE_SIZE } }),
    askApi(context, employerEndpoints.filterOptions, { query: { state: criteria['state'] } }),
  ]);
  const found = list.ok ? await list.json() : null;
  const rejected = list.status === 400 ? ((await list.json()) as Problem) : null;
  const answer: DirectoryAnswer = {
    list: found && { ...found, results: found.results.map((one) => toListed(one, ratedBy)) },
    options: options.ok ? await options.json() : null,
    rejections: rejected ? Object.values(rejected.errors ?? { '': [rejected.detail] }).flat() : [],
  };
  return data({ criteria, page, answer }, { status: list.status });
}

/**
 * From another page, a skeleton shows first. Within the list, the old results stay until the new
 * ones arrive.
 */
export async function clientLoader({ request, serverLoader }: Route.ClientLoaderArgs) {
  const answer: Promise<DirectoryAnswer> = serverLoader().then(
    (loaded) => loaded.answer,
    () => FAILED,
  );
  const isHere = window.location.pathname === paths.employers();
  return {
    criteria: directoryListing.read(request.url),
    page: pageNumber(request.url),
    answer: isHere ? await answer : answer,
  };
}

export default function Employers({
  loaderData: { criteria, page, answer },
}: Route.ComponentProps) {
  const { location } = useNavigation();
  const isLoading = location?.pathname === paths.employers();
  const answered = (pending: ReactNode, show: (answer: DirectoryAnswer) => ReactNode) => (
    <Suspense fallback={pending}>
      <Await resolve={answer}>{show}</Await>
    </Suspense>
  );
  return (
    <div className="page-width">
      <PageHeading
        title={directoryHeading(criteria)}
        subtitle={answered(<SubtitleSkeleton />, Subtitle)}
      />
      <DirectoryControls
        criteria={criteria}
        withOptions={(fields: (options: EmployerFilterOptions | null) => ReactNode) =>
          answered(fields(null), ({ options }) => fields(options))
        }
        closeLabel={answered('Show employers', ({ list }) =>
          list ? `Show ${plural(list.count, 'employer')}` : 'Show employers',
        )}
      />
      <SaveSearch page="/employers" criteria={criteria} />
      {answered(<DirectorySkeleton />, (settled) => (
        <DirectoryResults
          answer={settled}
          criteria={criteria}
          page={page}
          isLoading={isLoading}
          action={(employer) => (
            <span className="flex flex-wrap justify-end gap-1 xl:gap-2">
              <SaveEmployer employer={employer} isSmall />
              <CompareToggle employer={employer} specialty={criteria['specialty']} isSmall />
            </span>
          )}
        />
      ))}
      <CompareTray specialty={criteria['specialty']} />
    </div>
  );
}

const CLAIM = 'anonymous reviews from verified doctors';

function Subtitle({ options, list }: DirectoryAnswer) {
  const total = options?.total_employers ?? list?.count;
  return (
    <span>
      {total === undefined ? `Employers with ${CLAIM}` : `${plural(total, 'employer')}, ${CLAIM}`}
    </span>
  );
}

/** As many lines as the subtitle will have. */
const SubtitleSkeleton = () => (
  <span aria-hidden className="animate-pulse rounded-sm bg-rule text-transparent select-none">
    1,000 employers, {CLAIM}
  </span>
);
