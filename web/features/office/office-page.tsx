import type { ReactNode } from 'react';
import { data, isRouteErrorResponse, useRouteError } from 'react-router';
import { PAGE_SIZE } from '#contract/limits.ts';
import { ROLES, Role } from '#contract/staff-roles.ts';
import { Link, NavLink } from '#web/lib/link.tsx';
import { paths } from '#web/lib/paths.ts';
import { useSession } from '#web/lib/session.ts';
import { ApiError } from '#web/lib/transport-error.ts';
import { NotFoundScreen } from '#web/shell/error-screens.tsx';
import { Banner } from '#web/ui/banner.tsx';
import { PageHeading } from '#web/ui/page-heading.tsx';
import { NoSuchPage, type PageLink, Pagination } from '#web/ui/pagination.tsx';

interface OfficeErrorProps {
  title?: string;
  /** What could not be loaded. */
  what?: string;
}

/**
 * Replaces a page of the office that failed to load. To anyone but an administrator, the page does
 * not exist.
 */
export function OfficeError({ title = 'Office', what = 'the office' }: OfficeErrorProps) {
  const error = useRouteError();
  if (isRouteErrorResponse(error) && error.status === 404) return <NotFoundScreen />;
  const role = isRouteErrorResponse(error) && Role.safeParse(error.data?.role).data;
  if (role) return <OtherRole role={role} />;
  return (
    <div className="page-width">
      <PageHeading title={title} />
      <Banner tone="error">
        {`Failed to load ${what}: ${error instanceof Error ? error.message : 'Unknown error'}`}
      </Banner>
    </div>
  );
}

/** For staff whose roles do not cover the page or the case. */
function OtherRole({ role }: { role: Role }) {
  const { user } = useSession();
  const own = (user?.roles ?? []).map((one) => ROLES[one].toLowerCase()).join(', ');
  return (
    <div className="page-width">
      <PageHeading title="Office" />
      <Banner tone="info">
        This is for the role of {ROLES[role].toLowerCase()}. Your roles: {own}.
      </Banner>
      <p className="mt-6">
        <Link to={paths.office()} className="prose-link">
          Back to the queue
        </Link>
      </p>
    </div>
  );
}

/** For what a URL names: the page does not exist if the API does not know it, or its id is malformed. */
export async function orNotFound<T>(call: Promise<T>): Promise<T> {
  try {
    return await call;
  } catch (error) {
    const isUnknown = error instanceof ApiError && [400, 404].includes(error.status ?? 0);
    throw isUnknown ? data(null, { status: 404 }) : error;
  }
}

/** The pages of the office, and who may open them. */
const PAGES: readonly { text: string; to: string; role?: Role }[] = [
  { text: 'Queue', to: paths.office() },
  { text: 'Reported reviews', to: paths.adminReports(), role: 'moderator' },
  { text: 'Doctors', to: paths.adminDoctors(), role: 'verifier' },
  { text: 'Representatives', to: paths.admin('representatives'), role: 'curator' },
  { text: 'Log', to: paths.log(), role: 'auditor' },
  { text: 'Staff', to: paths.admin('staff'), role: 'owner' },
  { text: 'Office security', to: paths.admin('security') },
];

/** Links to the pages of the office that the user may open. */
function OfficeNav() {
  const { user } = useSession();
  const mine = PAGES.filter(({ role }) => role === undefined || user?.roles.includes(role));
  return (
    <nav aria-label="Office" className="flex flex-wrap gap-x-6 pt-6 print:hidden">
      {mine.map(({ text, to }) => (
        <NavLink
          key={to}
          to={to}
          end={to === paths.office()}
          className="flex min-h-11 items-center text-sm text-ink-soft underline-offset-4 hover:underline aria-[current=page]:font-semibold aria-[current=page]:text-ink"
        >
          {text}
        </NavLink>
      ))}
    </nav>
  );
}

interface OfficePageProps extends Pick<Parameters<typeof PageHeading>[0], 'subtitle' | 'action'> {
  title: string;
  /** The name of the region, if it is not the title. */
  label?: string;
  /** What was just decided. */
  done?: string | false | null;
  children: ReactNode;
}

/** A page of the office, except for that of a case. */
export function OfficePage({ title, label = title, done, children, ...heading }: OfficePageProps) {
  return (
    <section aria-label={label} className="page-width">
      <OfficeNav />
      <PageHeading title={title} {...heading} />
      {done && (
        <Banner tone="success" className="mb-6">
          {done}
        </Banner>
      )}
      <div>{children}</div>
    </section>
  );
}

interface PagedProps {
  page: number;
  /** How many entries all pages have. */
  count: number;
  /** The URL of a page; null is the first one. */
  to: (page: number | null) => string;
  children: ReactNode;
}

/** One page of a list, with links to the others. */
export function Paged({ page, count, to, children }: PagedProps) {
  const pages = Math.ceil(count / PAGE_SIZE);
  const link: PageLink = ({ page: target, ...rest }) => (
    <Link {...rest} to={to(target === 1 ? null : target)} />
  );
  if (page > pages && pages > 0) return <NoSuchPage page={page} pages={pages} link={link} />;
  return (
    <>
      {children}
      <Pagination current={page} pages={pages} link={link} />
    </>
  );
}
