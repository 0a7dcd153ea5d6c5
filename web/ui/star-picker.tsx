import { Star } from 'lucide-react';
import { useId } from 'react';
import { cx } from './cx.ts';
import { FieldErrors } from './field.tsx';

const COUNTS = [1, 2, 3, 4, 5] as const;

interface StarPickerProps {
  legend: string;
  /** One name for each picker of a form. */
  name: string;
  /** 1 to 5; 0 is not rated. */
  value: number;
  onChange: (rating: number) => void;
  error?: string | undefined;
  className?: string;
}

/**
 * A radio group, so that arrow keys work as everywhere. Choosing the chosen count once more, by
 * click or space bar, takes the rating back (specification, section 4).
 */
export function StarPicker({ legend, name, value, onChange, error, className }: StarPickerProps) {
  const id = useId();
  return (
    <fieldset className={className} aria-describedby={error ? `${id}-error` : undefined}>
      <legend className="text-sm font-semibold max-md:w-full max-md:text-center">{legend}</legend>
      <div className="-mx-1.5 flex max-md:justify-center">
        {COUNTS.map((count) => (
          <label
            key={count}
            className="rounded-sm p-1.5 outline-accent has-focus-visible:outline-2 has-focus-visible:-outline-offset-2"
          >
            <input
              type="radio"
              name={name}
              value={count}
              checked={value === count}
              onChange={() => onChange(count)}
              onClick={() => value === count && onChange(0)}
              className="sr-only"
            />
            <Star
              aria-hidden
              strokeWidth={1.25}
              className={cx(
                'size-8 transition-colors',
                count <= value ? 'fill-current text-accent' : 'text-control hover:text-accent',
              )}
            />
            <span className="sr-only">{count === 1 ? '1 star' : `${count} stars`}</span>
          </label>
        ))}
      </div>
      {error && <FieldErrors id={`${id}-error`} errors={[error]} />}
    </fieldset>
  );
}
