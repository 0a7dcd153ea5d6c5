import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { QUEUE_INTERVAL_MS } from '#contract/limits.ts';
import type { Case, CaseChanges } from '#contract/office/case-queue.ts';
import { noChanges, shownOf, whileVisible, withAnswer } from './queue-changes.ts';

const caseOf = (id: string, claim: Case['claim'] = null) =>
  ({ id, claim, title: `Case ${id}` }) as Case;
const claim = { is_own: false, name: 'Bea Example', until: '2026-11-16T12:30:00Z' };

/** A page of two cases, with three more on other pages. */
const queue = { results: [caseOf('a'), caseOf('b')], count: 5 };
const after = (...answers: CaseChanges[]) => shownOf(answers.reduce(withAnswer, noChanges(queue)));
const seen = ({ rows, added }: ReturnType<typeof after>) => ({
  rows: rows.map(({ id, claim, isClosed }) => [id, claim?.name ?? null, isClosed]),
  added,
});

test('before the first answer, the rows are as they were read', () => {
  const rows = [
    ['a', null, false],
    ['b', null, false],
  ];
  expect(seen(after())).toEqual({ rows, added: 0 });
});

test('rows keep their order and their text; claims and closed cases are marked', () => {
  const renamed = { ...caseOf('b', claim), title: 'Another title', excerpt: 'Longer than before' };
  const now = after({ cases: [renamed], others: 3 });
  expect(seen(now)).toEqual({
    rows: [
      ['a', null, true],
      ['b', 'Bea Example', false],
    ],
    added: 0,
  });
  expect(now.rows[1]?.title).toBe('Case b');
  const released = after({ cases: [renamed], others: 3 }, { cases: queue.results, others: 3 });
  expect(seen(released).rows).toEqual([
    ['a', null, false],
    ['b', null, false],
  ]);
});

test('counts new cases, also after others have decided cases on other pages', () => {
  const { results: cases } = queue;
  expect(after({ cases, others: 6 }).added).toBe(3);
  expect(after({ cases, others: 1 }).added).toBe(0);
  expect(after({ cases, others: 1 }, { cases, others: 3 }).added).toBe(2);
  // A case of this page that was decided is none of the others.
  expect(after({ cases: [], others: 3 }).added).toBe(0);
});

function openTab() {
  const tab = Object.assign(new EventTarget(), {
    visibilityState: 'visible' as DocumentVisibilityState,
  });
  const run = vi.fn();
  const stop = whileVisible(tab as Parameters<typeof whileVisible>[0], run);
  const turn = (visibilityState: DocumentVisibilityState) => {
    Object.assign(tab, { visibilityState });
    tab.dispatchEvent(new Event('visibilitychange'));
  };
  return { run, stop, turn };
}

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test('asks once a minute while visible, and not at all while hidden', () => {
  const { run, stop, turn } = openTab();
  vi.advanceTimersByTime(QUEUE_INTERVAL_MS * 3);
  expect(run).toHaveBeenCalledTimes(3);
  turn('hidden');
  vi.advanceTimersByTime(QUEUE_INTERVAL_MS * 60);
  expect(run).toHaveBeenCalledTimes(3);
  turn('visible');
  expect(run).toHaveBeenCalledTimes(4);
  vi.advanceTimersByTime(QUEUE_INTERVAL_MS);
  expect(run).toHaveBeenCalledTimes(5);
  stop();
  turn('hidden');
  turn('visible');
  vi.advanceTimersByTime(QUEUE_INTERVAL_MS * 2);
  expect(run).toHaveBeenCalledTimes(5);
});

test('switching between tabs again and again asks no more often than needed', () => {
  const { run, turn } = openTab();
  for (let times = 0; times < 101; times += 1) {
    turn('hidden');
    vi.advanceTimersByTime(50);
    turn('visible');
    vi.advanceTimersByTime(50);
  }
  // A little more than ten seconds have passed.
  expect(run).toHaveBeenCalledTimes(1);
});

test('a page that is opened in a hidden tab waits', () => {
  const tab = Object.assign(new EventTarget(), { visibilityState: 'hidden' });
  const run = vi.fn();
  whileVisible(tab as unknown as Parameters<typeof whileVisible>[0], run);
  vi.advanceTimersByTime(QUEUE_INTERVAL_MS * 2);
  expect(run).not.toHaveBeenCalled();
});
