import { titleCase } from '#contract/names.ts';
import type { Review } from '#contract/reviews.ts';
import { formatLocation } from '#web/lib/format.ts';

/** The employer of a review that is being edited. */
export function FixedEmployer({
  employer,
  type,
}: {
  employer: Review['employer'];
  /** 'Hospital', 'Clinic', ... */
  type: string | undefined;
}) {
  return (
    <div>
      <div className="rounded-md border border-rule bg-sunken p-5">
        <p className="font-semibold wrap-anywhere">{titleCase(employer.name)}</p>
        <p className="text-sm text-ink-soft">
          {[formatLocation(employer), type].filter(Boolean).join(' · ')}
        </p>
      </div>
      <p className="mt-2 text-xs text-ink-faint">
        The healthcare system cannot be changed when editing a review.
      </p>
    </div>
  );
}
