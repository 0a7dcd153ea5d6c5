import type { ReactNode } from 'react';
import type { EmployerFile } from '#contract/employers/employer-curation.ts';
import { EMPLOYER_FACT_KEYS } from '#contract/employers/employer-facts.ts';
import { EMPLOYER_FACTS } from '#contract/employers/employer-sources.ts';
import type { Employer } from '#contract/employers/employers.ts';
import { titleCase } from '#contract/names.ts';
import { factText } from '#web/features/employers/employer-fact.ts';
import { formatCount, formatLongDate } from '#web/lib/format.ts';
import { Link } from '#web/lib/link.tsx';
import { paths } from '#web/lib/paths.ts';

interface DuplicatesTableProps {
  employer: Employer;
  candidates: readonly Employer[];
  inCommon: EmployerFile['in_common'];
  /** The actions for each employer. */
  actionOf: (each: Employer) => ReactNode;
}

const SAME = { address: 'Same address', phone: 'Same phone', name: 'Similar name' } as const;

const CELL = 'min-w-[min(11rem,50vw)] p-3 align-top wrap-anywhere';

/**
 * Compares an employer with its possible duplicates, by every fact that is known for at least one
 * of them.
 */
export function DuplicatesTable({
  employer,
  candidates,
  inCommon,
  actionOf,
}: DuplicatesTableProps) {
  const all = [employer, ...candidates];
  const sharedBy = new Map(inCommon.map(({ id, facts }) => [id, facts]));
  const row = (label: string, textOf: (each: Employer) => string) => (
    <tr key={label} className="border-t border-rule">
      <th
        scope="row"
        className="bg-paper py-3 pr-3 text-left align-top label-caps text-ink-faint xs:sticky xs:left-0"
      >
        {label}
      </th>
      {all.map((each) => (
        <td key={each.id} className={CELL}>
          {textOf(each)}
        </td>
      ))}
    </tr>
  );
  return (
    // Positioned, so that it also clips the `sr-only` texts inside.
    <section
      aria-label="Side by side"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls it
      tabIndex={0}
      className="relative overflow-x-auto text-sm lining-nums"
    >
      <table className="border-collapse">
        <thead>
          <tr>
            <td />
            {all.map((each) => (
              <th key={each.id} scope="col" className={`${CELL} text-left font-normal`}>
                <span className="block label-caps text-ink-faint">
                  {each.user_submitted ? 'Added by a doctor' : 'In the directory'}
                </span>
                <Link
                  to={paths.employer(each.id)}
                  className="font-display text-lg underline-offset-4 hover:underline"
                >
                  {titleCase(each.name)}
                </Link>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          <tr>
            <td />
            {all.map((each) => (
              <td key={each.id} className={CELL}>
                {actionOf(each)}
              </td>
            ))}
          </tr>
          {inCommon.some(({ facts }) => facts.length > 0) &&
            row('In common', ({ id }) =>
              (sharedBy.get(id) ?? []).map((fact) => SAME[fact]).join(', '),
            )}
          {row('Reviews', ({ total_reviews }) => formatCount(total_reviews))}
          {row('Added on', ({ created_at }) => formatLongDate(created_at.slice(0, 10)))}
          {EMPLOYER_FACT_KEYS.filter(
            (fact) => fact !== 'name' && all.some((each) => each[fact] !== null),
          ).map((fact) => row(EMPLOYER_FACTS[fact], (each) => factText(fact, each[fact])))}
        </tbody>
      </table>
    </section>
  );
}
