import type { ReactNode } from 'react';
import type { CaseFile } from '#contract/case-queue.ts';
import { titleCase } from '#contract/names.ts';
import { DECISION_OUTCOMES, REVIEW_RULES } from '#contract/review-rules.ts';
import { formatLongDate } from '#web/lib/format.ts';
import { Link } from '#web/lib/link.tsx';
import { paths } from '#web/lib/paths.ts';
import { caseTitle, openedText } from './case-name.ts';

/** What should perhaps be decided alike: of the same employer, and of the same kind or rule. */
export function OtherCases({ others, similar }: Pick<CaseFile, 'others' | 'similar'>) {
  if (others.length === 0 && similar.length === 0) return null;
  return (
    <section aria-label="Of the same employer" className="mt-10 border-t border-rule pt-6">
      <h2 className="font-display text-xl">Of the same employer</h2>
      <div className="mt-4 grid max-w-[60rem] gap-x-12 gap-y-6 text-sm lining-nums wrap-anywhere md:grid-cols-2">
        {others.length > 0 && (
          <List name="Open cases of this kind">
            {others.map((one) => (
              <li key={one.id}>
                <Link to={paths.case(one.id)} className="prose-link">
                  {caseTitle(one)}
                </Link>
                <span className="block text-ink-soft">{openedText(one)}</span>
              </li>
            ))}
          </List>
        )}
        {similar.length > 0 && (
          <List name="Decided before">
            {similar.map(({ review, position_title, outcome, rule, decided_on, by }, place) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: their order never changes
              <li key={place}>
                <Link to={paths.adminReview(review)} className="prose-link">
                  {titleCase(position_title)}
                </Link>
                <span className="block text-ink-soft">
                  {`${DECISION_OUTCOMES[outcome]} · ${REVIEW_RULES[rule].name} · ${by} · ${formatLongDate(decided_on)}`}
                </span>
              </li>
            ))}
          </List>
        )}
      </div>
    </section>
  );
}

function List({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <h3 className="mb-3 font-semibold">{name}</h3>
      <ul className="flex flex-col gap-3">{children}</ul>
    </div>
  );
}
