import { titleCase } from '#contract/names.ts';
import type { AnsweredReport } from '#contract/review-feedback.ts';
import { REVIEW_RULES, ruleAnchor } from '#contract/review-rules.ts';
import { formatLongDate } from '#web/lib/format.ts';
import { Link } from '#web/lib/link.tsx';
import { paths } from '#web/lib/paths.ts';

const OUTCOMES = { kept: 'Kept', removed: 'Removed', restored: 'Restored' } as const;

/** The outcomes of the user's reports. Renders nothing if no moderator has answered one lately. */
export function AnsweredReports({ reports }: { reports: readonly AnsweredReport[] }) {
  if (reports.length === 0) return null;
  return (
    <section aria-labelledby="my-reports" className="mt-12">
      <h2 id="my-reports" className="pb-4 font-display text-2xl">
        Your reports
      </h2>
      <ul className="flex flex-col gap-4">
        {reports.map((report, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a report has no id
          <li key={place} className="border-t border-rule pt-4">
            <p className="font-semibold">
              {OUTCOMES[report.outcome]}: <About report={report} />
            </p>
            <p className="text-sm text-ink-soft">
              Decided on {formatLongDate(report.decided_on)}. Rule:{' '}
              <Link to={paths.guidelines(ruleAnchor(report.rule))} className="prose-link">
                {REVIEW_RULES[report.rule].name}
              </Link>
            </p>
          </li>
        ))}
      </ul>
    </section>
  );
}

function About({
  report: { about, employer, position_title, review_id },
}: {
  report: AnsweredReport;
}) {
  const name = titleCase(employer);
  if (review_id === null)
    return <span>{about === 'reply' ? `a reply from ${name}` : `a review of ${name}`}</span>;
  return (
    <>
      {about === 'reply' && <span>the reply from {name} to </span>}
      <Link to={paths.review(review_id)} className="prose-link">
        {`${position_title ? `${titleCase(position_title)} ` : ''}at ${name}`}
      </Link>
    </>
  );
}
