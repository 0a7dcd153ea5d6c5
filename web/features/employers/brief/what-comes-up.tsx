import { CONCERNS } from '#contract/concerns.ts';
import type { EmployerBrief } from '#contract/employers.ts';
import { formatCount } from '#web/lib/format.ts';
import { CriteriaLink } from '#web/listing/chosen-filters.tsx';
import type { ListForm } from '#web/listing/use-list-form.ts';
import { cx } from '#web/ui/cx.ts';
import { LABEL } from './label.ts';

/** Further concerns come up in too few reviews to be useful. */
const SHOWN = 8;

interface WhatComesUpProps {
  concerns: EmployerBrief['concerns'];
  form: ListForm;
  /** The id of the heading of the reviews, which a choice scrolls to. */
  headingId: string;
}

/**
 * The concerns that many reviews mention. Choosing one filters the reviews. Choosing it again
 * clears the filter.
 */
export function WhatComesUp({ concerns, form, headingId }: WhatComesUpProps) {
  const { concern: chosen, ...others } = form.values;
  if (concerns.length === 0) return null;
  return (
    <nav aria-labelledby="what-comes-up" className="print:hidden">
      <h3 id="what-comes-up" className={LABEL}>
        What comes up
      </h3>
      <ul className="mt-1 flex flex-wrap gap-x-1.5 gap-y-1.5">
        {concerns.slice(0, SHOWN).map(({ concern, count }) => (
          <li key={concern}>
            <CriteriaLink
              form={form}
              to={concern === chosen ? others : { ...others, concern }}
              headingId={headingId}
              leadsToHeading
              isCurrent={concern === chosen}
              className={cx(
                'inline-flex min-h-9 items-center gap-1.5 rounded-sm border px-2.5 text-sm no-underline lining-nums',
                concern === chosen
                  ? 'border-accent bg-accent text-on-accent'
                  : 'border-control text-ink hover:border-ink hover:bg-sunken',
              )}
            >
              {CONCERNS[concern]}
              <span className={cx('text-xs', concern !== chosen && 'text-ink-faint')}>
                {formatCount(count)}
                <span className="sr-only"> reviews</span>
              </span>
            </CriteriaLink>
          </li>
        ))}
      </ul>
    </nav>
  );
}
