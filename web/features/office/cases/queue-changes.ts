import { useEffect, useState } from 'react';
import type * as z from 'zod/mini';
import { searchRefusal } from '#contract/cases.ts';
import type { Input } from '#contract/endpoint.ts';
import { caseEndpoints } from '#contract/endpoints/office.ts';
import { QUEUE_INTERVAL_MS } from '#contract/limits.ts';
import type { Case, CaseChanges, CasePage } from '#contract/office/case-queue.ts';
import { api } from '#web/lib/session.ts';
import type { QueueFilters } from './queue-filters.tsx';

type Queue = Pick<z.infer<typeof CasePage>, 'results' | 'count'>;

/** A row of the queue: as it was read, except for what others have done since. */
export type QueueRow = Case & { readonly isClosed: boolean };

/** What has changed since the page was read. */
interface Changes {
  readonly queue: Queue;
  readonly answer: CaseChanges | null;
  /** The fewest cases on other pages so far: more than these are new. */
  readonly others: number;
}

export const noChanges = (queue: Queue): Changes => ({
  queue,
  answer: null,
  others: queue.count - queue.results.length,
});

/** Others decide cases on other pages, too, so what was counted before may be gone. */
export const withAnswer = ({ queue, others }: Changes, answer: CaseChanges): Changes => ({
  queue,
  answer,
  others: Math.min(others, answer.others),
});

/** The rows in the order in which they were read, and how many new cases wait. */
export function shownOf({ queue, answer, others }: Changes): { rows: QueueRow[]; added: number } {
  const rows = queue.results.map((one) => {
    const now = answer?.cases.find(({ id }) => id === one.id);
    const isClosed = answer !== null && now === undefined;
    return { ...one, claim: isClosed ? null : (now ?? one).claim, isClosed };
  });
  return { rows, added: answer ? answer.others - others : 0 };
}

/** After this time, a page that becomes visible again asks at once. */
const STALE_MS = QUEUE_INTERVAL_MS / 6;

/** Runs while the page is visible, and when it becomes visible again. Returns what stops it. */
export function whileVisible(
  page: Pick<Document, 'visibilityState' | 'addEventListener' | 'removeEventListener'>,
  run: () => void,
): () => void {
  let timer: ReturnType<typeof setInterval> | undefined;
  let last = Date.now();
  const runNow = () => {
    last = Date.now();
    run();
  };
  const update = () => {
    clearInterval(timer);
    if (page.visibilityState !== 'visible') return;
    timer = setInterval(runNow, QUEUE_INTERVAL_MS);
    if (Date.now() - last >= STALE_MS) runNow();
  };
  update();
  page.addEventListener('visibilitychange', update);
  return () => {
    clearInterval(timer);
    page.removeEventListener('visibilitychange', update);
  };
}

/**
 * Asks what has changed, with the session as it is. An error is ignored: it is asked again in a minute,
 * and an expired session shows with the reader's next action. Returns what stops it.
 */
export function hearChanges(
  query: NonNullable<Input<typeof caseEndpoints.changes>['query']>,
  hear: (answer: CaseChanges) => void,
): () => void {
  const leaving = new AbortController();
  const { signal } = leaving;
  const stop = whileVisible(document, () => {
    api
      .call(caseEndpoints.changes, { query, signal, inBackground: true })
      .then(hear)
      .catch(() => undefined);
  });
  return () => {
    stop();
    leaving.abort();
  };
}

/** The rows of a page of the queue, kept up to date in place, and how many cases are new. */
export function useQueueChanges(queue: Queue, filters: QueueFilters) {
  const [known, setKnown] = useState(() => noChanges(queue));
  // The page has been read again.
  const changes = known.queue === queue ? known : noChanges(queue);

  useEffect(() => {
    // What nobody may be found by is not even sent.
    if (searchRefusal(filters.search ?? '') !== null) return;
    const query = { ...filters, ids: queue.results.map(({ id }) => id).join(',') };
    return hearChanges(query, (answer) => {
      setKnown((last) => withAnswer(last.queue === queue ? last : noChanges(queue), answer));
    });
  }, [queue, filters]);

  return shownOf(changes);
}
