import fc from 'fast-check';
import {
  DEMAND_KIND_KEYS,
  DEMAND_OUTCOME_KEYS,
} from '#contract/legal-demands/legal-demand-choices.ts';
import type { Count, OfficeMonth } from '#contract/office/transparency.ts';
import { DECISION_OUTCOME_KEYS, REVIEW_RULE_KEYS } from '#contract/review-rules.ts';
import { REPORT_REASON_KEYS } from '#contract/reviews/review-feedback.ts';
import { expect, type Site, testWith } from '#server/testing/site.ts';
import { readRecord } from './record.ts';

const test = testWith();
test.beforeAll(async ({ site }) => {
  await site.admin();
});
test.beforeEach(async ({ site }) => {
  site.time.now = new Date('2026-11-22T12:00:00Z');
  await forget(site);
});

const forget = ({ deps }: Site) => deps.db.deleteFrom('audit_log').execute();

interface LoggedAct {
  happened_on: string;
  action: string;
  details: { reason?: string; rule?: string; days?: number; kind?: string };
}
async function log({ deps }: Site, acts: readonly LoggedAct[]) {
  if (acts.length === 0) return;
  const rows = acts.map(({ details, ...act }) => ({
    ...act,
    actor: 'x',
    subject: crypto.randomUUID(),
    details: JSON.stringify(details),
  }));
  await deps.db.insertInto('audit_log').values(rows).execute();
}
const read = ({ deps }: Site) => readRecord(deps);

const day = fc
  .record({ month: fc.constantFrom('08', '09', '10', '11'), day: fc.integer({ min: 1, max: 28 }) })
  .map((on) => `2026-${on.month}-${String(on.day).padStart(2, '0')}`);
const someOf = (
  actions: readonly string[],
  details: Record<string, fc.Arbitrary<unknown>> = {},
  requiredKeys = Object.keys(details),
): fc.Arbitrary<LoggedAct> =>
  fc.record({
    happened_on: day,
    action: fc.constantFrom(...actions),
    details: fc.record(details, { requiredKeys }) as fc.Arbitrary<LoggedAct['details']>,
  });
const within = (kind: string, ...deeds: readonly string[]) =>
  deeds.map((deed) => `${kind}.${deed}`);
const act = fc.oneof(
  someOf(['report.receive'], { reason: fc.constantFrom(...REPORT_REASON_KEYS.slice(0, 3)) }),
  someOf(
    within('review', ...DECISION_OUTCOME_KEYS),
    { rule: fc.constantFrom(...REVIEW_RULE_KEYS.slice(0, 2)), days: fc.nat(40) },
    ['rule'],
  ),
  someOf(
    [
      ...within('appeal', 'receive', 'uphold', 'overturn'),
      ...within('second-look', 'agree', 'differ'),
    ],
    { rule: fc.constantFrom(...REVIEW_RULE_KEYS) },
  ),
  someOf(within('reply', 'report', 'keep', 'restore', 'remove')),
  // Received often enough for 5 of a kind in a month.
  someOf(within('legal', ...Array(5).fill('receive'), ...DEMAND_OUTCOME_KEYS.slice(0, 3)), {
    kind: fc.constantFrom(...DEMAND_KIND_KEYS.slice(0, 2)),
  }),
  someOf(['keys.rotate', 'doctor.ban', 'review.resubmit', 'gag.lift', 'demand.correct']),
);

const histories: fc.Arbitrary<LoggedAct[]> = fc.array(act, { maxLength: 250, size: 'max' });

const isMatch = (details: object, ground: object) =>
  Object.entries(ground).every(([name, value]) => Reflect.get(details, name) === value);

/** Every number of a month, with the value from the log. */
function recounted(shown: OfficeMonth, acts: readonly LoggedAct[]): [Count | null, number][] {
  const inMonth = acts.filter(({ happened_on }) => happened_on.startsWith(shown.month));
  const count = (action: string, ground: LoggedAct['details'] = {}) =>
    inMonth.filter((one) => one.action === action && isMatch(one.details, ground)).length;
  const pair = (one: Count | null, ...of: Parameters<typeof count>): [Count | null, number] => {
    return [one, count(...of)];
  };
  const decisions = DECISION_OUTCOME_KEYS.reduce((sum, one) => sum + count(`review.${one}`), 0);
  return [
    [shown.reports.total, count('report.receive')],
    ...shown.reports.by_reason.map((one) =>
      pair(one.count, 'report.receive', { reason: one.reason }),
    ),
    [shown.decisions.total, decisions],
    ...shown.decisions.log.map((one) =>
      pair(one.count, `review.${one.outcome}`, { rule: one.rule }),
    ),
    pair(shown.appeals.received, 'appeal.receive'),
    pair(shown.appeals.upheld, 'appeal.uphold'),
    pair(shown.appeals.overturned, 'appeal.overturn'),
    pair(shown.legal_demands.total, 'legal.receive'),
    ...shown.legal_demands.by_kind.flatMap(({ kind, received, outcomes }) => [
      pair(received, 'legal.receive', { kind }),
      ...outcomes.map((one) => pair(one.count, `legal.${one.outcome}`, { kind })),
    ]),
    pair(shown.replies.reported, 'reply.report'),
    [shown.replies.kept, count('reply.keep') + count('reply.restore')],
    pair(shown.replies.removed, 'reply.remove'),
  ];
}

