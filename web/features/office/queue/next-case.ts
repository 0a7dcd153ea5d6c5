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
 * The case after this one that nobody else has claimed or decided since this one was read; null if
 * none is left. Errors are left to the page of the next case.
 */
export async function nextCase(
  { case: { id }, next_id }: CaseFile,
  filters: QueueFilters,
  { isDecided }: { isDecided: boolean },
): Promise<string | null> {
  try {
    // As long as it is open, it knows what comes next.
    const current = isDecided ? null : await readCase(id, filters);
    if (current) return current.next_id;
    const next = next_id && (await readCase(next_id, filters));
    if (next) return next.case.claim?.is_own === false ? next.next_id : next_id;
    return next_id && (await firstOf(filters));
  } catch {
    return next_id;
  }
}

/** The first case of the queue that the caller can decide. */
async function firstOf(filters: QueueFilters): Promise<string | null> {
  const query = { ...filters, claim: filters.claim ?? 'free' };
  const { results } = await api.call(caseEndpoints.list, { query });
  return results.find(({ is_own_decision }) => !is_own_decision)?.id ?? null;
}
