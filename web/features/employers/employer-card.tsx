import type { ReactNode } from 'react';
import { OWNERSHIP_NOT_SPECIFIED } from '#contract/employer-choices.ts';
import type { Employer } from '#contract/employers.ts';
import { formatAverage, formatLocation, plural } from '#web/lib/format.ts';
import { Link } from '#web/lib/link.tsx';
import { paths } from '#web/lib/paths.ts';
import { Badge, type BadgeTone } from '#web/ui/badge.tsx';
import { Stars } from '#web/ui/stars.tsx';
import type { Origin } from './back-link.tsx';
import type { ListedEmployer } from './directory-listing.ts';

/** Darker for a higher level of care. */
const TRAUMA_TONES: Record<NonNullable<Employer['trauma_level']>, BadgeTone> = {
  'Level I': 'solid',
  'Level II': 'accent',
  'Level III': 'plain',
  'Level IV': 'faint',
  'Level V': 'faint',
};

interface EmployerCardProps {
  employer: ListedEmployer;
  /** The specialty that the list is limited to. */
  specialty: string | undefined;
  /** The path of the list with this card. The employer's page links back to it. */
  from: string;
  action: ReactNode;
}

/** An entry of the directory. The whole card is a link, except for its action. */
export function EmployerCard({ employer, specialty, from, action }: EmployerCardProps) {
  const location = formatLocation(employer);
  return (
    <article className="group relative flex flex-wrap justify-between gap-x-6 gap-y-3 border-t border-rule py-6">
      <div className="min-w-0 flex-[1_1_9rem] wrap-anywhere">
        <h2 className="font-display text-xl">
          <Link
            to={paths.employer(employer.id)}
            state={{ from } satisfies Origin}
            className="decoration-accent decoration-1 underline-offset-4 group-hover:underline after:absolute after:inset-0"
          >
            {employer.name}
          </Link>
        </h2>
        {location && <p className="mt-0.5 text-sm text-ink-soft">{location}</p>}
        {specialty && employer.specialty_reviews !== undefined && (
          <p className="mt-0.5 text-sm text-ink-soft lining-nums">
            {`${
              employer.specialty_reviews === 0
                ? 'No reviews'
                : plural(employer.specialty_reviews, 'review')
            } in ${specialty}`}
          </p>
        )}
      </div>
      <Rating employer={employer} />
      <div className="flex basis-full flex-wrap items-end justify-between gap-x-4 gap-y-3">
        <div className="flex flex-[1_1_9rem] flex-wrap items-center gap-x-4 gap-y-2 text-sm text-ink-soft">
          <span className="flex flex-wrap gap-1.5">
            <Badge>{employer.employer_type_display}</Badge>
            {employer.trauma_level && (
              <Badge tone={TRAUMA_TONES[employer.trauma_level]}>
                Trauma {employer.trauma_level}
              </Badge>
            )}
            {employer.has_helipad && <Badge>Helipad</Badge>}
          </span>
          <Facts employer={employer} />
        </div>
        <div className="relative max-w-full shrink-0">{action}</div>
      </div>
    </article>
  );
}

function Rating({ employer }: { employer: ListedEmployer }) {
  return (
    <div className="text-right">
      <p className="font-display text-2xl leading-none lining-nums">
        {formatAverage(employer.overall_rating)}
      </p>
      {employer.overall_rating !== null && (
        <Stars rating={employer.overall_rating} size="sm" className="mt-1.5" />
      )}
      <p className="mt-1 text-xs text-ink-faint lining-nums">
        {plural(employer.total_reviews, 'review')}
      </p>
    </div>
  );
}

function Facts({ employer }: { employer: ListedEmployer }) {
  const facts = [
    employer.bed_count !== null && employer.bed_count > 0 && plural(employer.bed_count, 'bed'),
    employer.ownership_type !== OWNERSHIP_NOT_SPECIFIED && employer.ownership_type,
    employer.phone,
  ];
  return facts.map(
    (fact) =>
      fact && (
        <span key={fact} className="lining-nums">
          {fact}
        </span>
      ),
  );
}
