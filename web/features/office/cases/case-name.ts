import { CASE_KINDS } from '#contract/cases.ts';
import type { Case } from '#contract/office/case-queue.ts';
import { formatLongDate, formatPeriod } from '#web/lib/format.ts';

/** 'Reported review · Aldermoor Hospital', 'Doctor · NPI 2000000016'. */
export const caseSubtitle = ({ kind, detail }: Case): string =>
  [CASE_KINDS[kind], detail].filter(Boolean).join(' · ');

/** 'In November 2026', 'In the week of November 23, 2026', 'Since November 25, 2026'. */
export const openedText = ({ opened_on, period }: Pick<Case, 'opened_on' | 'period'>): string =>
  period === 'day'
    ? `Since ${formatLongDate(opened_on)}`
    : formatPeriod(opened_on, period).replace(/^i/, 'I');

/** 'Due December 3, 2026', 'Overdue since December 3, 2026'. */
export const dueText = ({ on, is_overdue }: NonNullable<Case['due']>): string =>
  `${is_overdue ? 'Overdue since' : 'Due'} ${formatLongDate(on)}`;

export const WHY_ROUNDED =
  'Where a day could show when a member was online, only the week or the month is stored.';
