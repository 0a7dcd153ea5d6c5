import { useRevalidator } from 'react-router';
import { CASE_PRIORITIES, searchedSubject } from '#contract/cases.ts';
import type { Case } from '#contract/office/case-queue.ts';
import { REPORT_REASONS } from '#contract/reviews/review-feedback.ts';
import type { Role } from '#contract/staff-roles.ts';
import { formatTime, plural } from '#web/lib/format.ts';
import { Link } from '#web/lib/link.tsx';
import { paths } from '#web/lib/paths.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Button, buttonClass } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { caseSubtitle, dueText, openedText } from './case-name.ts';
import type { QueueRow } from './queue-changes.ts';
import type { QueueFilters } from './queue-filters.tsx';

interface QueueListProps {
  cases: readonly QueueRow[];
  filters: QueueFilters;
  roles: readonly Role[];
}

/** The office's page of the review or employer that a search names by its address. */
function pageOfSearched(search: string, roles: readonly Role[]): string | null {
  const subject = searchedSubject(search);
  if (subject === null) return null;
  if ('review' in subject)
    return roles.includes('moderator') ? paths.adminReview(subject.review) : null;
  return roles.includes('curator') ? paths.adminEmployer(subject.employer) : null;
}

/** The open cases, in the order in which they should be decided. */
export function QueueList({ cases, filters, roles }: QueueListProps) {
  if (cases.length === 0) {
    const page = pageOfSearched(filters.search ?? '', roles);
    return Object.values(filters).some(Boolean) ? (
      <EmptyState
        title="No matching cases"
        action={
          <div className="flex flex-wrap justify-center gap-3">
            {page && (
              <Link to={page} className={buttonClass('primary')}>
                Open in the office
              </Link>
            )}
            <Link to={paths.office()} className={buttonClass('secondary')}>
              Show all cases
            </Link>
          </div>
        }
      />
    ) : (
      <EmptyState title="No open cases">Nothing needs your attention.</EmptyState>
    );
  }
  return (
    <ol className="divide-y divide-rule border-y border-rule">
      {cases.map((one) => (
        <li
          key={one.id}
          className="group relative flex flex-wrap items-baseline gap-x-6 gap-y-1 py-4 wrap-anywhere max-sm:justify-between"
        >
          <p className="sm:w-20">
            <PriorityBadge priority={one.priority} />
          </p>
          <div className="min-w-0 max-sm:order-last max-sm:basis-full sm:flex-1">
            <h2 className="font-semibold">
              <Link
                to={paths.case(one.id, { ...filters })}
                className="underline-offset-4 group-hover:underline after:absolute after:inset-0"
              >
                {one.title}
              </Link>
            </h2>
            <p className="text-sm text-ink-soft lining-nums">{caseSubtitle(one)}</p>
            {one.reports && (
              <p className="text-sm lining-nums">
                {plural(one.reports.count, 'report')}: {REPORT_REASONS[one.reports.reason]}
              </p>
            )}
            {one.due && (
              <Badge tone={one.due.is_overdue ? 'solid' : 'plain'}>{dueText(one.due)}</Badge>
            )}
            {one.asked && (
              <Badge tone={one.asked.is_answered ? 'accent' : 'plain'}>
                {one.asked.is_answered ? 'Answered' : 'Waits for an answer'}
              </Badge>
            )}
            {one.has_question && <Badge tone="accent">Asks a second person</Badge>}
            {one.excerpt && <p className="text-sm text-ink-soft">{one.excerpt}</p>}
          </div>
          {/* Has room for who claims the case later, so that no row moves. */}
          <p className="min-h-[2lh] text-sm text-ink-soft lining-nums max-sm:w-[70%] max-sm:text-right sm:min-h-[3lh] sm:w-60">
            {openedText(one)}
            <span className="block max-sm:truncate">
              {one.isClosed ? 'No longer open' : one.claim && <ClaimNote claim={one.claim} />}
            </span>
          </p>
        </li>
      ))}
    </ol>
  );
}

export function PriorityBadge({ priority }: Pick<Case, 'priority'>) {
  const tone = priority === 1 ? 'solid' : priority === 2 ? 'accent' : 'plain';
  return (
    <Badge tone={tone}>
      {CASE_PRIORITIES[priority]}
      <span className="sr-only"> priority</span>
    </Badge>
  );
}

export function ClaimNote({ claim }: { claim: NonNullable<Case['claim']> }) {
  const until = `until ${formatTime(claim.until)}`;
  return <span>{`Claimed by ${claim.is_own ? 'you' : claim.name} ${until}`}</span>;
}

/** Has its place above the list even if there is nothing to say, so that no row moves. */
export function QueueNews({ rows, added }: { rows: readonly QueueRow[]; added: number }) {
  const { state, revalidate } = useRevalidator();
  const closed = rows.filter(({ isClosed }) => isClosed).length;
  const news = [added > 0 && plural(added, 'new case'), closed > 0 && `${closed} no longer open`]
    .filter(Boolean)
    .join(', ');
  const update = () => {
    // The button goes away.
    document.querySelector('main')?.focus({ preventScroll: true });
    void revalidate();
  };
  return (
    <div className="mb-2 flex min-h-12 items-center gap-3 text-sm lining-nums print:hidden">
      <p role="status">{news}</p>
      {news && (
        <Button
          size="sm"
          variant="secondary"
          className="shrink-0"
          busy={state !== 'idle'}
          onClick={update}
        >
          Update the list
        </Button>
      )}
    </div>
  );
}
