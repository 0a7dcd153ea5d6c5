import type { LogEntry } from '#contract/audit-log.ts';
import { DEMAND_KINDS } from '#contract/legal-demand-choices.ts';
import { STAFF_ACTS } from '#contract/logged-acts.ts';
import { DECISION_SOURCES, REVIEW_RULES } from '#contract/review-rules.ts';
import { ROLES } from '#contract/staff-roles.ts';
import { formatLongDate } from '#web/lib/format.ts';
import { Link } from '#web/lib/link.tsx';
import { paths } from '#web/lib/paths.ts';
import { EmptyState } from '#web/ui/empty-state.tsx';

const TEXTS: Readonly<Record<string, string>> = Object.assign({}, ...Object.values(STAFF_ACTS));

/** What staff did, most recent day first. */
export function LogList({ entries }: { entries: readonly LogEntry[] }) {
  if (entries.length === 0) {
    return <EmptyState title="No log entries">Nothing matches these filters.</EmptyState>;
  }
  return (
    <ol className="divide-y divide-rule border-y border-rule">
      {entries.map(({ id, happened_on, actor, act, subject, details }) => (
        <li key={id} className="flex flex-wrap items-baseline gap-x-6 gap-y-1 py-4 wrap-anywhere">
          <p className="w-40 text-sm text-ink-soft lining-nums">{formatLongDate(happened_on)}</p>
          <div className="min-w-0 flex-[1_1_14rem]">
            <h2 className="font-semibold">{TEXTS[act]}</h2>
            <p className="text-sm text-ink-soft lining-nums">
              {actor}
              {subject && (
                <span>
                  {' · '}
                  <Subject subject={subject} />
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

function Subject({ subject }: { subject: NonNullable<LogEntry['subject']> }) {
  switch (subject.type) {
    case 'review':
      return (
        <Link key="review" to={paths.review(subject.id)}>
          Review {subject.id.slice(0, 8)}
        </Link>
      );
    case 'employer':
      return (
        <Link key="employer" to={paths.employer(subject.id)}>
          Employer {subject.id}
        </Link>
      );
    case 'name':
      return subject.name;
  }
}

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
  if (name === 'source') return wordFor(DECISION_SOURCES, text);
  return name === 'kind' ? wordFor(DEMAND_KINDS, text) : text;
}

/** Older entries may have keys that no longer exist. */
const wordFor = (words: Readonly<Record<string, string>>, key: string): string => words[key] ?? key;
