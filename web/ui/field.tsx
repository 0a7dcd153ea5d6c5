import { CircleAlert } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import { cx } from './cx.ts';

/** Attributes that connect a control to its label, hint, and error. */
export interface FieldControl {
  id: string;
  'aria-describedby': string | undefined;
  'aria-invalid': true | undefined;
}

interface FieldProps {
  label: ReactNode;
  hint?: ReactNode;
  /** Error messages. Several are shown as a list. */
  error?: string | readonly string[] | undefined;
  className?: string;
  /** For the label's `htmlFor`. Generated if omitted. */
  id?: string;
  children: (control: FieldControl) => ReactNode;
}

/** A label and a control, with a hint and errors. */
export function Field({ label, hint, error, className, id, children }: FieldProps) {
  const generatedId = useId();
  const controlId = id ?? generatedId;
  const errors = typeof error === 'string' ? [error] : (error ?? []);
  const hasErrors = errors.length > 0;
  const describedBy = [hint && `${controlId}-hint`, hasErrors && `${controlId}-error`]
    .filter(Boolean)
    .join(' ');
  return (
    <div className={cx('flex flex-col gap-1.5', className)}>
      <label htmlFor={controlId} className="text-sm font-semibold">
        {label}
      </label>
      {hint && (
        <p id={`${controlId}-hint`} className="text-xs text-ink-faint">
          {hint}
        </p>
      )}
      {children({
        id: controlId,
        'aria-describedby': describedBy || undefined,
        'aria-invalid': hasErrors || undefined,
      })}
      {hasErrors && <FieldErrors id={`${controlId}-error`} errors={errors} />}
    </div>
  );
}

/** Also for groups (`<fieldset>`), which have no single control. */
export function FieldErrors({ id, errors }: { id: string; errors: readonly string[] }) {
  return (
    <ul id={id} className="flex flex-col gap-1 text-sm text-danger">
      {errors.map((message) => (
        <li key={message} className="flex gap-1.5">
          <CircleAlert aria-hidden className="mt-1 size-4 shrink-0" />
          {message}
        </li>
      ))}
    </ul>
  );
}
