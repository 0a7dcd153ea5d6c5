import { useNavigate } from 'react-router';
import { doctorEndpoints } from '#contract/endpoints/office.ts';
import { NPI_FIELD } from '#web/features/accounts/account-fields.ts';
import { RegistryChecks } from '#web/features/accounts/verification/registry-checks.tsx';
import { requireAdmin } from '#web/features/office/factor/require-admin.ts';
import { OfficeError } from '#web/features/office/office-error.tsx';
import { OfficeNav } from '#web/features/office/office-nav.tsx';
import { caseWrites } from '#web/features/office/queue/case-writes.ts';
import { NpiAccounts } from '#web/features/office/queue/npi-accounts.tsx';
import { Form } from '#web/form/form.tsx';
import { pageMeta } from '#web/lib/page-meta.ts';
import { paths } from '#web/lib/paths.ts';
import { api } from '#web/lib/session.ts';
import { ApiError } from '#web/lib/transport-error.ts';
import { PageHeading } from '#web/ui/page-heading.tsx';
import type { Route } from './+types/admin-doctors.ts';

export const meta = () => pageMeta('Doctors');

export async function clientLoader({ request }: Route.ClientLoaderArgs) {
  await requireAdmin(request, 'verifier');
  const npi = new URL(request.url).searchParams.get('npi') ?? '';
  if (npi === '') return { npi, found: null, error: undefined };
  try {
    return {
      npi,
      found: await api.call(doctorEndpoints.find, { query: { npi } }),
      error: undefined,
    };
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 400) throw error;
    return { npi, found: null, error: error.message };
  }
}

export const clientAction = caseWrites.clientAction;

export default function AdminDoctors({ loaderData }: Route.ComponentProps) {
  const { npi, found, error } = loaderData;
  const navigate = useNavigate();
  return (
    <div className="page-width">
      <OfficeNav />
      <PageHeading
        title="Doctors"
        subtitle="Find any account by its NPI. The office does not know what doctors wrote."
      />
      <Form
        fields={[{ ...NPI_FIELD, key: npi, value: npi, error, className: 'w-full' }]}
        action={{ text: 'Find', variant: 'secondary' }}
        onSubmit={({ npi: typed = '' }) => navigate(paths.adminDoctors({ npi: typed }))}
        form={{ className: 'flex max-w-form flex-col items-start gap-4 pb-8' }}
      />
      {found && (
        <NpiAccounts
          key={npi}
          npi={npi}
          found={found}
          renderChecks={(checks) => <RegistryChecks checks={checks} />}
        />
      )}
    </div>
  );
}

export const ErrorBoundary = () => <OfficeError title="Doctors" what="the doctors" />;
