import { ChevronDown, CircleAlert, Eye, EyeOff } from 'lucide-react';
import { type ComponentPropsWithRef, type ReactNode, useId, useState } from 'react';
import { controlClass } from './control.ts';
import { cx } from './cx.ts';

/** Attributes that connect a control to its label, hint, and error. */
interface FieldControl {
  id: string;
  'aria-describedby': string | undefined;
  'aria-invalid': true | undefined;
}

interface FieldProps {
  label: ReactNode;
  hint?: ReactNode;
  error?: string | undefined;
  className?: string | undefined;
  children: (control: FieldControl) => ReactNode;
}

/** A label and a control, with a hint and an error. */
export function Field({ label, hint, error, className, children }: FieldProps) {
  const id = useId();
  const describedBy = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ');
  return (
    <div className={cx('flex flex-col gap-1.5', className)}>
      <label htmlFor={id} className="text-sm font-semibold">
        {label}
      </label>
      {hint && (
        <p id={`${id}-hint`} className="text-xs text-ink-faint">
          {hint}
        </p>
      )}
      {children({
        id,
        'aria-describedby': describedBy || undefined,
        'aria-invalid': error ? true : undefined,
      })}
      {error && <FieldError id={`${id}-error`}>{error}</FieldError>}
    </div>
  );
}

/** Also for groups (`<fieldset>`), which have no single control. */
export function FieldError({ id, children }: { id: string; children: string }) {
  return (
    <p id={id} className="flex gap-1.5 text-sm text-danger">
      <CircleAlert aria-hidden className="mt-1 size-4 shrink-0" />
      {children}
    </p>
  );
}

/** The attribute of a text box with the number of characters at which typing ends. */
export const TYPING_LIMIT = 'data-typing-limit';

/**
 * Ends typing at the limit of a text box. Unlike with `maxlength`, pasted text stays whole, so that
 * its end is not lost unseen; the form then says that it is too long.
 */
function limitTyping(root: Document): void {
  root.addEventListener('beforeinput', (event) => {
    const { target, inputType, data } = event;
    // A keyboard that inserts a whole word or number is not typing.
    if (inputType !== 'insertText' || data === null || [...data].length > 1) return;
    if (!(target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement)) return;
    const limit = Number(target.getAttribute(TYPING_LIMIT) ?? Number.POSITIVE_INFINITY);
    const replaced = (target.selectionEnd ?? 0) - (target.selectionStart ?? 0);
    if (target.value.length - replaced + data.length > limit) event.preventDefault();
  });
}

if (typeof document !== 'undefined') limitTyping(document);

/**
 * The text is at least 16 px, because phones zoom in on smaller text when it gets the focus. Typing
 * ends at `maxLength`; pasted text is never cut.
 */
export function TextInput(props: ComponentPropsWithRef<'input'>) {
  const { className, type = 'text', maxLength, ...rest } = props;
  return (
    <input
      {...rest}
      {...{ [TYPING_LIMIT]: maxLength }}
      type={type}
      className={cx(controlClass, 'h-12 px-3.5', className)}
    />
  );
}

export function TextArea(props: ComponentPropsWithRef<'textarea'>) {
  const { className, rows = 4, maxLength, ...rest } = props;
  return (
    <textarea
      {...rest}
      {...{ [TYPING_LIMIT]: maxLength }}
      rows={rows}
      className={cx(controlClass, 'min-h-12 px-3.5 py-2.5', className)}
    />
  );
}

/** A password field with a button to show the password. */
export function PasswordInput(props: Omit<ComponentPropsWithRef<'input'>, 'type'>) {
  const [isShown, setShown] = useState(false);
  const Icon = isShown ? EyeOff : Eye;
  return (
    <span className="relative block">
      <TextInput {...props} type={isShown ? 'text' : 'password'} className="pr-12" />
      <button
        type="button"
        aria-pressed={isShown}
        onClick={() => setShown(!isShown)}
        className="absolute inset-y-0 right-0 grid w-12 place-items-center text-ink-faint hover:text-ink"
      >
        <Icon aria-hidden className="size-5" />
        <span className="sr-only">Show password</span>
      </button>
    </span>
  );
}

/** The browser's select element in the style of the other controls. */
export function Select({ className, children, ...rest }: ComponentPropsWithRef<'select'>) {
  return (
    <span className={cx('relative block', className)}>
      <select
        {...rest}
        className={
          'h-12 w-full appearance-none rounded-md border border-control bg-raised pr-9 pl-3.5 text-base ' +
          'text-ink text-ellipsis transition-colors hover:border-ink-soft focus:border-accent focus:outline-2 ' +
          'focus:-outline-offset-1 focus:outline-accent aria-invalid:border-danger aria-invalid:focus:border-danger ' +
          'aria-invalid:focus:outline-offset-2 ' +
          'disabled:cursor-not-allowed disabled:bg-sunken disabled:text-ink-faint'
        }
      >
        {children}
      </select>
      <ChevronDown
        aria-hidden
        className="pointer-events-none absolute top-1/2 right-2.5 size-5 -translate-y-1/2 text-ink-faint"
      />
    </span>
  );
}

interface ChoiceProps extends Omit<ComponentPropsWithRef<'input'>, 'type'> {
  label: ReactNode;
  /** An explanation of the choice, in smaller type below the label. */
  hint?: ReactNode;
}

export const Checkbox = (props: ChoiceProps) => <Choice {...props} type="checkbox" />;

/** One of a group. The form provides the `<fieldset>` and its legend. */
export const Radio = (props: ChoiceProps) => <Choice {...props} type="radio" />;

function Choice({ label, hint, className, ...rest }: ChoiceProps & { type: 'checkbox' | 'radio' }) {
  const id = useId();
  // The hint is the description, not part of the name.
  const described = hint && {
    'aria-labelledby': `${id}-label`,
    'aria-describedby': `${id}-hint`,
  };
  return (
    <label className={cx('flex min-h-11 gap-3', rest.disabled && 'text-ink-faint', className)}>
      <input {...described} {...rest} className="mt-3 size-5 shrink-0" />
      <span className="min-w-0 py-2 wrap-anywhere">
        <span id={hint ? `${id}-label` : undefined}>{label}</span>
        {hint && (
          <span id={`${id}-hint`} className="block text-xs text-ink-faint first-letter:uppercase">
            {hint}
          </span>
        )}
      </span>
    </label>
  );
}
