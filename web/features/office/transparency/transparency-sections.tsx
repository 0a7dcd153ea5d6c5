import type { ReactNode } from 'react';
import type { DemandKind, DemandOutcome } from '#contract/legal-demands/legal-demand-choices.ts';
import { SECOND_LOOK_PERCENT } from '#contract/limits.ts';
import type { Count, OfficeMonth, Transparency } from '#contract/office/transparency.ts';
import type { DecisionOutcome, ReviewRule } from '#contract/review-rules.ts';
import type { ReportReason } from '#contract/reviews/review-feedback.ts';
import { formatCount, formatMonth, plural } from '#web/lib/format.ts';
import { Link } from '#web/lib/link.tsx';
import { paths } from '#web/lib/paths.ts';
import type { TextSection } from '#web/ui/text-page.tsx';

interface NumberTableProps {
  caption: string;
  /** The last column has the numbers. */
  head: readonly string[];
  rows: readonly (readonly ReactNode[])[];
  total: string;
}

/** Stacks the cells if large text leaves no room for columns. */
const ROW = 'border-b border-rule max-[16rem]:block max-[16rem]:py-2';
const CELL =
  'py-2 pr-4 text-left align-top last:pr-0 last:whitespace-nowrap min-[16rem]:last:text-right ' +
  'max-[16rem]:block max-[16rem]:py-0';

