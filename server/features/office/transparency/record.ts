import type { FastifyPluginAsync } from 'fastify';
import { transparencyEndpoints } from '#contract/endpoints/office.ts';
import {
  DEMAND_KIND_KEYS,
  DEMAND_OUTCOME_KEYS,
} from '#contract/legal-demands/legal-demand-choices.ts';
import { SMALLEST_SHOWN, TRANSPARENCY_MONTHS } from '#contract/limits.ts';
import type { Count, OfficeMonth, Transparency } from '#contract/office/transparency.ts';
import { DECISION_OUTCOME_KEYS, REVIEW_RULE_KEYS } from '#contract/review-rules.ts';
import { REPORT_REASON_KEYS } from '#contract/reviews/review-feedback.ts';
import {
  type ActCount,
  countActs,
  hasDemands,
  type Median,
  mediansOfDays,
} from '#server/audit-log.ts';
import type { Deps } from '#server/deps.ts';
import { countModerators } from '#server/features/accounts/identity/profiles.ts';
import { route } from '#server/plugins/route.ts';

/** The public record of moderation (docs/moderation.md). */
export function transparencyRoutes(deps: Deps): FastifyPluginAsync {
  return async (app) => {
    // No topic: complete months do not change, and no cached response is older than a minute.
    route(app, transparencyEndpoints.read, { madeFrom: [] }, async () => readRecord(deps));
  };
}

/**
 * What the office did, by month, counted from the audit log. Only complete months: numbers that
 * rise during a month would show when somebody reported, decided, or appealed.
 */
export async function readRecord({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<Transparency> {
  const now = clock();
  const [from, until] = [monthStart(now, -TRANSPARENCY_MONTHS), monthStart(now, 0)];
  const [moderators, counts, medians, had_legal_demands] = await Promise.all([
    countModerators(db),
    countActs(db, from, until),
    mediansOfDays(db, from, until),
    hasDemands(db, until),
  ]);
  const shown = counts.filter(({ action }) => !action.startsWith('second-look.'));
  const months = [...new Set(shown.map(({ month }) => month))].toSorted().reverse();
  return {
    is_office_of_one: moderators <= 1,
    second_looks: secondLooks(counts),
    had_legal_demands,
    months: months.map((month) => toMonth(month, counts, medians)),
  };
}

function secondLooks(counts: readonly ActCount[]): Transparency['second_looks'] {
  const count = (...actions: readonly string[]) =>
    counts
      .filter(({ action }) => actions.includes(action))
      .reduce((sum, one) => sum + one.count, 0);
  const agreeing = held(count('second-look.agree'));
  const total = held(count('second-look.agree', 'second-look.differ'));
  return { total, differing: beside(count('second-look.differ'), [agreeing]) };
}

function toMonth(
  month: string,
  counts: readonly ActCount[],
  medians: readonly Median[],
): OfficeMonth {
  const count = (action: string, ground?: string) =>
    counts
      .filter((one) => one.month === month && one.action === action)
      .filter((one) => ground === undefined || one.ground === ground)
      .reduce((sum, one) => sum + one.count, 0);
  const by_reason = REPORT_REASON_KEYS.map((reason) => ({
    reason,
    count: held(count('report.receive', reason)),
  }));
  const log = REVIEW_RULE_KEYS.flatMap((rule) =>
    DECISION_OUTCOME_KEYS.map((outcome) => ({
      rule,
      outcome,
      count: held(count(`review.${outcome}`, rule)),
    })),
  ).filter(({ count }) => count !== 0);
  const upheld = held(count('appeal.uphold'));
  const overturned = held(count('appeal.overturn'));
  const kept = held(count('reply.keep') + count('reply.restore'));
  const removed = held(count('reply.remove'));
  const median = medians.find((one) => one.month === month);
  return {
    month,
    reports: { total: totalOf(by_reason), by_reason },
    decisions: {
      total: totalOf(log),
      log,
      median_days: median && median.count >= SMALLEST_SHOWN ? median.days : null,
    },
    appeals: {
      received: beside(count('appeal.receive'), [upheld, overturned]),
      upheld,
      overturned,
    },
    legal_demands: demandsOf(count),
    replies: { reported: beside(count('reply.report'), [kept, removed]), kept, removed },
  };
}

function demandsOf(count: (action: string, kind: string) => number): OfficeMonth['legal_demands'] {
  const by_kind = DEMAND_KIND_KEYS.map((kind) => {
    const outcomes = DEMAND_OUTCOME_KEYS.map((outcome) => ({
      outcome,
      count: held(count(`legal.${outcome}`, kind)),
    })).filter((one) => one.count !== 0);
    const small = outcomes.map((one) => one.count);
    return { kind, received: beside(count('legal.receive', kind), small), outcomes };
  }).filter(({ received, outcomes }) => received !== 0 || outcomes.length > 0);
  return { total: totalOf(by_kind.map(({ received }) => ({ count: received }))), by_kind };
}

/** Suppresses numbers from 1 to 4. */
const held = (count: number): Count => (count > 0 && count < SMALLEST_SHOWN ? '<5' : count);

/** The sum; null next to a suppressed number, because the difference would reveal it. */
function totalOf(parts: readonly { count: Count | null }[]): number | null {
  let sum = 0;
  for (const { count } of parts) {
    if (count === '<5' || count === null) return null;
    sum += count;
  }
  return sum;
}

/** A number that may be the sum of its parts. */
function beside(count: number, parts: readonly Count[]): Count | null {
  const shown = held(count);
  return shown !== '<5' && shown !== 0 && parts.includes('<5') ? null : shown;
}

/** The first day of a month, this many months from now. */
const monthStart = (now: Date, months: number) =>
  new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + months)).toISOString().slice(0, 10);
