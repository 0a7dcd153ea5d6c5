import { Suspense, use, useRef } from 'react';
import { apiPath } from '#contract/api-path.ts';
import { physicianCountEndpoints } from '#contract/endpoints/reviews.ts';
import {
  API_TIMEOUT_MS,
  FEW_PHYSICIANS,
  MANY_PHYSICIANS,
  PHYSICIANS_PER_YEAR,
} from '#contract/limits.ts';
import type { PublishChoice } from '#contract/review-choices.ts';
import { cityKey, type PhysicianCounts } from '#contract/reviews/physician-counts.ts';
import { specialtyOfTitle } from '#contract/reviews/specialty-of-title.ts';
import { SPECIALTIES } from '#contract/specialties.ts';
import { formatCount, formatLocation } from '#web/lib/format.ts';
import { Button } from '#web/ui/button.tsx';
import { cx } from '#web/ui/cx.ts';
import type { ReviewFormState } from './review-failure.tsx';
import { isCustom, type ReviewValues } from './review-values.ts';

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

interface Narrowing {
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

const loaded = new Map<string, Promise<PhysicianCounts | null>>();

/**
 * The counts of a state, requested until they arrive once. Null if they cannot be loaded. Bypasses the API client, so
 * that the request has no token or cookie that identifies the user.
 */
function countsOf(state: string): Promise<PhysicianCounts | null> {
  const known = loaded.get(state);
  if (known) return known;
  const counts = load(state).catch(() => {
    loaded.delete(state);
    return null;
  });
  loaded.set(state, counts);
  return counts;
}

async function load(state: string): Promise<PhysicianCounts> {
  const path = apiPath(physicianCountEndpoints.read, { query: { state } });
  const answer = await fetch(`/api${path}`, {
    credentials: 'omit',
    referrerPolicy: 'no-referrer',
    signal: AbortSignal.timeout(API_TIMEOUT_MS),
  });
  if (!answer.ok) throw new Error(`${answer.status}`);
  return answer.json();
}

const NO_COUNTS = Promise.resolve(null);

const VERDICTS: Readonly<Record<Narrowing['grade'], string>> = {
  many: 'Many physicians could have written this.',
  few: 'Only a few physicians could have written this.',
  one: 'Perhaps only you could have written this.',
  unknown: 'We cannot tell how many could have written this.',
};

interface NarrowingNoticeProps {
  form: ReviewFormState;
  /** False for a published review, which cannot be scheduled. */
  canSchedule: boolean;
}

/** docs/product/reviews.md, "How many could have written this". */
export function NarrowingNotice({ form, canSchedule }: NarrowingNoticeProps) {
  const author = authorOf(form.values);
  if (!author) {
    return (
      <p className="text-ink-soft">Choose the employer and enter your position title first.</p>
    );
  }
  return (
    <Suspense fallback={<p className="text-ink-soft">Counting…</p>}>
      <Verdict
        {...author}
        canSchedule={canSchedule && author.publish === 'now'}
        onChange={(field, value) => form.set({ [field]: value })}
      />
    </Suspense>
  );
}

/** Directly above the submit button: the verdict above again if it is the strongest one. */
export function LastWarning({ form, canSchedule }: NarrowingNoticeProps) {
  const author = authorOf(form.values);
  if (!author) return null;
  return (
    <Suspense>
      <OnlyYou
        {...author}
        canSchedule={canSchedule}
        onSchedule={() => form.set({ publish: 'later' })}
      />
    </Suspense>
  );
}

interface OnlyYouProps extends Author {
  canSchedule: boolean;
  onSchedule: () => void;
}

function OnlyYou({ about, loading, publish, canSchedule, onSchedule }: OnlyYouProps) {
  const text = useRef<HTMLParagraphElement>(null);
  if (narrowingOf(about, use(loading)).grade !== 'one') return null;
  return (
    <div className="mb-6 flex flex-wrap items-center gap-x-5 gap-y-3 border-l-3 border-danger py-1 pl-4">
      <p ref={text} tabIndex={-1} className="font-semibold">
        {VERDICTS.one}
        {publish === 'later' && (
          <span className="font-normal"> It will go live at a random time.</span>
        )}
      </p>
      {canSchedule && publish === 'now' && (
        <Button
          variant="secondary"
          onClick={() => {
            onSchedule();
            // The button that had the focus is gone.
            text.current?.focus();
          }}
        >
          Publish at a random time
        </Button>
      )}
    </div>
  );
}

interface Author {
  about: AboutAuthor;
  loading: Promise<PhysicianCounts | null>;
  publish: PublishChoice;
}

/** Null until the form says where the author works, and as what. */
function authorOf(values: ReviewValues): Author | null {
  const { employer, position_title, specialty, start_year, end_year, publish } = values;
  if (!employer || position_title.trim() === '') return null;
  const { city, state } = isCustom(employer) ? values : employer;
  return {
    about: { city, state, position_title, specialty, start_year, end_year },
    loading: state ? countsOf(state.toUpperCase()) : NO_COUNTS,
    publish,
  };
}

interface VerdictProps extends Author {
  canSchedule: boolean;
  onChange: (field: WayOut['field'], value: string) => void;
}

function Verdict({ about, loading, canSchedule, onChange }: VerdictProps) {
  const verdict = useRef<HTMLParagraphElement>(null);
  const { grade, reason } = narrowingOf(about, use(loading));
  const waysOut = grade === 'many' ? [] : waysOutOf(about, canSchedule);

  return (
    <div className="flex flex-col gap-4">
      <Scale grade={grade} />
      <div>
        <p ref={verdict} role="status" tabIndex={-1} className="font-display text-xl">
          {VERDICTS[grade]}
        </p>
        <p className="mt-1 text-sm text-ink-soft lining-nums">{reason}</p>
      </div>
      {waysOut.length > 0 && (
        <div>
          <p className="text-sm font-semibold">To stand out less</p>
          <div className="mt-2 flex flex-wrap gap-2">
            {waysOut.map(({ label, field, value }) => (
              <Button
                key={field}
                variant="secondary"
                className="px-4"
                onClick={() => {
                  onChange(field, value);
                  // The button that had the focus is gone.
                  verdict.current?.focus();
                }}
              >
                {label}
              </Button>
            ))}
          </div>
        </div>
      )}
    </div>
  );
}

interface WayOut {
  label: string;
  field: 'position_title' | 'specialty' | 'publish';
  value: string;
}

function waysOutOf(about: AboutAuthor, canSchedule: boolean): WayOut[] {
  const title = broaderTitle(about.position_title);
  return [
    ...(title === null
      ? []
      : [{ label: `Use the title “${title}”`, field: 'position_title', value: title } as const]),
    ...(about.specialty === ''
      ? []
      : [{ label: 'Leave out the specialty', field: 'specialty', value: '' } as const]),
    ...(canSchedule ? [{ label: 'Publish later', field: 'publish', value: 'later' } as const] : []),
  ];
}

const STOPS = [
  ['many', 'Many'],
  ['few', 'A few'],
  ['one', 'Perhaps only you'],
] as const;

/** Hidden from screen readers, because the sentence below says the same. */
function Scale({ grade }: { grade: Narrowing['grade'] }) {
  return (
    <div aria-hidden className="grid grid-cols-[repeat(3,minmax(min-content,1fr))] gap-x-2">
      {STOPS.map(([stop, label]) => (
        <span
          key={stop}
          className={cx(
            'border-t-4 pt-1.5 text-sm',
            stop !== grade && 'border-rule text-ink-faint',
            stop === grade && 'font-semibold',
            stop === grade && (grade === 'one' ? 'border-danger text-danger' : 'border-accent'),
          )}
        >
          {label}
        </span>
      ))}
    </div>
  );
}
