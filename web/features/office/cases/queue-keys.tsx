import { useEffectEvent, useLayoutEffect } from 'react';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';

/** Where a letter is text, or belongs to an open dialog. */
const ELSEWHERE = 'input, textarea, select, dialog';

/**
 * Single-letter keyboard shortcuts for a page. As WCAG 2.2 requires (2.1.4, Character Key
 * Shortcuts), they work only while the focus is in the page's content, so this moves the focus
 * there.
 */
export function useQueueKeys(keys: Readonly<Record<string, () => void>>): void {
  const press = useEffectEvent((event: KeyboardEvent) => {
    const { target, key, altKey, ctrlKey, metaKey } = event;
    if (!(target instanceof HTMLElement) || altKey || ctrlKey || metaKey) return;
    if (target.closest('main') === null || target.closest(ELSEWHERE) !== null) return;
    const act = keys[key.toLowerCase()];
    if (!act) return;
    event.preventDefault();
    act();
  });

  // With the page itself, so that whatever is shown answers its keys.
  useLayoutEffect(() => {
    if (document.activeElement === document.body) {
      document.querySelector('main')?.focus({ preventScroll: true });
    }
    const listener = (event: KeyboardEvent) => press(event);
    document.addEventListener('keydown', listener);
    return () => document.removeEventListener('keydown', listener);
  }, []);
}

interface KeysNoteProps {
  /** What each key does. */
  keys: Readonly<Record<string, string>>;
  isOpen: boolean;
  onClose: () => void;
}

/** The keyboard shortcuts of a page, which phones do not have. */
export function KeysNote({ keys, isOpen, onClose }: KeysNoteProps) {
  return (
    <>
      <p className="mt-10 text-xs text-ink-faint max-sm:hidden print:hidden pointer-coarse:hidden">
        Press <kbd>?</kbd> for the keyboard shortcuts.
      </p>
      {isOpen && (
        <Dialog
          title="Keyboard shortcuts"
          onClose={onClose}
          actions={<Button onClick={onClose}>Close</Button>}
        >
          <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-2">
            {Object.entries(keys).map(([key, does]) => (
              <div key={key} className="contents">
                <dt>
                  <kbd>{key}</kbd>
                </dt>
                <dd>{does}</dd>
              </div>
            ))}
          </dl>
        </Dialog>
      )}
    </>
  );
}
