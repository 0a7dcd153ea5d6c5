import type { ReactNode } from 'react';
import { Link, useNavigation } from 'react-router';
import { EMPLOYER_MESSAGES, EMPLOYER_ORDERINGS, type Employer } from '#contract/employers.ts';
import { PAGE_SIZE } from '#contract/limits.ts';
import type { Page } from '#contract/paging.ts';
import { EmployerCard } from '#web/features/employers/employer-card.tsx';
import { formatCount, plural } from '#web/lib/format.ts';
import { listQuery, pageNumber } from '#web/lib/list-query.ts';
import { pageMeta } from '#web/lib/page-meta.ts';
import { apiPaths, paths, withQuery } from '#web/lib/paths.ts';
import { loadFromApi } from '#web/lib/server-api.ts';
import { ListSearch } from '#web/shell/list-search.tsx';
import { Banner } from '#web/ui/banner.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { PageHeading } from '#web/ui/page-heading.tsx';
import { type PageLink, Pagination } from '#web/ui/pagination.tsx';
import type { Route } from './+types/employers.ts';

/** Specification, section 7, `GET /employers/`. */
const FILTERS = [
  'search',
  'state',
  'employer_type',
  'ownership_type',
  'trauma_level',
  'hospital_status',
  'has_helipad',
  'min_beds',
  'max_beds',
  'min_staff',
  'max_staff',
  'hospitals_only',
  'ordering',
];

export const meta = () =>
  pageMeta(
    'Employers',
    'US hospitals, residencies, fellowships and clinics, with anonymous reviews from verified doctors.',
  );

export async function loader({ context, request }: Route.LoaderArgs) {
  const query = listQuery(request.url, FILTERS);
  const page = pageNumber(request.url);
  const path = apiPaths.employers({ ...query, page, page_size: PAGE_SIZE });
  const { count, results } = await loadFromApi<Page<Employer>>(context, path);
  return { count, results, page, query };
}

export default function Employers({ loaderData }: Route.ComponentProps) {
  const { count, results, page, query } = loaderData;
  const isLoading = useNavigation().state === 'loading';
  const link: PageLink = ({ page: target, ...rest }) => (
    <Link {...rest} to={paths.employers({ ...query, page: target === 1 ? null : target })} />
  );
  const firstShown = (page - 1) * PAGE_SIZE + 1;
  return (
    <div className="page-width">
      <PageHeading
        title="Employers"
        subtitle={`${plural(count, 'employer')}, anonymous reviews from verified doctors`}
      />
      <div className="py-6">
        <ListSearch
          key={withQuery('', query)}
          action={paths.employers()}
          search={String(query['search'] ?? '')}
          placeholder="Name, city, specialty or address"
          ordering={String(query['ordering'] ?? 'name')}
          orderings={EMPLOYER_ORDERINGS}
        />
      </div>
      {results.length === 0 ? (
        <EmptyState title="No employers found">Try adjusting your search or filters.</EmptyState>
      ) : (
        <>
          <Line>
            {isLoading
              ? 'Loading...'
              : `Showing ${formatCount(firstShown)} to ${formatCount(firstShown + results.length - 1)} of ${plural(count, 'employer')}`}
          </Line>
          <ul className="grid gap-x-16 lg:grid-cols-2">
            {results.map((employer) => (
              <li key={employer.id}>
                <EmployerCard employer={employer} />
              </li>
            ))}
          </ul>
        </>
      )}
      <Pagination current={page} pages={Math.ceil(count / PAGE_SIZE)} link={link} />
    </div>
  );
}

function Line({ children }: { children: ReactNode }) {
  return (
    <p role="status" className="pb-3 text-sm text-ink-faint lining-nums">
      {children}
    </p>
  );
}

export function ErrorBoundary() {
  return (
    <div className="page-width">
      <PageHeading title="Employers" />
      <Banner tone="error" className="mt-6">
        {EMPLOYER_MESSAGES.listFailed}
      </Banner>
    </div>
  );
}
