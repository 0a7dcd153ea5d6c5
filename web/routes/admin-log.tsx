import { useState } from 'react';
import { logEndpoints } from '#contract/endpoints/office.ts';
import { LOG_EXPORT_MAX } from '#contract/office/logged-acts.ts';
import type { RemovedTexts as Removed } from '#contract/reviews/review-moderation.ts';
import { requireAdmin } from '#web/features/office/factor/require-admin.ts';
import { filtersOf } from '#web/features/office/filter-choices.tsx';
import {
  LOG_FILTERS,
  LogFilterLinks,
  type LogFilters,
  LogList,
  LogSearch,
  logBy,
} from '#web/features/office/log/log-list.tsx';
import { OfficeError, OfficePage, Paged } from '#web/features/office/office-page.tsx';
import { ReviewCard } from '#web/features/reviews/review-card.tsx';
import { formatCount, plural } from '#web/lib/format.ts';
import { pageMeta } from '#web/lib/page-meta.ts';
import { pageNumber, paths } from '#web/lib/paths.ts';
import { saveFile } from '#web/lib/save-file.ts';
import { api } from '#web/lib/session.ts';
import { ApiError } from '#web/lib/transport-error.ts';
import { call, pageWrites, useWrite } from '#web/lib/write.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Button } from '#web/ui/button.tsx';
import type { Route } from './+types/admin-log.ts';

/** A review whose text, or the reply to it, is removed, for an auditor. */
function RemovedTexts({ texts: { review, is_removed, reply } }: { texts: Removed }) {
  return (
    <section aria-label="What was removed" className="curb-rule mt-10 pt-6">
      <h2 className="font-display text-xl">What was removed</h2>
      <p className="mt-2 max-w-measure text-sm text-ink-soft">
        {is_removed
          ? 'The review is not public. It stays here until it is restored, edited, or deleted.'
          : 'The reply is not public. It stays here until it is restored or deleted.'}
      </p>
      <div className="mt-6">
        <ReviewCard review={{ ...review, ...(reply && { reply }) }} isExpanded actions={false} />
      </div>
    </section>
  );
}

const logWrites = pageWrites({ export: call(logEndpoints.export) }, { revalidates: [] });

export const clientAction = logWrites.clientAction;

/** Saves the entries that the filters find, on all pages, as CSV. */
function LogDownload({ filters }: { filters: LogFilters }) {
  const [note, setNote] = useState<string>();
  const { send, isBusy, error } = useWrite(logWrites, 'export', {
    onDone({ csv, count }) {
      saveFile(new File([csv], 'curbside-log.csv', { type: 'text/csv' }));
      const isCut = count > LOG_EXPORT_MAX;
      setNote(isCut ? `The file has the newest ${formatCount(LOG_EXPORT_MAX)}.` : undefined);
    },
  });
  return (
    <div className="mb-6 flex flex-col items-start gap-3 print:hidden">
      <Button variant="secondary" busy={isBusy} onClick={() => void send({ query: filters })}>
        Download as CSV
      </Button>
      {error && <Banner tone="error">{error.message}</Banner>}
      {note && <Banner tone="info">{note}</Banner>}
    </div>
  );
}

export const meta = () => pageMeta('Log');

export async function clientLoader({ request }: Route.ClientLoaderArgs) {
  const { user } = await requireAdmin(request, 'auditor');
  const page = pageNumber(request.url);
  const filters = filtersOf(request.url, LOG_FILTERS);
  const [log, removed] = await Promise.all([
    api.call(logEndpoints.list, { query: { ...filters, page } }),
    filters.review ? readRemoved(filters.review) : null,
  ]);
  return { log, removed, filters, page, roles: user.roles, now: new Date() };
}

/** Null if nothing of the review is removed, or the auditor may not read about reviews. */
const readRemoved = (id: string) =>
  api.call(logEndpoints.removed, { params: { id } }).catch((error: unknown) => {
    if (error instanceof ApiError && [400, 403, 404].includes(error.status ?? 0)) return null;
    throw error;
  });

export default function AdminLog({ loaderData }: Route.ComponentProps) {
  const { log, removed, filters, page, roles, now } = loaderData;
  return (
    <OfficePage title="Log" subtitle={plural(log.count, 'action')}>
      <LogFilterLinks filters={filters} roles={roles} now={now} />
      <LogSearch filters={filters} entries={log.results} />
      {log.count > 0 && <LogDownload filters={filters} />}
      <Paged page={page} count={log.count} to={(target) => paths.log({ ...filters, page: target })}>
        <LogList
          entries={log.results}
          filtered={(name, value) => logBy(filters, { [name]: value })}
        />
      </Paged>
      {removed && <RemovedTexts texts={removed} />}
    </OfficePage>
  );
}

export const ErrorBoundary = () => <OfficeError title="Log" what="the log" />;
