import { test as base, expect } from 'vitest';
import { buildAttackedSite, rowsOf } from './testing/attacked-site.ts';
import { findPeople } from './testing/canaries.ts';
import { type DumpedRow, dumpRows } from './testing/dump.ts';

/** A quick look at the rows of a small site. `dump.long.test.ts` attacks a large one and its files. */
const test = base.extend(
  'site',
  { scope: 'file' },
  // biome-ignore lint/correctness/noEmptyPattern: Vitest reads a fixture's needs from its pattern.
  async ({}, { onCleanup }: { onCleanup: (cleanup: () => PromiseLike<void>) => void }) => {
    const site = await buildAttackedSite(24, { count: 240, from: 360 }, dumpRows);
    onCleanup(() => site.server[Symbol.asyncDispose]());
    return site;
  },
);

/** Columns with an account's id: staff, representatives, and tables that name no review. */
const WITH_ACCOUNTS = [
  'audit_log.actor',
  'audit_log.subject',
  'cases.account_id',
  'cases.asked_by',
  'cases.decided_by',
  'doctors.user_id',
  'representatives.user_id',
  'review_decisions.decided_by',
  'review_replies.written_by',
  'saved_lists.user_id',
  'staff_digests.user_id',
  'staff_factors.user_id',
  'users.id',
];

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;
/** The ids anywhere in a value, also inside JSON and text. */
const idsIn = (value: unknown): string[] => JSON.stringify(value)?.match(UUID) ?? [];
const idsOf = (rows: readonly DumpedRow[], column = 'id') =>
  new Set(rows.map(({ columns }) => String(columns[column])));

test('a small dump identifies nobody, in whole or in part, in any form', ({ site }) => {
  expect(findPeople(site.before, site.people)).toEqual([]);
  expect(findPeople(site.after, site.people)).toEqual([]);
});

test('only known columns hold an account in the clear', ({ site: { after } }) => {
  const accounts = idsOf(rowsOf(after, 'users'));
  const found = [...after.tables].flatMap(([table, rows]) =>
    rows.flatMap(({ columns }) =>
      Object.entries(columns)
        .filter(([, value]) => idsIn(value).some((id) => accounts.has(id)))
        .map(([column]) => `${table}.${column}`.replace('public.', '')),
    ),
  );
  expect([...new Set(found)].toSorted()).toEqual(WITH_ACCOUNTS);
});

test('no row names both a review and a doctor', ({ site: { before, after } }) => {
  for (const dump of [before, after]) {
    const doctors = idsOf(rowsOf(dump, 'doctors'), 'user_id');
    const reviews = idsOf(['reviews', 'scheduled_reviews'].flatMap((table) => rowsOf(dump, table)));
    expect([doctors.size > 20, reviews.size > 20]).toEqual([true, true]);
    const both = [...dump.tables].flatMap(([table, rows]) =>
      rows
        .map(({ columns }) => idsIn(columns))
        .filter((ids) => ids.some((id) => reviews.has(id)) && ids.some((id) => doctors.has(id)))
        .map(() => table),
    );
    expect(both).toEqual([]);
  }
});
