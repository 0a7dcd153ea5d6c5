import { logEndpoints } from '#contract/endpoints/office.ts';
import { PAGE_SIZE } from '#contract/limits.ts';
import { requireAdmin } from '#web/features/office/factor/require-admin.ts';
import { filtersOf } from '#web/features/office/filter-choices.tsx';
import { LogDownload } from '#web/features/office/log/log-download.tsx';
import {
  LOG_FILTERS,
  LogFilterLinks,
  LogSearch,
  logBy,
} from '#web/features/office/log/log-filters.tsx';
import { LogList } from '#web/features/office/log/log-list.tsx';
import { OfficeError } from '#web/features/office/office-error.tsx';
import { OfficeNav } from '#web/features/office/office-nav.tsx';
import { RemovedTexts } from '#web/features/reviews/moderation/removed-texts.tsx';
import { plural } from '#web/lib/format.ts';
import { Link } from '#web/lib/link.tsx';
import { pageMeta } from '#web/lib/page-meta.ts';
import { pageNumber } from '#web/lib/page-number.ts';
import { paths } from '#web/lib/paths.ts';
import { api } from '#web/lib/session.ts';
import { ApiError } from '#web/lib/transport-error.ts';
import { PageHeading } from '#web/ui/page-heading.tsx';
import { NoSuchPage, type PageLink, Pagination } from '#web/ui/pagination.tsx';
import type { Route } from './+types/admin-log.ts';

export const meta = () => pageMeta('Log');

export async function clientLoader({ request }: Route.ClientLoaderArgs) {
  const { user } = await requireAdmin(request, 'auditor');
  const page = pageNumber(request.url);
  const filters = filtersOf(request.url, LOG_FILTERS);
  const [log, removed] = await Promise.all([
    api.call(logEndpoints.list, { query: { ...filters, page } }),
    filters.review ? readRemoved(filters.review) : null,
  ]);
  return { log, removed, filters, page, roles: user.roles, now: new Date() };
}

/** Null if nothing of the review is removed, or the auditor may not read about reviews. */
const readRemoved = (id: string) =>
  api.call(logEndpoints.removed, { params: { id } }).catch((error: unknown) => {
    if (error instanceof ApiError && [400, 403, 404].includes(error.status ?? 0)) return null;
    throw error;
  });

export default function AdminLog({ loaderData }: Route.ComponentProps) {
  const { log, removed, filters, page, roles, now } = loaderData;
  const pages = Math.ceil(log.count / PAGE_SIZE);
  const link: PageLink = ({ page: target, ...rest }) => (
    <Link {...rest} to={paths.log({ ...filters, page: target === 1 ? null : target })} />
  );
  return (
    <section aria-label="Log" className="page-width">
      <OfficeNav />
      <PageHeading title="Log" subtitle={plural(log.count, 'action')} />
      <LogFilterLinks filters={filters} roles={roles} now={now} />
      <LogSearch filters={filters} entries={log.results} />
      {log.count > 0 && <LogDownload filters={filters} />}
      {page > pages && pages > 0 ? (
        <NoSuchPage page={page} pages={pages} link={link} />
      ) : (
        <LogList
          entries={log.results}
          filtered={(name, value) => logBy(filters, { [name]: value })}
        />
      )}
      {page <= pages && <Pagination current={page} pages={pages} link={link} />}
      {removed && <RemovedTexts texts={removed} />}
    </section>
  );
}

export const ErrorBoundary = () => <OfficeError title="Log" what="the log" />;
