import { ArrowLeft } from 'lucide-react';
import type { MouseEvent, ReactNode } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { OWNERSHIP_NOT_SPECIFIED } from '#contract/employers/employer-choices.ts';
import { EMPLOYER_FACTS, EMPLOYER_SOURCES } from '#contract/employers/employer-sources.ts';
import type { Employer, SourceRecord } from '#contract/employers/employers.ts';
import { titleCase } from '#contract/names.ts';
import { formatCount, formatLocation, formatMonth } from '#web/lib/format.ts';
import { Link } from '#web/lib/link.tsx';
import { paths } from '#web/lib/paths.ts';
import { useHydrated } from '#web/lib/store.ts';
import { NewTabLink } from '#web/ui/links.tsx';

/** Navigation state of a link to an employer. */
export interface Origin {
  /** The path of the list that contains the link. */
  from?: string;
  /** The page was filtered, so the list is no longer the previous history entry. */
  isFiltered?: true;
}

/** Links to the list that the visitor came from, or to the directory. */
export function BackLink() {
  const { state } = useLocation();
  const navigate = useNavigate();
  // The server does not know the navigation state.
  const { from = paths.employers(), isFiltered }: Origin = (useHydrated() && state) || {};
  const isFromReviews = from.startsWith(paths.reviews());

  /** Goes back to the reviews with their filters, pages, and scroll position. */
  function goBack(event: MouseEvent<HTMLAnchorElement>) {
    if (!isFromReviews || isFiltered || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    void navigate(-1);
  }

  return (
    <Link
      to={from}
      onClick={goBack}
      className="mt-1 -mb-8 inline-flex md:mt-6 min-h-11 items-center gap-2 text-sm text-ink-soft hover:text-ink print:hidden"
    >
      <ArrowLeft aria-hidden className="size-4" />
      <span>{isFromReviews ? 'All reviews' : 'All employers'}</span>
    </Link>
  );
}

/** Facts that only files know. */
const OTHER_FACTS: Readonly<Record<string, string>> = {
  source_name: 'Name in the file',
  alt_name: 'Other name',
  resident_count: 'Residents',
  has_emergency: 'Emergency services',
  cms_stars: 'CMS star rating (patient care)',
  medical_school: 'Medical school',
};
const LABELS: Readonly<Record<string, string>> = {
  ...EMPLOYER_FACTS,
  specialty: 'Kind',
  ...OTHER_FACTS,
};

/** Each fact as each file has it, with the date of the file. */
function SourcesOfFacts({ sources }: { sources: readonly SourceRecord[] }) {
  if (sources.length === 0) return null;
  const facts = Object.entries(LABELS)
    .map(([fact, label]) => ({ label, values: valuesOf(fact, sources) }))
    .filter(({ values }) => values.length > 0);
  return (
    <details className="pb-5 text-sm print:hidden">
      <summary className="w-fit cursor-pointer py-1 text-ink-soft">
        Where these facts come from
      </summary>
      <dl className="mt-3 grid gap-x-6 gap-y-2 lining-nums sm:grid-cols-[max-content_minmax(0,1fr)]">
        {facts.map(({ label, values }) => (
          <div key={label} className="sm:contents">
            <dt className="text-ink-faint">{label}</dt>
            <dd className="wrap-anywhere">
              {values.map(([value, files]) => (
                <p key={value}>
                  {value} <span className="text-xs text-ink-soft">{files.join(', ')}</span>
                </p>
              ))}
            </dd>
          </div>
        ))}
      </dl>
      <p className="mt-4 text-ink-soft">
        A correction that a curator has accepted counts more than any file.
      </p>
    </details>
  );
}

/** The different values of a fact, each with the files that have it. */
function valuesOf(fact: string, sources: readonly SourceRecord[]): [string, string[]][] {
  const values = new Map<string, string[]>();
  for (const { source, as_of, gone_on, facts } of sources) {
    const value = facts[fact];
    if (value === undefined) continue;
    const file = `${EMPLOYER_SOURCES[source]}, ${formatMonth(as_of)}${gone_on ? ' (the last one)' : ''}`;
    const text = shown(value);
    values.set(text, [...(values.get(text) ?? []), file]);
  }
  return [...values];
}

function shown(value: string | number | boolean): string {
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  return typeof value === 'number' ? formatCount(value) : titleCase(value);
}

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
