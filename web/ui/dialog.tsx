import { X } from 'lucide-react';
import { type ReactNode, useId, useLayoutEffect, useRef } from 'react';
import { cx } from './cx.ts';

interface DialogProps {
  title: string;
  /** Also called after Escape and after a click on the backdrop. */
  onClose: () => void;
  children: ReactNode;
  /** Buttons, safest first, because the first gets the focus. */
  actions?: ReactNode;
  /** Slides up from the bottom edge at full width, for content that does not fit on a phone. */
  isSheet?: boolean;
  /** On a wide screen, stands next to the page's content, which makes room and can be scrolled. */
  isBeside?: boolean | undefined;
}

const FIELDS = 'form :is(input:not([type=hidden], [hidden]), select, textarea)';

/** The browser's modal dialog, which traps the focus and restores it. Mount it to open it. */
export function Dialog(props: DialogProps) {
  const { title, onClose, children, actions, isSheet = false, isBeside = false } = props;
  const ref = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  const isPressedBeside = useRef(false);

  useLayoutEffect(() => {
    const dialog = ref.current;
    dialog?.showModal();
    // The browser would focus the button that closes the dialog.
    dialog?.querySelector<HTMLElement>(FIELDS)?.focus();
    // Runs before removal from the page, because only closing a dialog restores the focus.
    return () => dialog?.close();
  }, []);

  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keyboard closes a dialog with Escape
    <dialog
      ref={ref}
      aria-labelledby={titleId}
      onClose={({ currentTarget }) => !currentTarget.open && onClose()}
      // The backdrop is part of the dialog. Whoever selects a text may let go there, too.
      onPointerDown={(event) => {
        isPressedBeside.current = event.target === event.currentTarget;
      }}
      onClick={(event) =>
        isPressedBeside.current && event.target === event.currentTarget && onClose()
      }
      className={cx(
        'scroll-pb-32 border-rule bg-raised p-0 text-ink shadow-raised backdrop:bg-backdrop',
        isSheet
          ? 'mx-0 mt-auto mb-0 max-h-[90dvh] w-full max-w-full border-t'
          : 'm-auto w-[calc(100%-var(--gutter))] max-w-form rounded-md border',
        // A click on the content must not close it.
        isBeside &&
          'beside lg:mr-(--gutter) lg:backdrop:pointer-events-none lg:backdrop:bg-transparent',
      )}
    >
      <div className="flex flex-col gap-4 p-(--dialog-padding)">
        <div className="flex items-start justify-between gap-4">
          <h2 id={titleId} className="min-w-0 font-display text-xl wrap-anywhere">
            {title}
          </h2>
          <button
            type="button"
            onClick={onClose}
            className="-m-2 grid size-10 shrink-0 place-items-center text-ink-faint hover:text-ink"
          >
            <X aria-hidden className="size-5" />
            <span className="sr-only">Close</span>
          </button>
        </div>
        <div className="text-ink-soft wrap-anywhere">{children}</div>
        {actions && (
          <div
            className={cx(
              'flex flex-wrap items-center justify-end gap-3 bg-raised',
              isSheet
                ? 'sticky bottom-0 -mx-(--dialog-padding) -mb-(--dialog-padding) border-t border-rule px-(--dialog-padding) pt-4 pb-[max(1rem,env(safe-area-inset-bottom))]'
                : 'relative -mb-(--dialog-padding) pt-2 pb-(--dialog-padding) tall:sticky tall:bottom-0 ' +
                    // Content fades out where it scrolls below the buttons.
                    'before:pointer-events-none before:absolute before:inset-x-0 before:bottom-full before:h-4 before:bg-linear-to-t before:from-raised before:to-transparent',
            )}
          >
            {actions}
          </div>
        )}
      </div>
    </dialog>
  );
}
