import type { ReactNode } from 'react';
import { CONCERN_PARTS, CONCERNS, type ConcernFilter } from '#contract/concerns.ts';
import type { EmployerBrief } from '#contract/employers/employers.ts';
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
 * The concerns that many reviews mention, and in which part of them. Choosing one filters the
 * reviews. Choosing it again clears the filter.
 */
export function WhatComesUp({ concerns, form, headingId }: WhatComesUpProps) {
  if (concerns.length === 0) return null;
  const link = { form, headingId };
  return (
    <nav aria-labelledby="what-comes-up">
      <h3 id="what-comes-up" className={LABEL}>
        What comes up
      </h3>
      <ul className="mt-1 grid grid-cols-[repeat(auto-fill,minmax(min(100%,20rem),1fr))] gap-x-10 lining-nums print:grid-cols-3">
        {concerns.slice(0, SHOWN).map(({ concern, count, ...parts }) => (
          <li
            key={concern}
            className="flex flex-wrap items-center gap-x-3 border-b border-rule text-sm"
          >
            <Choice {...link} filter={concern} className="mr-auto gap-1.5 text-ink">
              {CONCERNS[concern]}
              <span className="text-xs text-ink-faint">
                {formatCount(count)}
                <span className="sr-only"> reviews</span>
              </span>
            </Choice>
            {CONCERN_PARTS.filter((part) => parts[part] > 0).map((part) => (
              <Choice
                key={part}
                {...link}
                filter={`${part}-${concern}`}
                className="text-xs text-ink-soft"
              >
                <span className="sr-only">{CONCERNS[concern]}: </span>
                {`${formatCount(parts[part])} in ${part}`}
              </Choice>
            ))}
          </li>
        ))}
      </ul>
    </nav>
  );
}

interface ChoiceProps extends Omit<WhatComesUpProps, 'concerns'> {
  filter: ConcernFilter;
  className: string;
  children: ReactNode;
}

function Choice({ filter, form, headingId, className, children }: ChoiceProps) {
  const { concern: chosen, ...others } = form.values;
  const isCurrent = filter === chosen;
  return (
    <CriteriaLink
      form={form}
      to={isCurrent ? others : { ...others, concern: filter }}
      headingId={headingId}
      leadsToHeading
      isCurrent={isCurrent}
      className={cx(
        'inline-flex min-h-9 items-center decoration-accent print:min-h-0 underline-offset-4 hover:underline',
        className,
        isCurrent && 'font-semibold text-accent underline',
      )}
    >
      {children}
    </CriteriaLink>
  );
}
