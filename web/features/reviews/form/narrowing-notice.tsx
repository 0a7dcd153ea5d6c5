import { Suspense, use, useRef } from 'react';
import { useWatch } from 'react-hook-form';
import type { PhysicianCounts } from '#contract/physician-counts.ts';
import type { PublishChoice } from '#contract/review-choices.ts';
import { Button } from '#web/ui/button.tsx';
import { cx } from '#web/ui/cx.ts';
import { type AboutAuthor, broaderTitle, type Narrowing, narrowingOf } from './narrowing.ts';
import { countsOf } from './physician-counts.ts';
import { isCustom, type ReviewFormState } from './review-values.ts';

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
  // Outside of Suspense, because changes made while the counts load would be missed.
  const author = useAuthor(form);
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
        onChange={(field, value) => form.setValue(field, value, { shouldDirty: true })}
      />
    </Suspense>
  );
}

/** Directly above the submit button: the verdict above again if it is the strongest one. */
export function LastWarning({ form, canSchedule }: NarrowingNoticeProps) {
  const author = useAuthor(form);
  if (!author) return null;
  return (
    <Suspense>
      <OnlyYou
        {...author}
        canSchedule={canSchedule}
        onSchedule={() => form.setValue('publish', 'later', { shouldDirty: true })}
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
function useAuthor({ control }: ReviewFormState): Author | null {
  const [employer, typedCity, typedState] = useWatch({
    control,
    name: ['employer', 'city', 'state'],
  });
  const [position_title, specialty, start_year, end_year, publish] = useWatch({
    control,
    name: ['position_title', 'specialty', 'start_year', 'end_year', 'publish'],
  });
  if (!employer || position_title.trim() === '') return null;
  const { city, state } = isCustom(employer) ? { city: typedCity, state: typedState } : employer;
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
