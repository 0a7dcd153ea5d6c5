import { useState } from 'react';
import { data, Form, useNavigate } from 'react-router';
import { COMPARE_MAX, COMPARE_MIN } from '#contract/employers/employer-choices.ts';
import type { EmployerComparison } from '#contract/employers/employer-comparison.ts';
import { employerEndpoints } from '#contract/endpoints/employers.ts';
import { BEST_LEAD, REVIEWS_TO_COMPARE } from '#contract/limits.ts';
import { titleCase } from '#contract/names.ts';
import type { Problem } from '#contract/problem.ts';
import { CompareTray, NothingCompared } from '#web/features/employers/compare/compare-tray.tsx';
import { ComparisonTable } from '#web/features/employers/compare/comparison-table.tsx';
import { plural } from '#web/lib/format.ts';
import { Link } from '#web/lib/link.tsx';
import { pageMeta } from '#web/lib/page-meta.ts';
import { paths } from '#web/lib/paths.ts';
import { PrintedFrom } from '#web/lib/printed-from.tsx';
import { askApi, readAnswer } from '#web/lib/render-context.ts';
import { ShowButton } from '#web/listing/choice-field.tsx';
import { rememberSpecialty, useMineFirst } from '#web/listing/specialty-field.tsx';
import { Banner } from '#web/ui/banner.tsx';
import { Button, buttonClass } from '#web/ui/button.tsx';
import { Field, Select } from '#web/ui/inputs.tsx';
import { PageHeading } from '#web/ui/page-heading.tsx';
import { ShareButton } from '#web/ui/share-button.tsx';
import type { Route } from './+types/compare.ts';

interface ComparedSpecialtyProps {
  ids: readonly number[];
  /** The specialties of the reviews. */
  specialties: readonly string[];
  specialty: string | undefined;
}

/** Limits the ratings to one specialty. A GET form, so it works without script. */
function ComparedSpecialty({ ids, specialties, specialty = '' }: ComparedSpecialtyProps) {
  const navigate = useNavigate();
  const isUnknown = specialty !== '' && !specialties.includes(specialty);
  const names = isUnknown ? [specialty, ...specialties] : specialties;
  const choices = useMineFirst(names);
  if (names.length === 0) return null;
  return (
    <Form action={paths.compare()} className="flex flex-wrap items-end gap-3 pb-4 print:hidden">
      <input type="hidden" name="ids" value={ids.join(',')} />
      <Field label="Ratings by" className="max-sm:basis-full">
        {(control) => (
          <Select
            {...control}
            name="specialty"
            value={specialty}
            onChange={({ target: { value } }) => {
              rememberSpecialty(value);
              void navigate(paths.compare(ids, value), { preventScrollReset: true });
            }}
            className="sm:min-w-64"
          >
            <option value="">All specialties</option>
            {choices.map((name) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <ShowButton />
    </Form>
  );
}

interface CompareActionsProps {
  ids: readonly number[];
  specialty: string | undefined;
  title: string;
}

/** The shared link contains the employers and the specialty, but not the notes. */
function CompareActions({ ids, specialty, title }: CompareActionsProps) {
  const [notice, setNotice] = useState<string | null>(null);
  return (
    <>
      <ShareButton
        path={paths.compare(ids, specialty)}
        title={title}
        className={buttonClass('secondary', 'md', 'px-4')}
        onNotice={setNotice}
      />
      <Button variant="secondary" className="px-4 noscript:hidden" onClick={() => window.print()}>
        Print
      </Button>
      <p
        role="status"
        className="basis-full text-sm text-ink-soft wrap-anywhere empty:hidden print:hidden"
      >
        {notice}
      </p>
    </>
  );
}

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
