import type { CaseFile } from '#contract/case-queue.ts';
import { caseEndpoints } from '#contract/endpoints/office.ts';
import { api } from '#web/lib/session.ts';
import { ApiError } from '#web/lib/transport-error.ts';
import type { QueueFilters } from './queue-filters.tsx';

/** A case that the caller may decide; null if it is no longer open. */
export const readCase = (id: string, query: QueueFilters): Promise<CaseFile | null> =>
  api.call(caseEndpoints.read, { params: { id }, query }).catch((error: unknown) => {
    if (error instanceof ApiError && error.status === 404) return null;
    throw error;
  });

/**
 * The case to go to: `id`, the next one when the current case was read, unless somebody else has
 * claimed or decided it since. Null if none is left. Errors are left to the page of the case.
 */
export async function nextCase(id: string | null, filters: QueueFilters): Promise<string | null> {
  if (id === null) return null;
  try {
    const next = await readCase(id, filters);
    if (next) return next.case.claim?.is_own === false ? next.next_id : id;
    const query = { ...filters, claim: 'free', page_size: 1 } as const;
    return (await api.call(caseEndpoints.list, { query })).results[0]?.id ?? null;
  } catch {
    return id;
  }
}
