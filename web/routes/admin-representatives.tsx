import { useState } from 'react';
import { representativeEndpoints } from '#contract/endpoints/replies.ts';
import { titleCase } from '#contract/names.ts';
import type { RepresentativeState } from '#contract/replies/representatives.ts';
import { caseWrites } from '#web/features/office/cases/case-writes.ts';
import { RepresentativeFile } from '#web/features/office/cases/representative-file.tsx';
import { requireAdmin } from '#web/features/office/factor/require-admin.ts';
import { OfficeError, OfficePage, Paged } from '#web/features/office/office-page.tsx';
import { plural } from '#web/lib/format.ts';
import { pageMeta } from '#web/lib/page-meta.ts';
import { pageNumber, paths } from '#web/lib/paths.ts';
import { api } from '#web/lib/session.ts';
import { Badge } from '#web/ui/badge.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import type { Route } from './+types/admin-representatives.ts';

const STATES: Record<RepresentativeState, string> = {
  pending: 'Waiting',
  approved: 'Approved',
  refused: 'Refused',
};

export const meta = () => pageMeta('Representatives');

export async function clientLoader({ request }: Route.ClientLoaderArgs) {
  await requireAdmin(request, 'curator');
  const page = pageNumber(request.url);
  return { found: await api.call(representativeEndpoints.list, { query: { page } }), page };
}

export const clientAction = caseWrites.clientAction;

export default function AdminRepresentatives({ loaderData }: Route.ComponentProps) {
  const { found, page } = loaderData;
  const [done, setDone] = useState<string | null>(null);
  return (
    <OfficePage title="Representatives" subtitle={plural(found.count, 'account')} done={done}>
      <Paged
        page={page}
        count={found.count}
        to={(target) => paths.admin('representatives', { page: target })}
      >
        {found.count === 0 && (
          <EmptyState title="No representatives">
            Employers’ representatives are listed here once they have signed up.
          </EmptyState>
        )}
        {found.results.map((representative) => (
          <section key={representative.user.id} className="curb-rule mt-8 pt-6">
            <h2 className="mb-6 font-display text-xl wrap-anywhere">
              {representative.user.first_name} {representative.user.last_name},{' '}
              {titleCase(representative.employer.name)}{' '}
              <Badge tone={representative.state === 'approved' ? 'accent' : 'plain'}>
                {STATES[representative.state]}
              </Badge>
            </h2>
            <RepresentativeFile file={{ representative }} onDecided={setDone} />
          </section>
        ))}
      </Paged>
    </OfficePage>
  );
}

export const ErrorBoundary = () => (
  <OfficeError title="Representatives" what="the representatives" />
);
