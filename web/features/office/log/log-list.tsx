import { X } from 'lucide-react';
import { useNavigate } from 'react-router';
import * as z from 'zod/mini';
import type { User } from '#contract/accounts/accounts.ts';
import { subjectOfAddress } from '#contract/cases.ts';
import { REJECTIONS, type RejectionKey } from '#contract/employers/employer-rejections.ts';
import { DEMAND_KINDS } from '#contract/legal-demands/legal-demand-choices.ts';
import type { LogEntry } from '#contract/office/audit-log.ts';
import { LOG_KINDS, LOG_SUBJECTS, logKindsFor, STAFF_ACTS } from '#contract/office/logged-acts.ts';
import { DECISION_SOURCES, REVIEW_RULES } from '#contract/review-rules.ts';
import { ROLES } from '#contract/staff-roles.ts';
import { PROOF_TEXTS, type ProofRequest } from '#contract/verification/proof-requests.ts';
import { Form } from '#web/form/form.tsx';
import { formatLongDate, formatMonth } from '#web/lib/format.ts';
import { Link } from '#web/lib/link.tsx';
import { paths } from '#web/lib/paths.ts';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { FilterChoices } from '../filter-choices.tsx';

const TEXTS: Readonly<Record<string, string>> = Object.assign({}, ...Object.values(STAFF_ACTS));

interface LogListProps {
  entries: readonly LogEntry[];
  filtered: (name: 'staff' | (typeof LOG_SUBJECTS)[number], value: string | number) => string;
}

/** What staff did, most recent day first. Names and ids lead to everything by or about them. */
export function LogList({ entries, filtered }: LogListProps) {
  if (entries.length === 0) {
    return <EmptyState title="No log entries">Nothing matches these filters.</EmptyState>;
  }
  return (
    <ol className="divide-y divide-rule border-y border-rule">
      {entries.map(({ id, happened_on, actor, actor_id, act, subject, details }) => (
        <li key={id} className="flex flex-wrap items-baseline gap-x-6 gap-y-1 py-4 wrap-anywhere">
          <p className="w-40 text-sm text-ink-soft lining-nums">{formatLongDate(happened_on)}</p>
          <div className="min-w-0 flex-[1_1_14rem]">
            <h2 className="font-semibold">{TEXTS[act]}</h2>
            <p className="text-sm text-ink-soft lining-nums">
              {actor_id === null ? (
                actor
              ) : (
                <Link className="prose-link" to={filtered('staff', actor_id)}>
                  {actor}
                  <span className="sr-only">: only what they did</span>
                </Link>
              )}
              {subject && (
                <span>
                  {' · '}
                  <Subject subject={subject} filtered={filtered} />
                </span>
              )}
            </p>
            {Object.entries(details).map(([name, value]) => (
              <p key={name} className="text-sm whitespace-pre-line">
                {detailLabel(name)}: {textOf(name, value)}
              </p>
            ))}
          </div>
        </li>
      ))}
    </ol>
  );
}

interface SubjectProps extends Pick<LogListProps, 'filtered'> {
  subject: NonNullable<LogEntry['subject']>;
}

function Subject({ subject, filtered }: SubjectProps) {
  if (subject.type === 'name') return subject.name;
  const name = nameOf(subject);
  const page = pageOf(subject);
  return (
    <>
      {page ? (
        <Link className="prose-link" to={page}>
          {name}
        </Link>
      ) : (
        <span>{name}</span>
      )}
      <span>{' · '}</span>
      <Link className="prose-link" to={filtered(subject.type, subject.id)}>
        Only this<span className="sr-only">: {name}</span>
      </Link>
    </>
  );
}

type IdentifiedSubject = Exclude<SubjectProps['subject'], { type: 'name' }>;

function pageOf(subject: IdentifiedSubject): string | undefined {
  if (subject.type === 'review') return paths.review(subject.id);
  return subject.type === 'employer' ? paths.employer(subject.id) : undefined;
}

/** 'Review 1a2b3c4d', or 'Larkmoor Clinic (12)'. */
const nameOf = (subject: IdentifiedSubject): string => {
  if (subject.type === 'employer')
    return subject.name === null ? `Employer ${subject.id}` : `${subject.name} (${subject.id})`;
  return `${subject.type === 'review' ? 'Review' : 'Demand'} ${subject.id.slice(0, 8)}`;
};

/** 'Moved reviews' for `moved_reviews`. */
const detailLabel = (name: string) =>
  name === 'source' ? 'Found by' : capitalized(name.replaceAll('_', ' '));

const capitalized = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

function textOf(name: string, value: LogEntry['details'][string]): string {
  if (value === null) return 'none';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  const text = String(value);
  if (name === 'roles')
    return text
      .split(',')
      .map((role) => wordFor(ROLES, role))
      .join(', ');
  if (name === 'rule') return REVIEW_RULES[text as keyof typeof REVIEW_RULES]?.name ?? text;
  if (name === 'asked_for') return PROOF_TEXTS[text as ProofRequest]?.label ?? text;
  if (name === 'rejection') return REJECTIONS[text as RejectionKey]?.name ?? text;
  if (name === 'source') return wordFor(DECISION_SOURCES, text);
  return name === 'kind' ? wordFor(DEMAND_KINDS, text) : text;
}

/** Older entries may have keys that no longer exist. */
const wordFor = (words: Readonly<Record<string, string>>, key: string): string => words[key] ?? key;

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
                {filterLabel(name, filters[name] ?? '', entries)}
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
function filterLabel(name: keyof LogFilters, value: string, entries: readonly LogEntry[]): string {
  if (name === 'staff')
    return entries.find(({ actor_id }) => actor_id === value)?.actor ?? 'One staff member';
  const subject = entries.find((entry) => entry.subject?.type === name)?.subject;
  if (subject && subject.type !== 'name') return nameOf(subject);
  return capitalized(`${name} ${value.slice(0, 8)}`);
}

/** The month `back` months before `moment`, as `YYYY-MM` (UTC). */
const monthBefore = (moment: Date, back: number) =>
  new Date(Date.UTC(moment.getUTCFullYear(), moment.getUTCMonth() - back))
    .toISOString()
    .slice(0, 7);