/** A table of numbers with their total, or a line of text if there are none. */
function NumberTable({ caption, head, rows, total }: NumberTableProps) {
  if (rows.length === 0) return <p>{caption}: none.</p>;
  return (
    <table className="w-full text-sm max-[16rem]:block">
      <caption className="pb-1 text-left font-semibold text-ink">{caption}</caption>
      <thead>
        <tr className={ROW}>
          {head.map((name) => (
            <th key={name} scope="col" className={CELL}>
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the rows never change places
          <tr key={place} className={ROW}>
            {row.map((cell, column) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: nor do the columns
              <td key={column} className={CELL}>
                {cell}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr className={ROW}>
          <th scope="row" colSpan={head.length - 1} className={CELL}>
            Total
          </th>
          <td className={CELL}>{total}</td>
        </tr>
      </tfoot>
    </table>
  );
}

/** The display names of the keys in the API. */
interface Names {
  readonly reasons: Readonly<Record<ReportReason, string>>;
  readonly rules: readonly { rule: ReviewRule; id: string; name: string }[];
  readonly outcomes: Readonly<Record<DecisionOutcome, string>>;
  readonly demands: Readonly<Record<DemandKind, string>>;
  readonly demandOutcomes: Readonly<Record<DemandOutcome, string>>;
}

/** docs/moderation.md, "The public record". */
export const transparencySections = (
  { is_office_of_one, had_legal_demands, second_looks, months }: Transparency,
  names: Names,
): readonly TextSection[] => [
  {
    id: 'office',
    title: 'Who decides',
    body: (
      <>
        <p>
          {is_office_of_one
            ? 'One person currently decides on reviews, including appeals.'
            : 'Several people decide. An appeal goes to someone other than the person who made the decision.'}
        </p>
        <p>
          Moderators cannot see who wrote or reported a review. No number of reports hides a review
          on its own. Each decision names one of the rules in the{' '}
          <Link to={paths.guidelines('leave-out')}>guidelines</Link>.
        </p>
      </>
    ),
  },
  {
    id: 'second-looks',
    title: 'Second looks',
    body: <p>{secondLooksText(second_looks, is_office_of_one)}</p>,
  },
  {
    id: 'numbers',
    title: 'How to read the numbers',
    body: (
      <p>
        We show complete months only, up to the last 24. Numbers from 1 to 4 are shown as “fewer
        than 5,” and a total is left out if it would give one of them away.
      </p>
    ),
  },
  {
    id: 'legal-demands',
    title: 'Legal demands',
    body: (
      <>
        <p>
          {had_legal_demands
            ? 'We have received legal demands. The months below show their kinds and outcomes, with each outcome in the month in which it was decided.'
            : 'As of the end of the last complete month, we had received no legal demands: no subpoenas, orders, warrants, or notices.'}
        </p>
        <p>
          <Link to={paths.legalDemands()}>What we hold, and what we cannot hand over</Link>
        </p>
      </>
    ),
  },
  ...(months.length === 0 ? [NOTHING_YET] : months.map((month) => monthSection(month, names))),
];

/** How often two moderators disagree, with a percentage if no number is withheld. */
function secondLooksText(
  { total, differing }: Transparency['second_looks'],
  isOfficeOfOne: boolean,
): string {
  if (isOfficeOfOne && total === 0) return 'With a single moderator, there are no second looks.';
  const drawn = `Another moderator looks at ${SECOND_LOOK_PERCENT}% of decisions, chosen at random, without knowing what was decided.`;
  if (total === 0) return `${drawn} In the months below, none was chosen.`;
  const share =
    typeof total === 'number' && typeof differing === 'number'
      ? ` (${Math.round((100 * differing) / total)}%)`
      : '';
  return `${drawn} In the months below, they looked at ${shown(total)} and disagreed in ${shown(differing)}${share}.`;
}

const NOTHING_YET: TextSection = {
  id: 'months',
  title: 'By month',
  body: <p>No complete month has any reports or decisions yet.</p>,
};

function monthSection(
  { month, reports, decisions, appeals, replies, legal_demands }: OfficeMonth,
  names: Names,
): TextSection {
  const name = formatMonth(`${month}-01`);
  return {
    id: `month-${month}`,
    title: name,
    body: (
      <>
        <NumberTable
          caption={`Reports received in ${name}, by reason`}
          head={['Reason', 'Reports']}
          rows={reports.by_reason
            .filter(({ count }) => count !== 0)
            .map(({ reason, count }) => [names.reasons[reason], shown(count)])}
          total={shown(reports.total)}
        />
        <NumberTable
          caption={`Moderation log for ${name}`}
          head={['Rule', 'Outcome', 'Decisions']}
          rows={decisions.log.map(({ rule, outcome, count }) => [
            names.rules
              .filter((one) => one.rule === rule)
              .map((one) => (
                <Link key={rule} to={paths.guidelines(one.id)}>
                  {one.name}
                </Link>
              )),
            names.outcomes[outcome],
            shown(count),
          ])}
          total={shown(decisions.total)}
        />
        <p>
          Median time from the first report to the decision:{' '}
          <span>
            {decisions.median_days === null
              ? 'too few decisions'
              : plural(decisions.median_days, 'day')}
          </span>
          . Appeals: {shown(appeals.received)} received, {shown(appeals.upheld)} rejected,{' '}
          {shown(appeals.overturned)} overturned.
        </p>
        <p>
          Replies from employers: {shown(replies.reported)} reported, {shown(replies.kept)} kept,{' '}
          {shown(replies.removed)} removed.
        </p>
        <DemandTable month={name} demands={legal_demands} names={names} />
      </>
    ),
  };
}

interface DemandTableProps {
  month: string;
  demands: OfficeMonth['legal_demands'];
  names: Names;
}

function DemandTable({ month, demands: { total, by_kind }, names }: DemandTableProps) {
  if (by_kind.length === 0) return <p>Legal demands: none.</p>;
  return (
    <NumberTable
      caption={`Legal demands in ${month}`}
      head={['Kind', 'Outcomes', 'Received']}
      rows={by_kind.map(({ kind, received, outcomes }) => [
        names.demands[kind],
        outcomes
          .map(({ outcome, count }) => `${names.demandOutcomes[outcome]}: ${shown(count)}`)
          .join('; ') || 'Nothing yet',
        shown(received),
      ])}
      total={shown(total)}
    />
  );
}

function shown(count: Count | null): string {
  if (count === null) return 'not shown';
  return count === '<5' ? 'fewer than 5' : formatCount(count);
}
