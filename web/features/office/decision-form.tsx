import { type ReactNode, type Ref, useState } from 'react';
import { DecisionReason } from '#contract/fields.ts';
import { DECISION_REASON_MAX } from '#contract/limits.ts';
import { useOfficeDraft } from '#web/lib/office-drafts.ts';
import { Button } from '#web/ui/button.tsx';
import { DataForm } from '#web/ui/data-form.tsx';
import { Field } from '#web/ui/field.tsx';
import { Select } from '#web/ui/select.tsx';
import { TextArea } from '#web/ui/text-input.tsx';

/** The hint for a reason. */
export const REASON_HINT = 'For the audit log. Do not name anyone.';

interface DecisionFormProps<Choice extends string> {
  /** The name of what was typed and not sent. */
  draft: string;
  ref?: Ref<HTMLDivElement> | undefined;
  /** The possible decisions and their labels, in display order. */
  choices: readonly (readonly [choice: Choice, label: string])[];
  /** Null until something is chosen: nobody decides by accident. */
  chosen: Choice | null;
  onChoose: (choice: Choice | null) => void;
  isDangerous: boolean;
  /** What the chosen decision does. */
  effect?: string | undefined;
  hint?: string;
  isBusy: boolean;
  /** An error, or what was done if the case stays open. */
  note: ReactNode;
  /** Fields of the chosen decision. */
  children?: ReactNode;
  onDecide: (reason: string, form: FormData) => void;
}

/** A choice and the reason for it. */
export function DecisionForm<Choice extends string>(props: DecisionFormProps<Choice>) {
  const { ref, choices, chosen, onChoose, isDangerous, isBusy, note, onDecide } = props;
  const { form } = useOfficeDraft(props.draft);
  const [choiceError, setChoiceError] = useState<string>();
  const [reasonError, setReasonError] = useState<string>();

  function submit(data: FormData) {
    const reason = String(data.get('reason') ?? '');
    const message = DecisionReason.safeParse(reason).error?.issues[0]?.message;
    setChoiceError(chosen === null ? 'Please choose what to do' : undefined);
    setReasonError(message);
    if (message === undefined && chosen !== null) onDecide(reason, data);
  }

  return (
    <div ref={ref}>
      <DataForm {...form} onSubmit={submit} className="flex flex-col gap-5">
        <h2 className="font-display text-xl">Decision</h2>
        {note}
        {choices.length > 1 && (
          <Field
            label="What to do"
            hint={props.effect}
            error={chosen === null ? choiceError : undefined}
          >
            {(control) => (
              <Select
                {...control}
                value={chosen ?? ''}
                onChange={({ target }) => onChoose((target.value as Choice) || null)}
              >
                <option value="">Choose a decision</option>
                {choices.map(([choice, label]) => (
                  <option key={choice} value={choice}>
                    {label}
                  </option>
                ))}
              </Select>
            )}
          </Field>
        )}
        <div className="contents">{props.children}</div>
        <Field label="Reason" hint={props.hint ?? REASON_HINT} error={reasonError}>
          {(control) => <TextArea {...control} name="reason" maxLength={DECISION_REASON_MAX} />}
        </Field>
        <Button type="submit" busy={isBusy} variant={isDangerous ? 'danger' : 'primary'}>
          {choices.find(([choice]) => choice === chosen)?.[1] ?? 'Decide'}
        </Button>
      </DataForm>
    </div>
  );
}
