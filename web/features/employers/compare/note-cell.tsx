import { useId, useState } from 'react';
import { NOTE_MAX } from '#contract/limits.ts';
import { TextArea } from '#web/ui/text-input.tsx';
import { notes, useNote } from './employer-notes.ts';

/** An editable note, printed as plain text. */
export function NoteCell({ id, name }: { id: number; name: string }) {
  const stored = useNote(id);
  /** What was typed, if the storage is full. */
  const [unsaved, setUnsaved] = useState<string | null>(null);
  const errorId = useId();
  const note = unsaved ?? stored;
  return (
    <>
      <TextArea
        aria-label={`Your note on ${name}`}
        aria-describedby={unsaved === null ? undefined : errorId}
        autoComplete="off"
        maxLength={NOTE_MAX}
        value={note}
        onChange={({ target: { value } }) => setUnsaved(notes.write(id, value) ? null : value)}
        className="max-w-72 print:hidden"
      />
      {unsaved !== null && (
        <p id={errorId} role="alert" className="mt-1 text-sm text-danger print:hidden">
          Not saved: this browser’s storage is full. Copy this note before you leave.
        </p>
      )}
      {note !== '' && <span className="hidden whitespace-pre-wrap print:block">{note}</span>}
    </>
  );
}
