import { useRef, useState } from 'react';
import { type CaseNote, CaseNoteRequest } from '#contract/case-queue.ts';
import { DECISION_REASON_MAX } from '#contract/limits.ts';
import { formatLongDate } from '#web/lib/format.ts';
import { useOfficeDraft } from '#web/lib/office-drafts.ts';
import { useWrite } from '#web/lib/write.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Banner } from '#web/ui/banner.tsx';
import { Button } from '#web/ui/button.tsx';
import { DataForm } from '#web/ui/data-form.tsx';
import { Field } from '#web/ui/field.tsx';
import { TextArea } from '#web/ui/text-input.tsx';
import { caseWrites } from './case-writes.ts';

interface CaseNotesProps {
  id: string;
  notes: readonly CaseNote[];
}

/** What staff of the case's role write for each other. It is deleted with the case. */
export function CaseNotes({ id, notes }: CaseNotesProps) {
  const draft = useOfficeDraft(`note:${id}`);
  const [wrong, setWrong] = useState<string>();
  const isQuestion = useRef(false);
  const { send, isBusy, error } = useWrite(caseWrites, 'note', {
    onDone() {
      draft.forget();
      draft.form.ref.current?.reset();
    },
  });

  function submit(form: FormData) {
    const body = { text: String(form.get('text') ?? ''), is_question: isQuestion.current };
    isQuestion.current = false;
    const read = CaseNoteRequest.safeParse(body);
    setWrong(read.error?.issues[0]?.message);
    if (read.success) void send({ params: { id }, body });
  }

  return (
    <section className="mt-10 border-t border-rule pt-6">
      <h2 className="font-display text-xl">Notes</h2>
      <ul className="mt-4 flex max-w-[42rem] flex-col gap-4 text-sm wrap-anywhere">
        {notes.map(({ by, written_on, text, is_question }, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: notes are only added
          <li key={place} className="border-l-3 border-control pl-4">
            <p className="text-ink-faint lining-nums">
              {`${by} · ${formatLongDate(written_on)} `}
              {is_question && <Badge tone="accent">Asks a second person</Badge>}
            </p>
            <p className="whitespace-pre-line">{text}</p>
          </li>
        ))}
      </ul>
      <DataForm {...draft.form} onSubmit={submit} className="mt-5 flex max-w-form flex-col gap-4">
        {error && <Banner tone="error">{error.message}</Banner>}
        <Field
          label="Message to colleagues"
          hint="For staff with this role, until the case is decided. Do not name anyone."
          error={wrong}
        >
          {(control) => (
            <TextArea {...control} name="text" rows={2} maxLength={DECISION_REASON_MAX} />
          )}
        </Field>
        <div className="flex flex-wrap gap-3">
          <Button type="submit" size="sm" variant="secondary" busy={isBusy}>
            Add note
          </Button>
          <Button
            type="submit"
            size="sm"
            variant="secondary"
            busy={isBusy}
            onClick={() => {
              isQuestion.current = true;
            }}
          >
            Ask a second person
          </Button>
        </div>
      </DataForm>
    </section>
  );
}
