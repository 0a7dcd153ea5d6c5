import { Suspense, use, useRef } from 'react';
import { useWatch } from 'react-hook-form';
import type { PhysicianCounts } from '#contract/physician-counts.ts';
import { Button } from '#web/ui/button.tsx';
import { cx } from '#web/ui/cx.ts';
import { broaderTitle, type Narrowing, narrowingOf } from './narrowing.ts';
import { countsOf } from './physician-counts.ts';
import type { ReviewFormState, ReviewValues } from './review-values.ts';

const NO_COUNTS = Promise.resolve(null);

const VERDICTS: Readonly<Record<Narrowing['grade'], string>> = {
  many: 'Many physicians could have written this.',
  few: 'Only a few physicians could have written this.',
  one: 'Perhaps only you could have written this.',
  unknown: 'We cannot tell how many could have written this.',
};

interface NarrowingNoticeProps {
  form: ReviewFormState;
  /** A published review cannot be published later. */
  canSchedule: boolean;
}

/** docs/product/reviews.md, "How many could have written this". */
export function NarrowingNotice({ form, canSchedule }: NarrowingNoticeProps) {
  const [employer, title] = useWatch({
    control: form.control,
    name: ['employer', 'position_title'],
  });
  if (!employer || title.trim() === '') {
    return (
      <p className="text-ink-soft">Choose the employer and enter your position title first.</p>
    );
  }
  const counts = employer.state ? countsOf(employer.state.toUpperCase()) : NO_COUNTS;
  return (
    <Suspense fallback={<p className="text-ink-soft">Counting…</p>}>
      <Verdict form={form} canSchedule={canSchedule} loading={counts} />
    </Suspense>
  );
}

interface VerdictProps extends NarrowingNoticeProps {
  loading: Promise<PhysicianCounts | null>;
}

function Verdict({ form, canSchedule, loading }: VerdictProps) {
  const counts = use(loading);
  const values = useWatch({ control: form.control }) as ReviewValues;
  const verdict = useRef<HTMLParagraphElement>(null);
  const { city = null, state = null } = values.employer ?? {};
  const { grade, reason } = narrowingOf({ ...values, city, state }, counts);
  const waysOut = grade === 'many' ? [] : waysOutOf(values, canSchedule);

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
                  form.setValue(field, value, { shouldDirty: true });
                  // The button is gone.
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

function waysOutOf(values: ReviewValues, canSchedule: boolean): WayOut[] {
  const title = broaderTitle(values.position_title);
  return [
    ...(title === null
      ? []
      : [{ label: `Use the title “${title}”`, field: 'position_title', value: title } as const]),
    ...(values.specialty === ''
      ? []
      : [{ label: 'Name no specialty', field: 'specialty', value: '' } as const]),
    ...(canSchedule && values.publish === 'now'
      ? [{ label: 'Publish later', field: 'publish', value: 'later' } as const]
      : []),
  ];
}

const STOPS = [
  ['many', 'Many'],
  ['few', 'A few'],
  ['one', 'Perhaps only you'],
] as const;

/** Drawn: the sentence below says the same. */
function Scale({ grade }: { grade: Narrowing['grade'] }) {
  return (
    <div aria-hidden className="grid grid-cols-3 gap-x-2">
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
