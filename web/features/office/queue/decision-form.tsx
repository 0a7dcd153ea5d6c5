import { type ReactNode, type Ref, useState } from 'react';
import { DecisionReason } from '#contract/fields.ts';
import { DECISION_REASON_MAX } from '#contract/limits.ts';
import { Button } from '#web/ui/button.tsx';
import { DataForm } from '#web/ui/data-form.tsx';
import { Field } from '#web/ui/field.tsx';
import { Select } from '#web/ui/select.tsx';
import { TextArea } from '#web/ui/text-input.tsx';

/** The hint for a reason. */
export const REASON_HINT = 'For the audit log. Do not name anyone.';

interface DecisionFormProps<Choice extends string> {
  ref?: Ref<HTMLDivElement> | undefined;
  /** The possible decisions and their labels, in display order. */
  choices: readonly (readonly [choice: Choice, label: string])[];
  chosen: Choice;
  onChoose: (choice: Choice) => void;
  isDangerous: boolean;
  /** What the chosen decision does. */
  effect?: string;
  hint?: string;
  isBusy: boolean;
  /** An error, or what was done if the case stays open. */
  note: ReactNode;
  onDecide: (reason: string) => void;
}

/** A choice and the reason for it. */
export function DecisionForm<Choice extends string>(props: DecisionFormProps<Choice>) {
  const { ref, choices, chosen, onChoose, isDangerous, isBusy, note, onDecide } = props;
  const [reasonError, setReasonError] = useState<string>();

  function submit(data: FormData) {
    const reason = String(data.get('reason') ?? '');
    const message = DecisionReason.safeParse(reason).error?.issues[0]?.message;
    setReasonError(message);
    if (message === undefined) onDecide(reason);
  }

  return (
    <div ref={ref}>
      <DataForm onSubmit={submit} className="flex flex-col gap-5">
        <h2 className="font-display text-xl">Decision</h2>
        {note}
        {choices.length > 1 && (
          <Field label="What to do" hint={props.effect}>
            {(control) => (
              <Select
                {...control}
                value={chosen}
                onChange={({ target }) => onChoose(target.value as Choice)}
              >
                {choices.map(([choice, label]) => (
                  <option key={choice} value={choice}>
                    {label}
                  </option>
                ))}
              </Select>
            )}
          </Field>
        )}
        <Field label="Reason" hint={props.hint ?? REASON_HINT} error={reasonError}>
          {(control) => <TextArea {...control} name="reason" maxLength={DECISION_REASON_MAX} />}
        </Field>
        <Button type="submit" busy={isBusy} variant={isDangerous ? 'danger' : 'primary'}>
          {choices.find(([choice]) => choice === chosen)?.[1]}
        </Button>
      </DataForm>
    </div>
  );
}
