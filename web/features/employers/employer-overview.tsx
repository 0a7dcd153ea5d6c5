import type { ReactNode } from 'react';
import { OWNERSHIP_NOT_SPECIFIED } from '#contract/employer-choices.ts';
import type { Employer } from '#contract/employers.ts';
import { formatCount, formatLocation } from '#web/lib/format.ts';

export function EmployerOverview({ employer }: { employer: Employer }) {
  const facts: [string, ReactNode][] = [];
  const location = formatLocation(employer);
  if (location) facts.push(['Location', location]);
  if (employer.ownership_type !== OWNERSHIP_NOT_SPECIFIED) {
    facts.push(['Ownership Type', employer.ownership_type]);
  }
  if (employer.bed_count !== null && employer.bed_count > 0) {
    facts.push(['Bed Count', formatCount(employer.bed_count)]);
  }
  if (employer.trauma_level) facts.push(['Trauma Level', employer.trauma_level]);
  if (employer.has_helipad) facts.push(['Helipad', 'Yes']);
  if (employer.phone) {
    facts.push([
      'Phone',
      <a key="phone" href={`tel:${employer.phone.replace(/[^\d+]/g, '')}`} className="prose-link">
        {employer.phone}
      </a>,
    ]);
  }
  if (facts.length === 0) return null;
  return (
    <section aria-labelledby="overview">
      <h2 id="overview" className="sr-only">
        Overview
      </h2>
      <dl className="flex flex-wrap gap-x-10 gap-y-4 border-t border-rule py-5">
        {facts.map(([term, value]) => (
          <div key={term}>
            <dt className="label-caps text-ink-faint">{term}</dt>
            <dd className="lining-nums">{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
