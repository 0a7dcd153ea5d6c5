import { useState } from 'react';
import {
  DEMAND_OUTCOME_KEYS,
  DEMAND_OUTCOMES,
  OPEN_OUTCOME,
} from '#contract/legal-demand-choices.ts';
import { type LegalDemand, LegalDemandDecision } from '#contract/legal-demands.ts';
import { DECISION_REASON_MAX } from '#contract/limits.ts';
import { REASON_HINT } from '#web/features/office/decision-form.tsx';
import type { Decided } from '#web/lib/case-decision.ts';
import { useReread } from '#web/lib/changed-meanwhile.ts';
import { messagesByField } from '#web/lib/messages-by-field.ts';
import { useOfficeDraft } from '#web/lib/office-drafts.ts';
import { Refused } from '#web/lib/refused.tsx';
import { useWrite } from '#web/lib/write.ts';
import { Button } from '#web/ui/button.tsx';
import { DataForm } from '#web/ui/data-form.tsx';
import { Field } from '#web/ui/field.tsx';
import { Select } from '#web/ui/select.tsx';
import { TextArea } from '#web/ui/text-input.tsx';
import { DemandFacts } from '../legal/demand-facts.tsx';
import { caseWrites } from './case-writes.ts';

interface LegalFileProps extends Decided {
  demand: LegalDemand;
}

/** A legal demand and its outcome. */
export function LegalFile({ demand, ...decided }: LegalFileProps) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-10 md:grid-cols-[minmax(0,1fr)_20rem]">
      <DemandFacts demand={demand} />
      <OutcomeForm demand={demand} {...decided} />
    </div>
  );
}

function OutcomeForm({ demand, caseId, decision: ref, onDecided }: LegalFileProps) {
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({});
  const draft = useOfficeDraft(demand.id);
  const { send, isBusy, error } = useWrite(caseWrites, 'decideDemand', {
    onDone({ outcome }) {
      draft.forget();
      onDecided(
        outcome === OPEN_OUTCOME
          ? 'The demand is contested. It stays in the queue until there is an outcome.'
          : 'The outcome has been recorded.',
      );
    },
    onError: useReread(),
  });

  function submit(form: FormData) {
    const parsed = LegalDemandDecision.safeParse({
      ...Object.fromEntries(form),
      case_id: caseId,
      version: demand.version,
    });
    setErrors(messagesByField(parsed.error));
    if (parsed.success) void send({ params: { id: demand.id }, body: parsed.data });
  }

  return (
    <div ref={ref}>
      <DataForm {...draft.form} onSubmit={submit} className="flex flex-col gap-5">
        <h2 className="font-display text-xl">Decision</h2>
        {error && <Refused error={error} kind="legal" subject={demand.id} />}
        <Field
          label="Outcome"
          hint={
            demand.review && !demand.is_gagged
              ? 'The author of the review will see this.'
              : undefined
          }
          error={errors['outcome']}
        >
          {(control) => (
            <Select {...control} name="outcome" defaultValue="">
              <option value="">Choose an outcome</option>
              {DEMAND_OUTCOME_KEYS.filter((outcome) => outcome !== demand.outcome).map(
                (outcome) => (
                  <option key={outcome} value={outcome}>
                    {DEMAND_OUTCOMES[outcome]}
                  </option>
                ),
              )}
            </Select>
          )}
        </Field>
        <Field label="Note" hint={REASON_HINT} error={errors['note']}>
          {(control) => <TextArea {...control} name="note" maxLength={DECISION_REASON_MAX} />}
        </Field>
        <Button type="submit" busy={isBusy}>
          Record outcome
        </Button>
      </DataForm>
    </div>
  );
}
