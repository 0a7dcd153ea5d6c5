import {
  DEMAND_OUTCOME_KEYS,
  DEMAND_OUTCOMES,
  OPEN_OUTCOME,
} from '#contract/legal-demands/legal-demand-choices.ts';
import { type LegalDemand, LegalDemandDecision } from '#contract/legal-demands/legal-demands.ts';
import { REASON_FIELD } from '#web/features/office/decision-fields.ts';
import { Form } from '#web/form/form.tsx';
import { type Decided, refused, useReread } from '#web/lib/case-decision.tsx';
import { forgetOfficeDraft } from '#web/lib/office-drafts.ts';
import { useWrite } from '#web/lib/write.ts';
import { DemandFacts } from '../legal/demand.tsx';
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
  const { id, version, outcome: current, review, is_gagged } = demand;
  const { send, error } = useWrite(caseWrites, 'decideDemand', {
    onDone({ outcome }) {
      forgetOfficeDraft(id);
      onDecided(
        outcome === OPEN_OUTCOME
          ? 'The demand is contested. It stays in the queue until there is an outcome.'
          : 'The outcome has been recorded.',
      );
    },
    onError: useReread(),
  });
  return (
    <div ref={ref}>
      <Form
        schema={LegalDemandDecision}
        fields={[
          {
            name: 'outcome',
            label: 'Outcome',
            hint: review && !is_gagged && 'The author of the review will see this.',
            kind: 'select',
            placeholder: 'Choose an outcome',
            options: DEMAND_OUTCOME_KEYS.filter((outcome) => outcome !== current).map((outcome) => [
              outcome,
              DEMAND_OUTCOMES[outcome],
            ]),
          },
          { ...REASON_FIELD, name: 'note', label: 'Note' },
        ]}
        action="Record outcome"
        draft={id}
        error={error}
        failure={refused('legal', id)}
        onSubmit={(body) => send({ params: { id }, body: { ...body, case_id: caseId, version } })}
      >
        <h2 className="font-display text-xl">Decision</h2>
      </Form>
    </div>
  );
}
