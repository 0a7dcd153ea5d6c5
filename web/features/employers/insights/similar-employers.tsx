import type { EmployerType } from '#contract/employers/employer-choices.ts';
import type { EmployerBrief } from '#contract/employers/employers.ts';
import { STATE_NAMES } from '#contract/employers/states.ts';
import { titleCase } from '#contract/names.ts';
import { formatAverage, formatLocation, plural } from '#web/lib/format.ts';
import { Link } from '#web/lib/link.tsx';
import { paths } from '#web/lib/paths.ts';
import { directoryHeading } from '../directory-listing.ts';

interface SimilarEmployersProps {
  similar: EmployerBrief['similar'];
  type: EmployerType;
  state: string | null;
}

/** Employers of the same type in the same state, those of the same city first. */
export function SimilarEmployers({ similar, type, state }: SimilarEmployersProps) {
  if (similar.length === 0 || state === null) return null;
  const best = { employer_type: type, ordering: '-established', state };
  return (
    <section aria-labelledby="similar" className="mt-10 print:hidden">
      <h2 id="similar" className="pb-4 font-display text-2xl">
        {`Similar employers in ${STATE_NAMES[state] ?? state}`}
      </h2>
      <ul className="grid gap-x-12 md:grid-cols-2">
        {similar.map((employer) => (
          <li
            key={employer.id}
            className="group relative flex items-baseline justify-between gap-x-4 border-t border-rule py-3"
          >
            <div className="min-w-0 wrap-anywhere">
              <Link
                to={paths.employer(employer.id)}
                className="font-display text-lg decoration-accent decoration-1 underline-offset-4 group-hover:underline after:absolute after:inset-0"
              >
                {titleCase(employer.name)}
              </Link>
              <p className="text-sm text-ink-soft">{formatLocation(employer)}</p>
            </div>
            <p className="shrink-0 text-right lining-nums">
              <span className="font-display text-xl">{formatAverage(employer.overall_rating)}</span>
              <span className="block text-xs text-ink-faint">
                {plural(employer.total_reviews, 'review')}
              </span>
            </p>
          </li>
        ))}
      </ul>
      <Link to={paths.employers(best)} className="prose-link mt-3 inline-block py-1 text-sm">
        {directoryHeading(best)}
      </Link>
    </section>
  );
}
