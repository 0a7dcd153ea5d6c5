import { EMPLOYER_FACTS, EMPLOYER_SOURCES } from '#contract/employer-sources.ts';
import type { SourceRecord } from '#contract/employers.ts';
import { titleCase } from '#contract/names.ts';
import { formatCount, formatMonth } from '#web/lib/format.ts';

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
export function SourcesOfFacts({ sources }: { sources: readonly SourceRecord[] }) {
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
