import { X } from 'lucide-react';
import { type ReactNode, useId, useLayoutEffect, useRef } from 'react';
import { Button, type ButtonVariant } from './button.tsx';
import { cx } from './cx.ts';

interface DialogProps {
  title: string;
  /** Also called after Escape and after a click on the backdrop. */
  onClose: () => void;
  children: ReactNode;
  /** Buttons, safest first, since the first gets the focus. */
  actions?: ReactNode;
  /** Slides up from the bottom edge at full width, for content that does not fit on a phone. */
  isSheet?: boolean;
}

/** The browser's modal dialog, which traps the focus and restores it. Mount it to open it. */
export function Dialog({ title, onClose, children, actions, isSheet = false }: DialogProps) {
  const ref = useRef<HTMLDialogElement>(null);
  const titleId = useId();

  useLayoutEffect(() => {
    const dialog = ref.current;
    dialog?.showModal();
    // Before removal from the page: only closing a dialog restores the focus.
    return () => dialog?.close();
  }, []);

  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keyboard closes a dialog with Escape
    <dialog
      ref={ref}
      aria-labelledby={titleId}
      onClose={({ currentTarget }) => !currentTarget.open && onClose()}
      onClick={(event) => event.target === event.currentTarget && onClose()}
      className={cx(
        'border-rule bg-raised p-0 text-ink shadow-raised backdrop:bg-backdrop',
        isSheet
          ? 'mx-0 mt-auto mb-0 max-h-[90dvh] w-full max-w-full border-t'
          : 'm-auto w-[calc(100%-2*var(--gutter))] max-w-form rounded-md border',
      )}
    >
      <div className="flex flex-col gap-4 p-6">
        <div className="flex items-start justify-between gap-4">
          <h2 id={titleId} className="font-display text-xl">
            {title}
          </h2>
          <button
            type="button"
            onClick={onClose}
            className="-m-2 grid size-10 place-items-center text-ink-faint hover:text-ink"
          >
            <X aria-hidden className="size-5" />
            <span className="sr-only">Close</span>
          </button>
        </div>
        <div className="text-ink-soft">{children}</div>
        {actions && (
          <div
            className={cx(
              'flex flex-wrap items-center justify-end gap-3',
              isSheet
                ? 'sticky bottom-0 -mx-6 -mb-6 border-t border-rule bg-raised px-6 py-4'
                : 'pt-2',
            )}
          >
            {actions}
          </div>
        )}
      </div>
    </dialog>
  );
}

interface FormButtonsProps {
  form: string;
  busy: boolean;
  variant?: ButtonVariant;
  onCancel: () => void;
  children: ReactNode;
}

/** The `actions` of a dialog with a form. */
export function FormButtons({
  form,
  busy,
  variant = 'primary',
  onCancel,
  children,
}: FormButtonsProps) {
  return (
    <>
      <Button variant="secondary" onClick={onCancel}>
        Cancel
      </Button>
      <Button type="submit" form={form} variant={variant} busy={busy}>
        {children}
      </Button>
    </>
  );
}
