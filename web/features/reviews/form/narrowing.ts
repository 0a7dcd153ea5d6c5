import { FEW_PHYSICIANS, MANY_PHYSICIANS, PHYSICIANS_PER_YEAR } from '#contract/limits.ts';
import { cityKey, type PhysicianCounts } from '#contract/physician-counts.ts';
import { SPECIALTIES } from '#contract/specialties.ts';
import { specialtyOfTitle } from '#contract/specialty-of-title.ts';
import { formatCount, formatLocation } from '#web/lib/format.ts';

/** What a review says about its author. */
export interface AboutAuthor {
  /** Null for an employer that is only a name so far. */
  city: string | null;
  state: string | null;
  position_title: string;
  specialty: string;
  start_year: string;
  end_year: string;
}

type Grade = 'many' | 'few' | 'one' | 'unknown';

export interface Narrowing {
  grade: Grade;
  reason: string;
}

/** The registry's code for all trainees, whatever their specialty. */
const IN_TRAINING = '390200000X';

/** Titles of which an employer has one, or one per department. */
const SINGLE_POST =
  /\b(?:chief|chair|chairman|chairwoman|chairperson|director|dean|head(?! (?:and|&) neck)|president|officer)\b/i;
const TRAINEE = /\b(?:intern|resident|residency|fellow|fellowship|trainee|pgy)\b/i;

/**
 * How many could have written a review (docs/product/reviews.md, "How many could have written this").
 * `counts` is null if they could not be loaded.
 */
export function narrowingOf(about: AboutAuthor, counts: PhysicianCounts | null): Narrowing {
  const title = about.position_title.trim();
  if (SINGLE_POST.test(title)) {
    return { grade: 'one', reason: `Few people at an employer have the title “${title}”.` };
  }
  if (TRAINEE.test(title)) {
    return unknown(
      'The registry does not say where residents and fellows train, or in which specialty.',
    );
  }
  const { city, state } = about;
  if (!city || !state) return unknown('We do not know which city this employer is in.');
  if (counts === null) return unknown('The number of physicians could not be loaded.');
  const place = formatLocation({ city, state });
  const inCity = counts.cities[cityKey(city)];
  if (!inCity) return unknown(`We have no count of physicians in ${place}.`);

  const specialty = about.specialty || specialtyOfTitle(title);
  const physicians = specialty ? ofSpecialty(inCity, specialty) : allOf(inCity);
  const years = [about.start_year, about.end_year].filter(Boolean).length;
  const left = physicians / PHYSICIANS_PER_YEAR ** years;
  return {
    grade: left >= MANY_PHYSICIANS ? 'many' : left >= FEW_PHYSICIANS ? 'few' : 'one',
    reason: `${listed(physicians, specialty, place)} ${YEARS[years]} There are fewer at any one employer.`,
  };
}

const unknown = (reason: string): Narrowing => ({ grade: 'unknown', reason });

const YEARS = [
  'The years narrow that down further.',
  `About 1 in ${PHYSICIANS_PER_YEAR} started in the same year.`,
  `About 1 in ${PHYSICIANS_PER_YEAR ** 2} started and left in the same years.`,
] as const;

function listed(physicians: number, specialty: string | null, place: string): string {
  const who = physicians === 1 ? 'physician' : 'physicians';
  const count = physicians === 0 ? 'no' : formatCount(physicians);
  return `The registry lists ${count} ${specialty ? `${specialty} ` : ''}${who} in ${place}.`;
}

type CityCounts = PhysicianCounts['cities'][string];

const allOf = (inCity: CityCounts) =>
  Object.entries(inCity).reduce(
    (sum, [code, count]) => sum + (code === IN_TRAINING ? 0 : count),
    0,
  );

const ofSpecialty = (inCity: CityCounts, specialty: string) =>
  (SPECIALTIES.find(({ name }) => name === specialty)?.codes ?? []).reduce(
    (sum, code) => sum + (inCity[code] ?? 0),
    0,
  );

/** A more common title that names no specialty; null if there is none. */
export function broaderTitle(title: string): string | null {
  const text = title.trim();
  if (text === '') return null;
  const broader = TRAINEE.test(text)
    ? /\bfellow/i.test(text)
      ? 'Fellow'
      : 'Resident Physician'
    : 'Attending Physician';
  return broader.toLowerCase() === text.toLowerCase() ? null : broader;
}
