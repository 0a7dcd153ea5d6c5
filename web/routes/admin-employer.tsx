import { useState } from 'react';
import { employerEndpoints } from '#contract/endpoints/employers.ts';
import { titleCase } from '#contract/names.ts';
import { caseWrites } from '#web/features/office/cases/case-writes.ts';
import { EmployerFileScreen } from '#web/features/office/cases/employer-file.tsx';
import { requireAdmin } from '#web/features/office/factor/require-admin.ts';
import { OfficeError, OfficePage, orNotFound } from '#web/features/office/office-page.tsx';
import { formatLocation } from '#web/lib/format.ts';
import { pageMeta } from '#web/lib/page-meta.ts';
import { api } from '#web/lib/session.ts';
import type { Route } from './+types/admin-employer.ts';

export const meta = () => pageMeta('Employer');

export async function clientLoader({ request, params }: Route.ClientLoaderArgs) {
  await requireAdmin(request, 'curator');
  return orNotFound(api.call(employerEndpoints.readFile, { params: { id: params.employerId } }));
}

export const clientAction = caseWrites.clientAction;

export default function AdminEmployer({ loaderData: file }: Route.ComponentProps) {
  const { employer } = file;
  const [done, setDone] = useState<string | null>(null);
  return (
    <OfficePage
      title={titleCase(employer.name)}
      label="Employer"
      subtitle={formatLocation(employer)}
      done={done}
    >
      <div className="curb-rule pt-6">
        <EmployerFileScreen key={employer.id} file={file} onDecided={setDone} />
      </div>
    </OfficePage>
  );
}

export const ErrorBoundary = () => <OfficeError />;
