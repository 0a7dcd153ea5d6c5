import { staffEndpoints } from '#contract/endpoints/office.ts';
import { unstaffedText } from '#contract/staff-roles.ts';
import { requireAdmin } from '#web/features/office/factor/require-admin.ts';
import { OfficeError, OfficePage } from '#web/features/office/office-page.tsx';
import { StaffList, staffWrites } from '#web/features/office/staff/staff-list.tsx';
import { pageMeta } from '#web/lib/page-meta.ts';
import { api } from '#web/lib/session.ts';
import { Banner } from '#web/ui/banner.tsx';
import type { Route } from './+types/admin-staff.ts';

export const meta = () => pageMeta('Staff');

export async function clientLoader({ request }: Route.ClientLoaderArgs) {
  await requireAdmin(request, 'owner');
  return api.call(staffEndpoints.list);
}

export const clientAction = staffWrites.clientAction;

export default function AdminStaff({ loaderData }: Route.ComponentProps) {
  const { results: staff, former, unstaffed } = loaderData;
  return (
    <OfficePage title="Staff" subtitle="Who works in the office, and in which roles.">
      {staff.length === 1 && (
        <p className="max-w-measure pb-6 text-ink-soft">
          In an office of one, the same person has all roles, no matter what is listed here.
        </p>
      )}
      {unstaffed.map((one) => (
        <Banner key={one.role} tone={one.cases > 0 ? 'error' : 'info'} className="mb-4">
          {unstaffedText(one)}
        </Banner>
      ))}
      <StaffList staff={staff} former={former} />
      <p className="max-w-measure pt-10 text-ink-soft">
        Add new staff on the server: <code>curbside admin add</code>.
      </p>
    </OfficePage>
  );
}

export const ErrorBoundary = () => <OfficeError title="Staff" what="the staff" />;
