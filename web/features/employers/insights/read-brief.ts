import { data, type RouterContextProvider, redirect } from 'react-router';
import type { Employer, EmployerBrief } from '#contract/employers/employers.ts';
import { employerEndpoints } from '#contract/endpoints/employers.ts';
import { paths } from '#web/lib/paths.ts';
import { type ApiResponse, askApi, mergedInto, readAnswer } from '#web/lib/render-context.ts';
import type { Criteria } from '#web/listing/criteria.ts';

export interface BriefData {
  employer: Employer;
  /** Null if they failed to load. The page works without them. */
  insights: ShownInsights | null;
}

export type ShownInsights = ReturnType<typeof toShown>;

/**
 * An employer with its insights. Throws a redirect if the employer was merged, with the filters of its
 * reviews, and the error response if it does not exist.
 */
export async function readBrief(
  context: Readonly<RouterContextProvider>,
  id: string,
  criteria: Criteria,
): Promise<BriefData> {
  const brief = await askApi(context, employerEndpoints.insights, {
    params: { id },
    query: { specialty: criteria['specialty'] },
  });
  if (brief.status < 500) {
    const { employer, ...insights } = await readEmployer(brief, criteria);
    return { employer, insights: toShown(insights) };
  }
  const employer = await askApi(context, employerEndpoints.read, { params: { id } });
  return { employer: await readEmployer(employer, criteria), insights: null };
}

async function readEmployer<T>(response: ApiResponse<T>, criteria: Criteria): Promise<T> {
  if (response.status === 301) {
    throw redirect(paths.employer(await mergedInto(response), criteria), 301);
  }
  // The id is out of range.
  if (response.status === 400) throw data(null, { status: 404 });
  return readAnswer(response);
}

/**
 * Some employers have a hundred specialties. One object keeps the page smaller than a list of
 * objects.
 */
const toShown = (insights: Omit<EmployerBrief, 'employer'>) => ({
  ...insights,
  specialties: Object.fromEntries(
    insights.specialties.map(({ specialty, count }) => [specialty, count]),
  ),
});
