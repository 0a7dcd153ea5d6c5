import type { EmployerBrief } from '#contract/employers.ts';
import { formatAverage } from '#web/lib/format.ts';
import { countOf, LABEL } from './label.ts';

/**
 * The averages of current and former employees, side by side. A group with too few reviews has no
 * average.
 */
export function EmploymentRatings({ current, former }: EmployerBrief['by_employment']) {
  const groups = [
    ['Current employees', current],
    ['Former employees', former],
  ] as const;
  return (
    <dl className="grid content-start gap-y-1.5 md:gap-y-3">
      {groups.map(([label, { total_reviews, overall_rating }]) => (
        <div key={label}>
          <dt className={LABEL}>{label}</dt>
          <dd className="flex flex-wrap items-baseline gap-x-2 leading-tight lining-nums">
            {overall_rating !== null && (
              <span className="font-display text-xl leading-none">
                {formatAverage(overall_rating)}
              </span>
            )}
            <span className="text-sm text-ink-soft">{countOf(total_reviews, overall_rating)}</span>
          </dd>
        </div>
      ))}
    </dl>
  );
}
