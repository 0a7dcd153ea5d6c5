import type { ReactNode } from 'react';
import { OWNERSHIP_NOT_SPECIFIED } from '#contract/employer-choices.ts';
import type { Employer, SourceRecord } from '#contract/employers.ts';
import { formatCount, formatLocation, formatMonth } from '#web/lib/format.ts';
import { NewTabLink } from '#web/ui/new-tab-link.tsx';
import { SourcesOfFacts } from './sources-of-facts.tsx';

interface EmployerOverviewProps {
  employer: Employer;
  /** What files say about it. */
  sources: readonly SourceRecord[];
}

export function EmployerOverview({ employer, sources }: EmployerOverviewProps) {
  const basic = factsOf(employer);
  const facts = basic.length === 0 ? [] : [...basic, ...moreFacts(employer, sources)];
  const gone = sources.find(({ source, gone_on }) => source === 'cms' && gone_on);
  if (facts.length === 0) return null;
  return (
    <section aria-labelledby="overview">
      <h2 id="overview" className="sr-only">
        Overview
      </h2>
      <dl className="flex flex-wrap gap-x-10 gap-y-4 border-t border-rule py-5 print:gap-y-1 print:py-2">
        {facts.map(([term, value]) => (
          <div key={term}>
            <dt className="label-caps text-ink-faint">{term}</dt>
            <dd className="lining-nums wrap-anywhere">{value}</dd>
          </div>
        ))}
      </dl>
      {gone?.gone_on && (
        <p className="pb-4 text-sm text-ink-soft">
          No longer in the CMS file of {formatMonth(gone.gone_on)}. It may have closed, or have
          another number.
        </p>
      )}
      <SourcesOfFacts sources={sources} />
    </section>
  );
}

type Fact = [term: string, value: ReactNode];

function factsOf(employer: Employer): Fact[] {
  const facts: Fact[] = [];
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
  return facts;
}

/** What only some sources know, and what helps to get there. */
function moreFacts(employer: Employer, sources: readonly SourceRecord[]): Fact[] {
  const { address, city, state, zip, website, specialty, staff_count } = employer;
  const facts: Fact[] = [];
  const newest = (fact: string) =>
    sources.find(({ facts, gone_on }) => facts[fact] !== undefined && !gone_on);
  const residents = newest('resident_count')?.facts['resident_count'];
  const emergency = newest('has_emergency')?.facts['has_emergency'];
  const school = newest('medical_school')?.facts['medical_school'];
  const stars = newest('cms_stars');
  const isHospital = employer.employer_type === 'hospital';
  facts.push(['Kind', (isHospital && specialty) || employer.employer_type_display]);
  if (staff_count) facts.push(['Staff', formatCount(staff_count)]);
  if (residents) facts.push(['Residents', formatCount(Number(residents))]);
  if (school) facts.push(['Medical school', String(school)]);
  if (emergency !== undefined) facts.push(['Emergency services', emergency ? 'Yes' : 'No']);
  if (address && city && state) {
    const place = [address, city, `${state} ${zip ?? ''}`.trim()].join(', ');
    facts.push([
      'Address',
      <NewTabLink key="address" to={`https://maps.apple.com/?q=${encodeURIComponent(place)}`}>
        {formatLocation({ city: address, state: null })}
      </NewTabLink>,
    ]);
  }
  if (website) {
    facts.push([
      'Website',
      <NewTabLink key="website" to={website}>
        {new URL(website).hostname.replace(/^www\./, '')}
      </NewTabLink>,
    ]);
  }
  if (stars) {
    facts.push([
      'CMS star rating (patient care)',
      `${stars.facts['cms_stars']} of 5, ${formatMonth(stars.as_of)}`,
    ]);
  }
  return facts;
}
