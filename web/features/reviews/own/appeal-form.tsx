import { useState } from 'react';
import { APPEAL_MAX } from '#contract/limits.ts';
import { REVIEW_MESSAGES } from '#contract/review-choices.ts';
import { formatCount, formatLongDate } from '#web/lib/format.ts';
import { useWrite } from '#web/lib/write.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Button } from '#web/ui/button.tsx';
import { DataForm } from '#web/ui/data-form.tsx';
import { Field } from '#web/ui/field.tsx';
import { TextArea } from '#web/ui/text-input.tsx';
import { ownReviewWrites } from './own-reviews.ts';

/** Opens on demand. Keeps what was typed after an error. */
export function AppealForm({ reviewId, until }: { reviewId: string; until: string }) {
  const [isOpen, setOpen] = useState(false);
  const [textError, setTextError] = useState<string>();
  const { send, isBusy, error } = useWrite(ownReviewWrites, 'appeal');

  function submit(form: FormData) {
    const text = String(form.get('text') ?? '').trim();
    setTextError(text === '' ? REVIEW_MESSAGES.appealEmpty : undefined);
    if (text !== '') void send({ params: { id: reviewId }, body: { text } });
  }

  if (!isOpen) {
    return (
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <p>You can appeal once, until {formatLongDate(until)}.</p>
        <Button variant="secondary" size="sm" onClick={() => setOpen(true)}>
          Appeal this decision
        </Button>
      </div>
    );
  }
  return (
    <DataForm onSubmit={submit} className="flex flex-col gap-4">
      {error && <Banner tone="error">{error.message}</Banner>}
      <Field
        label="Your appeal"
        hint={`Up to ${formatCount(APPEAL_MAX)} characters. A moderator will read it, without your name. Leave out anything that identifies you.`}
        error={textError}
      >
        {(control) => <TextArea {...control} name="text" maxLength={APPEAL_MAX} ref={focusOn} />}
      </Field>
      <div className="flex flex-wrap gap-3">
        <Button type="submit" size="sm" busy={isBusy}>
          Send appeal
        </Button>
        <Button variant="secondary" size="sm" onClick={() => setOpen(false)}>
          Cancel
        </Button>
      </div>
    </DataForm>
  );
}

/** The button that had the focus is gone. */
const focusOn = (element: HTMLTextAreaElement | null) => element?.focus();
