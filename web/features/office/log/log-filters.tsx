import { X } from 'lucide-react';
import { useNavigate } from 'react-router';
import * as z from 'zod/mini';
import type { User } from '#contract/accounts/accounts.ts';
import { subjectOfAddress } from '#contract/cases.ts';
import type { LogEntry } from '#contract/office/audit-log.ts';
import { LOG_KINDS, LOG_SUBJECTS, logKindsFor } from '#contract/office/logged-acts.ts';
import { Form } from '#web/form/form.tsx';
import { formatMonth } from '#web/lib/format.ts';
import { Link } from '#web/lib/link.tsx';
import { paths } from '#web/lib/paths.ts';
import { FilterChoices } from '../filter-choices.tsx';
import { nameOf } from './log-list.tsx';

/** The filters of the log, as they appear in its URL. */
export type LogFilters = { [name in (typeof LOG_FILTERS)[number]]?: string | undefined };
export const LOG_FILTERS = ['kind', 'month', 'staff', ...LOG_SUBJECTS] as const;

/** The log by or about someone else. An entry is about one thing, so another subject goes. */
export function logBy(
  filters: LogFilters,
  change: Partial<Record<'staff' | (typeof LOG_SUBJECTS)[number], string | number>>,
): string {
  const { kind, month, staff } = filters;
  return paths.log({ ...('staff' in change ? filters : { kind, month, staff }), ...change });
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

interface LogSearchProps {
  filters: LogFilters;
  entries: readonly LogEntry[];
}

/** By or about whom: what is chosen, as links that remove it, and a field for an address. */
export function LogSearch({ filters, entries }: LogSearchProps) {
  const navigate = useNavigate();
  const without = (name: keyof LogFilters) => paths.log({ ...filters, [name]: undefined });
  const chosen = (['staff', ...LOG_SUBJECTS] as const).filter((name) => filters[name]);
  return (
    <div className="mb-6 flex flex-col items-start gap-4 print:hidden">
      <Form
        schema={Search}
        fields={[
          {
            name: 'about',
            label: 'About a review or an employer',
            hint: 'Its address, such as /reviews/… or /employers/12',
            read: subjectOfAddress,
            maxLength: URL_MAX,
            className: 'min-w-0 grow',
          },
        ]}
        action={{ text: 'Find', variant: 'secondary' }}
        onSubmit={({ about }) => navigate(logBy(filters, about))}
        form={{ className: 'flex w-full max-w-form items-end gap-3' }}
      />
      {chosen.length > 0 && (
        <ul aria-label="Active filters" className="flex flex-wrap gap-2">
          {chosen.map((name) => (
            <li key={name}>
              <Link
                to={without(name)}
                className="inline-flex min-h-9 items-center gap-1.5 rounded-sm bg-accent-wash px-2.5 text-sm text-ink hover:bg-sunken"
              >
                <span className="sr-only">Remove filter: </span>
                {labelOf(name, filters[name] ?? '', entries)}
                <X aria-hidden className="size-3.5 text-ink-faint" />
              </Link>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

const URL_MAX = 300;
const Search = z.strictObject({
  about: z.custom<NonNullable<ReturnType<typeof subjectOfAddress>>>(
    (found) => found !== null,
    'Must be the address of a review or an employer',
  ),
});

/** What the filter means, as the entries that it has found name it. */
function labelOf(name: keyof LogFilters, value: string, entries: readonly LogEntry[]): string {
  if (name === 'staff')
    return entries.find(({ actor_id }) => actor_id === value)?.actor ?? 'One staff member';
  const subject = entries.find((entry) => entry.subject?.type === name)?.subject;
  if (subject && subject.type !== 'name') return nameOf(subject);
  return `${name.charAt(0).toUpperCase()}${name.slice(1)} ${value.slice(0, 8)}`;
}

/** The month `back` months before `moment`, as `YYYY-MM` (UTC). */
const monthBefore = (moment: Date, back: number) =>
  new Date(Date.UTC(moment.getUTCFullYear(), moment.getUTCMonth() - back))
    .toISOString()
    .slice(0, 7);
