import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';

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
