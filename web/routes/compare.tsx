import { data } from 'react-router';
import { COMPARE_MAX, COMPARE_MIN } from '#contract/employer-choices.ts';
import type { EmployerComparison } from '#contract/employer-comparison.ts';
import { employerEndpoints } from '#contract/endpoints/employers.ts';
import { BEST_LEAD, REVIEWS_TO_COMPARE } from '#contract/limits.ts';
import { titleCase } from '#contract/names.ts';
import type { Problem } from '#contract/problem.ts';
import { CompareActions } from '#web/features/employers/compare/compare-actions.tsx';
import { CompareTray, NothingCompared } from '#web/features/employers/compare/compare-tray.tsx';
import { ComparedSpecialty } from '#web/features/employers/compare/compared-specialty.tsx';
import { ComparisonTable } from '#web/features/employers/compare/comparison-table.tsx';
import { plural } from '#web/lib/format.ts';
import { Link } from '#web/lib/link.tsx';
import { pageMeta } from '#web/lib/page-meta.ts';
import { paths } from '#web/lib/paths.ts';
import { PrintedFrom } from '#web/lib/printed-from.tsx';
import { askApi, readAnswer } from '#web/lib/server-api.ts';
import { Banner } from '#web/ui/banner.tsx';
import { buttonClass } from '#web/ui/button.tsx';
import { PageHeading } from '#web/ui/page-heading.tsx';
import type { Route } from './+types/compare.ts';

const NOTHING: EmployerComparison = { results: [], unknown_ids: [], specialties: [] };

/** The URL names the employers, so that it can be shared. */
export async function loader({ context, request }: Route.LoaderArgs) {
  const { searchParams } = new URL(request.url);
  const ids = searchParams.get('ids');
  const specialty = searchParams.get('specialty') || undefined;
  if (!ids) return { ...NOTHING, specialty, refusal: null };
  const answer = await askApi(context, employerEndpoints.compare, { query: { ids, specialty } });
  if (answer.status === 400) {
    const { errors, detail } = (await answer.json()) as Problem;
    return data(
      { ...NOTHING, specialty, refusal: errors?.['ids']?.[0] ?? detail },
      { status: 400 },
    );
  }
  return { ...(await readAnswer(answer)), specialty, refusal: null };
}

export function meta({ loaderData }: Route.MetaArgs) {
  const names = (loaderData?.results ?? []).map(({ employer }) => titleCase(employer.name));
  if (names.length === 0) {
    return pageMeta('Compare employers', 'Ratings of employers by verified doctors, side by side.');
  }
  const specialty = loaderData?.specialty;
  return pageMeta(
    `Compare ${names.join(', ')}${specialty ? `: ${specialty}` : ''}`,
    `Ratings by verified doctors side by side: ${names.join(', ')}.`,
  );
}

export default function Compare({
  loaderData: { results, unknown_ids, specialties, specialty, refusal },
}: Route.ComponentProps) {
  const ids = results.map(({ employer }) => employer.id);
  return (
    <div className="page-width">
      <PageHeading
        title="Compare employers"
        subtitle={`${COMPARE_MIN} to ${COMPARE_MAX} employers side by side, as rated by verified doctors`}
        action={
          <div className="flex flex-wrap items-center gap-2">
            <Link to={paths.employers()} className={buttonClass('secondary', 'md', 'px-4')}>
              Find employers
            </Link>
            {results.length > 0 && (
              <CompareActions
                ids={ids}
                specialty={specialty}
                title={`Compare ${results.map(({ employer }) => titleCase(employer.name)).join(', ')}`}
              />
            )}
          </div>
        }
      />
      <PrintedFrom />
      {unknown_ids.length > 0 && (
        <Banner tone="info" className="my-4">
          {plural(unknown_ids.length, 'employer')} in this comparison could not be found.
        </Banner>
      )}
      {results.length > 0 ? (
        <>
          <ComparedSpecialty ids={ids} specialties={specialties} specialty={specialty} />
          {specialty && (
            <p className="hidden pb-2 text-sm print:block">Ratings by {specialty} only</p>
          )}
          <ComparisonTable compared={results} specialty={specialty} />
          <p className="max-w-measure pt-4 text-xs text-ink-faint lining-nums">{METHOD}</p>
        </>
      ) : (
        <>
          <div className="py-4">
            <NothingCompared
              title={refusal ?? (unknown_ids.length > 0 ? 'Nothing to compare yet' : null)}
            />
          </div>
          <CompareTray />
        </>
      )}
    </div>
  );
}

const METHOD = `Biggest differences first. “Best” requires ${REVIEWS_TO_COMPARE} reviews of each employer and a lead of ${BEST_LEAD} stars, or the same share of a percentage scale. On an axis, each dot is an average, and the line through it is what one more review of 1 or of 5 stars would make of it.`;
