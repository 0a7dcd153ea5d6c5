import { useState } from 'react';
import { employerEndpoints } from '#contract/endpoints/employers.ts';
import { titleCase } from '#contract/names.ts';
import { caseWrites } from '#web/features/office/cases/case-writes.ts';
import { EmployerFileScreen } from '#web/features/office/cases/employer-file.tsx';
import { requireAdmin } from '#web/features/office/factor/require-admin.ts';
import { OfficeError, OfficeNav, orNotFound } from '#web/features/office/office-page.tsx';
import { formatLocation } from '#web/lib/format.ts';
import { pageMeta } from '#web/lib/page-meta.ts';
import { api } from '#web/lib/session.ts';
import { Banner } from '#web/ui/banner.tsx';
import { PageHeading } from '#web/ui/page-heading.tsx';
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
    <section aria-label="Employer" className="page-width">
      <OfficeNav />
      <PageHeading title={titleCase(employer.name)} subtitle={formatLocation(employer)} />
      {done && (
        <Banner tone="success" className="mb-6">
          {done}
        </Banner>
      )}
      <div className="curb-rule pt-6">
        <EmployerFileScreen key={employer.id} file={file} onDecided={setDone} />
      </div>
    </section>
  );
}

export const ErrorBoundary = () => <OfficeError />;
