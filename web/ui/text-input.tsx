import { Eye, EyeOff } from 'lucide-react';
import { type ComponentPropsWithRef, useState } from 'react';
import { controlClass } from './control.ts';
import { cx } from './cx.ts';

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
