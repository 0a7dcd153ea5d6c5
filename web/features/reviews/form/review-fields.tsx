import { Star } from 'lucide-react';
import { useId } from 'react';
import { PUBLISH_LATER_DAYS, REVIEW_TEXT_MAX } from '#contract/limits.ts';
import {
  CATEGORIES,
  type CategoryRating,
  type PublishChoice,
  REVIEW_TEXTS,
} from '#contract/review-choices.ts';
import { patientNamesIn } from '#contract/reviews/screening.ts';
import { formatCount } from '#web/lib/format.ts';
import { cx } from '#web/ui/cx.ts';
import { Field, FieldError, Radio, TextArea } from '#web/ui/inputs.tsx';
import { FieldFindings, fieldError, type ReviewFormState } from './review-failure.tsx';

const WORDS = ['poor', 'fair', 'good', 'very good', 'excellent'];

interface StarPickerProps {
  legend: string;
  /** Unique among the pickers of a form. */
  name: string;
  /** 1 to 5; 0 means not rated. */
  value: number;
  onChange: (rating: number) => void;
  hint?: string | undefined;
  error?: string | undefined;
}

/**
 * A radio group, so that arrow keys work as usual. Selecting the current count again, by click or
 * space bar, clears the rating.
 */
function StarPicker({ legend, name, value, onChange, hint, error }: StarPickerProps) {
  const id = useId();
  const describedBy = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ');
  return (
    <fieldset
      className={cx(error && 'rounded-sm outline-2 outline-offset-8 outline-danger')}
      aria-describedby={describedBy || undefined}
    >
      <legend className="text-sm font-semibold max-md:w-full max-md:text-center">{legend}</legend>
      {hint && (
        <p id={`${id}-hint`} className="text-xs text-ink-faint max-md:text-center">
          {hint}
        </p>
      )}
      <div className="-mx-[6px] flex max-md:justify-center">
        {WORDS.map((word, place) => {
          const count = place + 1;
          return (
            <label key={count} className="min-w-0">
              <input
                type="radio"
                name={name}
                value={count}
                checked={value === count}
                onChange={() => onChange(count)}
                onClick={() => value === count && onChange(0)}
                // Browsers ignore the space bar on a checked radio button.
                onKeyUp={(event) => {
                  if (event.key !== ' ' || value !== count) return;
                  event.preventDefault();
                  onChange(0);
                }}
                className="peer sr-only"
              />
              <span className="block rounded-sm p-[6px] outline-accent peer-focus-visible:outline-2 peer-focus-visible:-outline-offset-2">
                <Star
                  aria-hidden
                  strokeWidth={1.25}
                  className={cx(
                    'h-auto w-8 max-w-full transition-colors',
                    count <= value ? 'fill-current text-accent' : 'text-control hover:text-accent',
                  )}
                />
              </span>
              <span className="sr-only">
                {`${count === 1 ? '1 star' : `${count} stars`}, ${word}`}
              </span>
            </label>
          );
        })}
      </div>
      {/* Always there, so that choosing moves nothing. The names of the stars say it aloud. */}
      <p
        aria-hidden
        className="min-h-(--text-sm--line-height) text-sm text-ink-soft lining-nums max-md:text-center"
      >
        {value > 0 && `${value} · ${WORDS[value - 1]}`}
      </p>
      {error && <FieldError id={`${id}-error`}>{error}</FieldError>}
    </fieldset>
  );
}

/** What each category covers (docs/product.md, "Purpose"). */
const CATEGORY_HINTS: Record<CategoryRating, string> = {
  work_life_balance_rating: 'Schedule flexibility, time off, workload',
  mentorship_growth_rating: 'Teaching, guidance, room to advance',
  team_collaboration_rating: 'Colleagues, nursing, administration',
  compensation_benefits_rating: 'Pay, benefits, contract terms',
  immigration_support_rating: 'Visa sponsorship, legal help, relocation',
};

export function RatingFields({ form }: { form: ReviewFormState }) {
  return (
    <>
      <Rating form={form} name="overall_rating" legend="Overall rating *" />
      <div className="grid gap-x-10 gap-y-6 md:grid-cols-2">
        {CATEGORIES.map(([name, label]) => (
          <Rating
            key={name}
            form={form}
            name={name}
            legend={name === 'immigration_support_rating' ? `${label} (optional)` : `${label} *`}
            hint={CATEGORY_HINTS[name]}
          />
        ))}
      </div>
    </>
  );
}

interface RatingProps {
  form: ReviewFormState;
  name: 'overall_rating' | CategoryRating;
  legend: string;
  hint?: string;
}

function Rating({ form, name, legend, hint }: RatingProps) {
  return (
    <StarPicker
      legend={legend}
      hint={hint}
      name={name}
      value={form.values[name]}
      onChange={(stars) => form.set({ [name]: stars })}
      error={fieldError(form.failure, name)}
    />
  );
}

const TEXTS = [
  {
    name: 'review_text',
    label: `${REVIEW_TEXTS.review_text} *`,
    hint: `What should a colleague know before signing? Up to ${formatCount(REVIEW_TEXT_MAX)} characters.`,
    rows: 6,
    required: true,
  },
  { name: 'pros', label: REVIEW_TEXTS.pros, hint: 'Optional', rows: 4, required: false },
  { name: 'cons', label: REVIEW_TEXTS.cons, hint: 'Optional', rows: 4, required: false },
] as const;

export function TextFields({ form: { values, failure, set } }: { form: ReviewFormState }) {
  return TEXTS.map(({ name, label, hint, ...area }) => (
    <div key={name}>
      <Field label={label} hint={hint} error={fieldError(failure, name)}>
        {(control) => (
          <TextArea
            {...control}
            {...area}
            name={name}
            value={values[name]}
            onChange={({ target }) => set({ [name]: target.value })}
            aria-invalid={failure?.field === name || undefined}
          />
        )}
      </Field>
      <FieldFindings field={name} text={values[name]} failure={failure} />
      <PatientNames text={values[name]} />
    </div>
  ));
}

/** A hint, which stops nobody: it may be the name of a colleague. */
function PatientNames({ text }: { text: string }) {
  const [first] = patientNamesIn(text);
  return (
    <p role="status" className={cx(first && 'mt-2 border-l-3 border-control pl-3 text-sm')}>
      {first && (
        <span>
          “{first.excerpt}” may name a patient. If it does, please take the name out. It won’t stop
          you from posting.
        </span>
      )}
    </p>
  );
}

const PUBLISH_CHOICES: readonly (readonly [PublishChoice, string])[] = [
  ['now', 'Now'],
  ['later', `At a random time in the next ${PUBLISH_LATER_DAYS} days`],
];

export function PublishFields({ form: { values, set } }: { form: ReviewFormState }) {
  return (
    <fieldset>
      <legend className="text-sm font-semibold">When should your review go live?</legend>
      {PUBLISH_CHOICES.map(([value, label]) => (
        <Radio
          key={value}
          label={label}
          name="publish"
          checked={values.publish === value}
          onChange={() => set({ publish: value })}
        />
      ))}
      <p className="mt-2 text-sm text-ink-soft">
        A random time keeps anyone who watches the site from knowing when you wrote your review.
        Until it goes live, only you can see it. You can change it, publish it, or withdraw it at
        any time.
      </p>
    </fieldset>
  );
}
