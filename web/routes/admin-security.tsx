import { isRouteErrorResponse } from 'react-router';
import { digestEndpoints, factorEndpoints } from '#contract/endpoints/staff.ts';
import { DigestSection } from '#web/features/office/factor/digest-section.tsx';
import { FactorSection } from '#web/features/office/factor/factor-section.tsx';
import { factorWrites } from '#web/features/office/factor/factor-writes.ts';
import { requireAdmin } from '#web/features/office/factor/require-admin.ts';
import { OfficeNav } from '#web/features/office/office-nav.tsx';
import { Link } from '#web/lib/link.tsx';
import { pageMeta } from '#web/lib/page-meta.ts';
import { api } from '#web/lib/session.ts';
import { NotFoundScreen } from '#web/shell/error-screens.tsx';
import { Banner } from '#web/ui/banner.tsx';
import { buttonClass } from '#web/ui/button.tsx';
import { PageHeading } from '#web/ui/page-heading.tsx';
import type { Route } from './+types/admin-security.ts';

export const meta = () => pageMeta('Office security');

export async function clientLoader({ request }: Route.ClientLoaderArgs) {
  await requireAdmin(request);
  // Where the user was going, if that is a page of the office.
  const target = `/${new URL(request.url).searchParams.get('redirect') ?? ''}`;
  const [status, digest] = await Promise.all([
    api.call(factorEndpoints.status),
    api.call(digestEndpoints.read),
  ]);
  return {
    status,
    digest,
    next: target.startsWith('/admin/') ? target : null,
  };
}

export const clientAction = factorWrites.clientAction;

export default function AdminSecurity({ loaderData }: Route.ComponentProps) {
  const { status, digest, next } = loaderData;
  return (
    <div className="page-width">
      <OfficeNav />
      <PageHeading
        title="Office security"
        subtitle="A second factor, which you need to enter the office."
      />
      <FactorSection status={status} />
      {next !== null && (
        <Link to={next} className={buttonClass('primary', 'md', 'mt-8')}>
          Continue to the office
        </Link>
      )}
      {/* Without the factor that it requires, nobody can change it. */}
      {(status.is_set_up || !status.is_required) && <DigestSection isOn={digest.is_on} />}
    </div>
  );
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  if (isRouteErrorResponse(error) && error.status === 404) return <NotFoundScreen />;
  return (
    <div className="page-width">
      <PageHeading title="Office security" />
      <Banner tone="error">Failed to load your second factor. Please try again later.</Banner>
    </div>
  );
}
