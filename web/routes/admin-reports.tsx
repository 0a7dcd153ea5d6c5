import { redirect } from 'react-router';
import { moderationEndpoints } from '#contract/endpoints/moderation.ts';
import { PAGE_SIZE } from '#contract/limits.ts';
import { OfficeError } from '#web/features/office/office-error.tsx';
import { OfficeNav } from '#web/features/office/office-nav.tsx';
import { moderationWrites } from '#web/features/reviews/moderation/decisions.ts';
import { ModeratedList } from '#web/features/reviews/moderation/moderated-list.tsx';
import { plural } from '#web/lib/format.ts';
import { requireAdmin } from '#web/lib/guards.ts';
import { Link } from '#web/lib/link.tsx';
import { pageMeta } from '#web/lib/page-meta.ts';
import { pageNumber } from '#web/lib/page-number.ts';
import { paths } from '#web/lib/paths.ts';
import { api } from '#web/lib/session.ts';
import { cx } from '#web/ui/cx.ts';
import { PageHeading } from '#web/ui/page-heading.tsx';
import { type PageLink, Pagination } from '#web/ui/pagination.tsx';
import type { Route } from './+types/admin-reports.ts';

const NOTHING_OPEN = { title: 'No open reports', text: 'Nothing needs your attention.' };
const NOTHING_REMOVED = {
  title: 'No removed reviews',
  text: 'Reviews that a moderator removes are listed here.',
};

export const meta = () => pageMeta('Reported reviews');

export async function clientLoader({ request }: Route.ClientLoaderArgs) {
  await requireAdmin(request, 'moderator');
  const isRemoved = new URL(request.url).searchParams.get('show') === 'removed';
  const page = pageNumber(request.url);
  const show = isRemoved ? 'removed' : 'open';
  const moderated = await api.call(moderationEndpoints.listReports, { query: { show, page } });
  // The last review of the last page may just have been removed from the list.
  if (page > 1 && moderated.results.length === 0) {
    throw redirect(paths.adminReports({ show: isRemoved ? 'removed' : undefined }));
  }
  return { moderated, isRemoved, page };
}

export const clientAction = moderationWrites.clientAction;

export default function AdminReports({ loaderData }: Route.ComponentProps) {
  const { moderated, isRemoved, page } = loaderData;
  const show = isRemoved ? 'removed' : undefined;
  const link: PageLink = ({ page: target, ...rest }) => (
    <Link {...rest} to={paths.adminReports({ show, page: target === 1 ? null : target })} />
  );
  return (
    <div className="page-width">
      <OfficeNav />
      <PageHeading
        title="Reported reviews"
        subtitle={
          isRemoved
            ? `${plural(moderated.count, 'review')} removed`
            : `${plural(moderated.count, 'review')} to look at`
        }
      />
      <nav aria-label="Reports" className="mb-8 flex gap-6 border-b border-rule print:hidden">
        <Tab to={paths.adminReports()} isCurrent={!isRemoved}>
          Open reports
        </Tab>
        <Tab to={paths.adminReports({ show: 'removed' })} isCurrent={isRemoved}>
          Removed reviews
        </Tab>
      </nav>
      <h2 className="sr-only">{isRemoved ? 'Removed reviews' : 'Open reports'}</h2>
      <ModeratedList
        key={String(isRemoved)}
        reviews={moderated.results}
        empty={isRemoved ? NOTHING_REMOVED : NOTHING_OPEN}
      />
      <Pagination current={page} pages={Math.ceil(moderated.count / PAGE_SIZE)} link={link} />
    </div>
  );
}

function Tab({ to, isCurrent, children }: { to: string; isCurrent: boolean; children: string }) {
  return (
    <Link
      to={to}
      aria-current={isCurrent ? 'page' : undefined}
      className={cx(
        '-mb-px flex min-h-11 items-center border-b-2 text-sm no-underline',
        isCurrent
          ? 'border-accent font-semibold text-ink'
          : 'border-transparent text-ink-soft hover:text-ink',
      )}
    >
      {children}
    </Link>
  );
}

export const ErrorBoundary = ({ error }: Route.ErrorBoundaryProps) => (
  <OfficeError error={error} title="Reported reviews" what="reports" />
);
