import { NOTE_MAX } from '#contract/limits.ts';
import { TextArea } from '#web/ui/text-input.tsx';
import { notes, useNote } from './employer-notes.ts';

/** Printed as its text. */
export function NoteCell({ id, name }: { id: number; name: string }) {
  const note = useNote(id);
  return (
    <>
      <TextArea
        aria-label={`Your note on ${name}`}
        autoComplete="off"
        maxLength={NOTE_MAX}
        value={note}
        onChange={({ target }) => notes.write(id, target.value)}
        className="max-w-72 print:hidden"
      />
      <span className="hidden whitespace-pre-wrap print:block">{note}</span>
    </>
  );
}