function medianOf(month: string, acts: readonly LoggedAct[]): number | null {
  const days = acts
    .filter((one) => one.happened_on.startsWith(month) && one.action.startsWith('review.'))
    .flatMap((one) => one.details.days ?? [])
    .toSorted((one, other) => one - other);
  return days.length < 5 ? null : (days[Math.ceil(days.length / 2) - 1] ?? null);
}

const isSmall = (count: number) => count > 0 && count < 5;
const expectShown = (shown: Count | null, count: number) => {
  if (shown !== null) expect(shown).toBe(isSmall(count) ? '<5' : count);
};

test('numbers equal a recount of the log; none from 1 to 4 can be derived', async ({ site }) => {
  await fc.assert(
    fc.asyncProperty(histories, async (acts) => {
      await forget(site);
      await log(site, acts);
      const { months, second_looks, had_legal_demands } = await read(site);
      const complete = acts.filter(
        ({ happened_on, action }) =>
          happened_on < '2026-11-01' && /^re|^appeal|^second|^legal/.test(action),
      );
      const listed = complete.filter(({ action }) => !/resubmit|^second/.test(action));
      const expected = new Set(listed.map(({ happened_on }) => happened_on.slice(0, 7)));
      expect(new Set(months.map(({ month }) => month))).toEqual(expected);
      const looks = complete.filter(({ action }) => action.startsWith('second-look'));
      const differing = looks.filter(({ action }) => action.endsWith('differ'));
      const { total, differing: shownDiffering } = second_looks;
      expectShown(total, looks.length);
      expectShown(shownDiffering, differing.length);
      if (typeof total === 'number' && typeof shownDiffering === 'number') {
        expect(isSmall(total - shownDiffering)).toBe(false);
      }
      expect(had_legal_demands).toBe(complete.some(({ action }) => action === 'legal.receive'));
      for (const month of months) {
        for (const [shown, count] of recounted(month, acts)) expectShown(shown, count);
        const { reports, decisions, appeals, replies, legal_demands } = month;
        // Omitted entries are zero.
        const logged = new Set(decisions.log.map(({ rule, outcome }) => `${rule} ${outcome}`));
        for (const { action, details, happened_on } of acts) {
          if (!happened_on.startsWith(month.month)) continue;
          const [kind, outcome] = action.split('.');
          if (kind === 'legal') {
            const shown = legal_demands.by_kind.find((one) => one.kind === details.kind);
            const outcomes = shown?.outcomes.map((one) => one.outcome) ?? [];
            if (outcome === 'receive') expect(shown?.received).not.toBe(0);
            else expect(outcomes).toContain(outcome);
          }
          if (kind === 'review' && details.rule)
            expect(logged).toContain(`${details.rule} ${outcome}`);
        }
        expect(decisions.median_days).toBe(medianOf(month.month, acts));
        for (const [total, parts] of [
          [reports.total, reports.by_reason],
          [decisions.total, decisions.log],
        ] as const) {
          expect(total === null).toBe(parts.some(({ count }) => count === '<5'));
        }
        expect(legal_demands.total === null).toBe(
          legal_demands.by_kind.some(({ received }) => received === '<5' || received === null),
        );
        for (const { received, outcomes } of legal_demands.by_kind) {
          if (outcomes.some(({ count }) => count === '<5'))
            expect([null, '<5', 0]).toContain(received);
        }
        for (const [total, ...parts] of [
          [appeals.received, appeals.upheld, appeals.overturned],
          [replies.reported, replies.kept, replies.removed],
        ]) {
          if (parts.includes('<5')) expect([null, '<5', 0]).toContain(total);
        }
      }
    }),
    { numRuns: 40 },
  );
});

test('a month is shown only once it is over', async ({ site }) => {
  const appeal = { action: 'appeal.receive', details: { rule: 'general' } };
  await log(site, Array(6).fill({ ...appeal, happened_on: '2026-11-01' }));
  expect((await read(site)).months).toEqual([]);
  site.time.now = new Date('2026-12-01T00:00:00Z');
  expect((await read(site)).months).toMatchObject([{ month: '2026-11', appeals: { received: 6 } }]);
});

test('reports whether the office is an office of one', async ({ site }) => {
  expect((await read(site)).is_office_of_one).toBe(true);
  await site.admin();
  expect((await read(site)).is_office_of_one).toBe(false);
});

test('reports if there has ever been a legal demand, in any month', async ({ site }) => {
  expect((await read(site)).had_legal_demands).toBe(false);
  const details = { kind: 'subpoena' };
  await log(site, [{ happened_on: '2026-11-03', action: 'legal.receive', details }]);
  expect((await read(site)).had_legal_demands).toBe(false);
  await log(site, [{ happened_on: '2019-05-03', action: 'legal.receive', details }]);
  expect(await read(site)).toMatchObject({ had_legal_demands: true, months: [] });
});
