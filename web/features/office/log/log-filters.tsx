import type { User } from '#contract/accounts.ts';
import { LOG_KINDS, logKindsFor } from '#contract/logged-acts.ts';
import { formatMonth } from '#web/lib/format.ts';
import { paths } from '#web/lib/paths.ts';
import { FilterChoices } from '../filter-choices.tsx';

/** The filters of the log, as they appear in its URL. */
export interface LogFilters {
  kind?: string | undefined;
  month?: string | undefined;
}

const MONTHS = 12;

interface LogFilterLinksProps extends Pick<User, 'roles'> {
  filters: LogFilters;
  now: Date;
}

export function LogFilterLinks({ filters, roles, now }: LogFilterLinksProps) {
  const kinds = logKindsFor(roles).map((kind) => [kind, LOG_KINDS[kind]] as const);
  const months = Array.from({ length: MONTHS }, (_, back) => monthBefore(now, back));
  const { month } = filters;
  // A URL may name an earlier month.
  if (month !== undefined && !months.includes(month)) months.push(month);
  const shared = { filters: { ...filters }, to: paths.log };
  return (
    <nav aria-label="Filters" className="mb-6 flex flex-col gap-2 text-sm print:hidden">
      <FilterChoices name="kind" label="Kind" choices={kinds} {...shared} />
      <FilterChoices
        name="month"
        label="Month"
        choices={months.map((one) => [one, formatMonth(`${one}-01`)] as const)}
        {...shared}
      />
    </nav>
  );
}

/** The month `back` months before `moment`, as `YYYY-MM` (UTC). */
const monthBefore = (moment: Date, back: number) =>
  new Date(Date.UTC(moment.getUTCFullYear(), moment.getUTCMonth() - back))
    .toISOString()
    .slice(0, 7);
