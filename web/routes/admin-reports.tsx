import { redirect } from 'react-router';
import { moderationEndpoints } from '#contract/endpoints/moderation.ts';
import { REPORT_LISTS, type ReportList } from '#contract/reviews/review-moderation.ts';
import { requireAdmin } from '#web/features/office/factor/require-admin.ts';
import { OfficeError, OfficePage, Paged } from '#web/features/office/office-page.tsx';
import { moderationWrites } from '#web/features/reviews/moderation/decision-dialog.tsx';
import { ModeratedList } from '#web/features/reviews/moderation/moderated-list.tsx';
import { plural } from '#web/lib/format.ts';
import { Link } from '#web/lib/link.tsx';
import { pageMeta } from '#web/lib/page-meta.ts';
import { pageNumber, paths } from '#web/lib/paths.ts';
import { api } from '#web/lib/session.ts';
import { cx } from '#web/ui/cx.ts';
import type { Route } from './+types/admin-reports.ts';

interface ListTexts {
  tab: string;
  /** After the number of reviews. */
  subtitle: string;
  empty: { title: string; text: string };
}

const LISTS: Record<ReportList, ListTexts> = {
  open: {
    tab: 'Open reports',
    subtitle: 'to look at',
    empty: { title: 'No open reports', text: 'Nothing needs your attention.' },
  },
  removed: {
    tab: 'Removed reviews',
    subtitle: 'removed',
    empty: {
      title: 'No removed reviews',
      text: 'Reviews that a moderator removes are listed here.',
    },
  },
  kept: {
    tab: 'Kept reviews',
    subtitle: 'kept',
    empty: { title: 'No kept reviews', text: 'Reviews that a moderator keeps are listed here.' },
  },
  replies: {
    tab: 'Removed replies',
    subtitle: 'with a removed reply',
    empty: {
      title: 'No removed replies',
      text: 'Replies that a moderator removes are listed here.',
    },
  },
};

export const meta = () => pageMeta('Reported reviews');

export async function clientLoader({ request }: Route.ClientLoaderArgs) {
  await requireAdmin(request, 'moderator');
  const wanted = new URL(request.url).searchParams.get('show');
  const show = REPORT_LISTS.find((one) => one === wanted) ?? 'open';
  const page = pageNumber(request.url);
  const moderated = await api.call(moderationEndpoints.listReports, { query: { show, page } });
  // The last review of the last page may just have been removed from the list.
  if (page > 1 && moderated.results.length === 0) {
    throw redirect(paths.adminReports({ show: inUrl(show) }));
  }
  return { moderated, show, page };
}

const inUrl = (show: ReportList) => (show === 'open' ? undefined : show);

export const clientAction = moderationWrites.clientAction;

export default function AdminReports({ loaderData }: Route.ComponentProps) {
  const { moderated, show, page } = loaderData;
  return (
    <OfficePage
      title="Reported reviews"
      subtitle={`${plural(moderated.count, 'review')} ${LISTS[show].subtitle}`}
    >
      <nav
        aria-label="Reports"
        className="mb-8 flex flex-wrap gap-x-6 border-b border-rule print:hidden"
      >
        {REPORT_LISTS.map((one) => (
          <Tab key={one} to={paths.adminReports({ show: inUrl(one) })} isCurrent={one === show}>
            {LISTS[one].tab}
          </Tab>
        ))}
      </nav>
      <h2 className="sr-only">{LISTS[show].tab}</h2>
      <Paged
        page={page}
        count={moderated.count}
        to={(target) => paths.adminReports({ show: inUrl(show), page: target })}
      >
        <ModeratedList key={show} reviews={moderated.results} empty={LISTS[show].empty} />
      </Paged>
    </OfficePage>
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

export const ErrorBoundary = () => <OfficeError title="Reported reviews" what="reports" />;
