import { Star } from 'lucide-react';
import { useId } from 'react';
import { cx } from './cx.ts';
import { FieldError } from './field.tsx';

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
export function StarPicker({ legend, name, value, onChange, hint, error }: StarPickerProps) {
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
