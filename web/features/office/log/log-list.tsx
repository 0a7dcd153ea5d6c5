import { REJECTIONS, type RejectionKey } from '#contract/employers/employer-rejections.ts';
import { DEMAND_KINDS } from '#contract/legal-demands/legal-demand-choices.ts';
import type { LogEntry } from '#contract/office/audit-log.ts';
import { type LOG_SUBJECTS, STAFF_ACTS } from '#contract/office/logged-acts.ts';
import { DECISION_SOURCES, REVIEW_RULES } from '#contract/review-rules.ts';
import { ROLES } from '#contract/staff-roles.ts';
import { PROOF_TEXTS, type ProofRequest } from '#contract/verification/proof-requests.ts';
import { formatLongDate } from '#web/lib/format.ts';
import { Link } from '#web/lib/link.tsx';
import { paths } from '#web/lib/paths.ts';
import { EmptyState } from '#web/ui/empty-state.tsx';

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
                {labelOf(name)}: {textOf(name, value)}
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
export const nameOf = (subject: IdentifiedSubject): string => {
  if (subject.type === 'employer')
    return subject.name === null ? `Employer ${subject.id}` : `${subject.name} (${subject.id})`;
  return `${subject.type === 'review' ? 'Review' : 'Demand'} ${subject.id.slice(0, 8)}`;
};

/** 'Moved reviews' for `moved_reviews`. */
const labelOf = (name: string) =>
  name === 'source'
    ? 'Found by'
    : `${name.charAt(0).toUpperCase()}${name.slice(1).replaceAll('_', ' ')}`;

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
