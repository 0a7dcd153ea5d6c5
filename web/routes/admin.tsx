import { useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { CASE_KINDS, searchRefusal } from '#contract/cases.ts';
import { caseEndpoints, legalEndpoints } from '#contract/endpoints/office.ts';
import type { LegalDemand } from '#contract/legal-demands/legal-demands.ts';
import { PAGE_SIZE_MAX } from '#contract/limits.ts';
import { openedText, WHY_ROUNDED } from '#web/features/office/cases/case-name.ts';
import { DoneBanner, doneIn } from '#web/features/office/cases/done-banner.tsx';
import { useQueueChanges } from '#web/features/office/cases/queue-changes.ts';
import {
  QueueFilterLinks,
  QueueSearch,
  queueFiltersOf,
} from '#web/features/office/cases/queue-filters.tsx';
import { KeysNote, useQueueKeys } from '#web/features/office/cases/queue-keys.tsx';
import { QueueList, QueueNews } from '#web/features/office/cases/queue-list.tsx';
import { requireAdmin } from '#web/features/office/factor/require-admin.ts';
import { legalWrites } from '#web/features/office/legal/demand.tsx';
import { DemandList, RecordDialog } from '#web/features/office/legal/demand-list.tsx';
import { OfficeError, OfficePage, Paged } from '#web/features/office/office-page.tsx';
import { plural } from '#web/lib/format.ts';
import { pageMeta } from '#web/lib/page-meta.ts';
import { pageNumber, paths } from '#web/lib/paths.ts';
import { api } from '#web/lib/session.ts';
import { Button } from '#web/ui/button.tsx';
import type { Route } from './+types/admin.ts';

export const meta = () => pageMeta('Office');

export async function clientLoader({ request }: Route.ClientLoaderArgs) {
  const { user } = await requireAdmin(request);
  const page = pageNumber(request.url);
  const filters = queueFiltersOf(request.url);
  const { roles } = user;
  const isRefused = searchRefusal(filters.search ?? '') !== null;
  const [found, demands] = await Promise.all([
    api.call(caseEndpoints.list, { query: isRefused ? {} : { ...filters, page } }),
    filters.kind === 'legal' && roles.includes('owner') ? allDemands() : null,
  ]);
  const queue = isRefused ? { ...found, count: 0, results: [], oldest: null } : found;
  return { queue, demands, filters, page, roles };
}

async function allDemands(): Promise<LegalDemand[]> {
  // By id, because one that is recorded meanwhile moves another to the next page.
  const demands = new Map<string, LegalDemand>();
  for (let page = 1; ; page += 1) {
    const query = { page, page_size: PAGE_SIZE_MAX };
    const { results, next } = await api.call(legalEndpoints.list, { query });
    for (const demand of results) demands.set(demand.id, demand);
    if (next === null) return [...demands.values()];
  }
}

export const clientAction = legalWrites.clientAction;

export default function Office({ loaderData }: Route.ComponentProps) {
  const { queue, demands, filters, page, roles } = loaderData;
  const { state } = useLocation();
  const navigate = useNavigate();
  const [recording, setRecording] = useState<'open' | 'done' | null>(null);
  const [showsKeys, setShowsKeys] = useState(false);
  const { rows, added } = useQueueChanges(queue, filters);
  const free = rows.find(({ claim, isClosed }) => !isClosed && (claim === null || claim.is_own));
  const done = doneIn(state);
  useQueueKeys({
    n: () => free && void navigate(paths.case(free.id, { ...filters })),
    '?': () => setShowsKeys(true),
  });
  return (
    <OfficePage
      title="Office"
      label="Queue"
      subtitle={`${plural(queue.count, 'case')} to decide`}
      action={
        roles.includes('owner') && (
          <Button size="sm" variant="secondary" onClick={() => setRecording('open')}>
            Record a legal demand
          </Button>
        )
      }
      done={recording === 'done' && 'The demand has been recorded and is waiting in the queue.'}
    >
      {recording === 'open' && (
        <RecordDialog onDone={() => setRecording('done')} onClose={() => setRecording(null)} />
      )}
      {done && <DoneBanner done={done} />}
      <QueueSearch key={filters.search} filters={filters} />
      <QueueFilterLinks filters={filters} roles={roles} kinds={queue.kinds} />
      <Paged
        page={page}
        count={queue.count}
        to={(target) => paths.office({ ...filters, page: target })}
      >
        <QueueNews rows={rows} added={added} />
        <QueueList cases={rows} filters={filters} roles={roles} />
      </Paged>
      {demands && <DemandList demands={demands} />}
      {queue.oldest && (
        <p className="mt-6 text-sm text-ink-soft lining-nums">
          Waiting longest: {CASE_KINDS[queue.oldest.kind].toLowerCase()}. {openedText(queue.oldest)}
          .
        </p>
      )}
      <p className="mt-2 text-xs text-ink-faint">{WHY_ROUNDED}</p>
      <KeysNote keys={QUEUE_KEYS} isOpen={showsKeys} onClose={() => setShowsKeys(false)} />
    </OfficePage>
  );
}

const QUEUE_KEYS = {
  N: 'the first case that nobody else has claimed',
  '?': 'show these shortcuts',
} as const;

export const ErrorBoundary = () => <OfficeError />;
