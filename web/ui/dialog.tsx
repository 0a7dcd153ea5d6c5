import { X } from 'lucide-react';
import { type ReactNode, useEffect, useId, useRef } from 'react';

interface DialogProps {
  title: string;
  isOpen: boolean;
  /** Also after Escape, and a click on the backdrop. */
  onClose: () => void;
  children: ReactNode;
  /** Buttons, the safest first: it gets the focus. */
  actions?: ReactNode;
}

/** The platform's modal dialog: it keeps the focus inside and gives it back. */
export function Dialog({ title, isOpen, onClose, children, actions }: DialogProps) {
  const ref = useRef<HTMLDialogElement>(null);
  const titleId = useId();

  useEffect(() => {
    if (isOpen) ref.current?.showModal();
    else ref.current?.close();
  }, [isOpen]);

  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keyboard closes a dialog with Escape
    <dialog
      ref={ref}
      aria-labelledby={titleId}
      onClose={onClose}
      onClick={(event) => event.target === event.currentTarget && onClose()}
      className={
        'm-auto w-[calc(100%-2*var(--gutter))] max-w-form rounded-md border border-rule bg-raised p-0 ' +
        'text-ink shadow-raised backdrop:bg-backdrop'
      }
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
        {actions && <div className="flex flex-wrap justify-end gap-3 pt-2">{actions}</div>}
      </div>
    </dialog>
  );
}
