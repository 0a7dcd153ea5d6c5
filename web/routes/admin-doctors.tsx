import { useState } from 'react';
import { useNavigate } from 'react-router';
import { doctorEndpoints } from '#contract/endpoints/office.ts';
import type { DoctorsOfNpi } from '#contract/office/case-queue.ts';
import { NPI_FIELD } from '#web/features/accounts/account-fields.ts';
import { caseWrites } from '#web/features/office/cases/case-writes.ts';
import { DoctorFile } from '#web/features/office/cases/doctor-file.tsx';
import { REASON_FIELD, Reason } from '#web/features/office/decision-fields.ts';
import { requireAdmin } from '#web/features/office/factor/require-admin.ts';
import { OfficeError, OfficePage } from '#web/features/office/office-page.tsx';
import { Form } from '#web/form/form.tsx';
import { pageMeta } from '#web/lib/page-meta.ts';
import { paths } from '#web/lib/paths.ts';
import { api } from '#web/lib/session.ts';
import { ApiError } from '#web/lib/transport-error.ts';
import { useWrite } from '#web/lib/write.ts';
import { Banner } from '#web/ui/banner.tsx';
import type { Route } from './+types/admin-doctors.ts';

interface NpiAccountsProps {
  npi: string;
  found: DoctorsOfNpi;
}

/** All accounts that name an NPI, each with its decision form, and the ban on the NPI. */
function NpiAccounts({ npi, found }: NpiAccountsProps) {
  const [done, setDone] = useState<string | null>(null);
  const { is_banned, results } = found;
  return (
    <>
      {done && (
        <Banner tone="success" className="mb-8">
          {done}
        </Banner>
      )}
      {results.length === 0 && <p>No account has this NPI.</p>}
      {is_banned && <LiftBan npi={npi} onDecided={setDone} />}
      {results.map((doctor) => (
        <section key={doctor.user.id} className="curb-rule mt-8 pt-6">
          <h2 className="mb-6 font-display text-xl wrap-anywhere">
            {doctor.user.first_name} {doctor.user.last_name}
          </h2>
          <DoctorFile doctor={doctor} isEviction={false} onDecided={setDone} />
        </section>
      ))}
    </>
  );
}

function LiftBan({ npi, onDecided }: { npi: string; onDecided: (done: string) => void }) {
  const { send, error } = useWrite(caseWrites, 'unban', {
    onDone: ({ message }) => onDecided(message),
  });
  return (
    <section aria-label="Ban" className="max-w-form">
      <p className="pb-4">
        This NPI is banned. No account can be verified with it, except after a mailbox or a match
        alone: then a letter or an administrator still can.
      </p>
      <Form
        schema={Reason}
        fields={[REASON_FIELD]}
        action="Lift the ban"
        draft={`unban:${npi}`}
        error={error}
        onSubmit={({ reason }) => send({ body: { npi, reason } })}
      >
        <h2 className="font-display text-xl">Decision</h2>
      </Form>
    </section>
  );
}

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
    <OfficePage
      title="Doctors"
      subtitle="Find any account by its NPI. The office does not know what doctors wrote."
    >
      <Form
        fields={[{ ...NPI_FIELD, key: npi, value: npi, error, className: 'w-full' }]}
        action={{ text: 'Find', variant: 'secondary' }}
        onSubmit={({ npi: typed = '' }) => navigate(paths.adminDoctors({ npi: typed }))}
        form={{ className: 'flex max-w-form flex-col items-start gap-4 pb-8' }}
      />
      {found && <NpiAccounts key={npi} npi={npi} found={found} />}
    </OfficePage>
  );
}

export const ErrorBoundary = () => <OfficeError title="Doctors" what="the doctors" />;
