import { useState } from 'react';
import { DEMAND_KIND_KEYS, DEMAND_KINDS } from '#contract/legal-demands/legal-demand-choices.ts';
import {
  type LegalDemand,
  LegalDemandCorrection,
  LegalDemandRequest,
} from '#contract/legal-demands/legal-demands.ts';
import {
  DEMAND_DOCKET_MAX,
  DEMAND_REVIEW_MAX,
  DEMAND_SENDER_MAX,
  JURISDICTION_MAX,
} from '#contract/limits.ts';
import { REASON_FIELD } from '#web/features/office/decision-fields.ts';
import { Form } from '#web/form/form.tsx';
import type { FieldSpec } from '#web/form/form-field.tsx';
import { useWrite } from '#web/lib/write.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Button } from '#web/ui/button.tsx';
import { DemandFacts, legalWrites, useDocument } from './demand.tsx';

const DUE_FIELD: FieldSpec = {
  name: 'due_on',
  label: 'Due on (optional)',
  hint: 'The last day to answer it (UTC). Once it is over, the demand comes first in the queue.',
  kind: 'date',
  read: (day) => day || null,
};

/** Corrects which review a demand is about, and when it is due. Mount it to open it. */
function CorrectDialog({ demand, onClose }: { demand: LegalDemand; onClose: () => void }) {
  const { send, error } = useWrite(legalWrites, 'correct', { onDone: onClose });
  return (
    <Form
      dialog={{ title: 'Correct the demand' }}
      schema={LegalDemandCorrection}
      fields={[
        {
          name: 'review',
          label: 'Review (optional)',
          hint: 'The address of the review that the demand is about. Leave it empty if there is none.',
          value: demand.review?.id,
          maxLength: DEMAND_REVIEW_MAX,
        },
        { ...DUE_FIELD, value: demand.due_on ?? undefined },
        { ...REASON_FIELD, name: 'note', label: 'Note' },
      ]}
      action="Correct the demand"
      draft={`correct:${demand.id}`}
      error={error}
      onSubmit={(body) => send({ params: { id: demand.id }, body })}
      onCancel={onClose}
    >
      <p>
        If you name another review, the author of the one named so far will no longer see this
        demand.{' '}
        <span>
          {demand.is_gagged
            ? 'The author of the new one will not see it either while the law forbids it.'
            : 'The author of the new one will see it from now on.'}
        </span>
      </p>
    </Form>
  );
}

/** The demands recorded so far, including decided ones. */
export function DemandList({ demands }: { demands: readonly LegalDemand[] }) {
  const [gagged, askAboutGag] = useState<LegalDemand | null>(null);
  const [wrong, correct] = useState<LegalDemand | null>(null);
  if (demands.length === 0) return null;
  return (
    <section aria-labelledby="demands" className="mt-12">
      <h2 id="demands" className="font-display text-xl">
        All legal demands
      </h2>
      <ul className="mt-4 divide-y divide-rule border-y border-rule">
        {demands.map((demand) => (
          <li key={demand.id} className="flex flex-col gap-4 py-5">
            <DemandFacts demand={demand} />
            <div className="flex flex-wrap gap-3">
              {demand.is_gagged && (
                <Button size="sm" variant="secondary" onClick={() => askAboutGag(demand)}>
                  Tell the author
                </Button>
              )}
              <Button size="sm" variant="quiet" onClick={() => correct(demand)}>
                Correct the demand
              </Button>
            </div>
          </li>
        ))}
      </ul>
      {gagged && <LiftGagDialog demand={gagged} onClose={() => askAboutGag(null)} />}
      {wrong && <CorrectDialog demand={wrong} onClose={() => correct(null)} />}
    </section>
  );
}

function LiftGagDialog({ demand, onClose }: { demand: LegalDemand; onClose: () => void }) {
  const { send, error } = useWrite(legalWrites, 'liftGag', { onDone: onClose });
  return (
    <Form
      dialog={{ title: 'Tell the author' }}
      fields={[]}
      action="Tell the author"
      error={error}
      onSubmit={() => send({ params: { id: demand.id } })}
      onCancel={onClose}
    >
      <p>
        Do this only if the law no longer forbids it. The author of the review will then see this
        demand ({DEMAND_KINDS[demand.kind]}) and its outcome. This cannot be undone.
      </p>
    </Form>
  );
}

/** Records a legal demand. Mount it to open it. */
export function RecordDialog({ onDone, onClose }: { onDone: () => void; onClose: () => void }) {
  const document = useDocument('Document (optional)');
  /** Recorded, but its document was refused. */
  const [recorded, setRecorded] = useState<string>();
  const { send, error } = useWrite(legalWrites, 'record', {
    onDone({ id }) {
      if (!document.isChosen) return onDone();
      setRecorded(id);
      void document.upload(id, onDone);
    },
  });

  async function submit(body: LegalDemandRequest) {
    if (!(await document.isReady())) return;
    if (recorded === undefined) return send({ body });
    return document.isChosen ? document.upload(recorded, onDone) : onDone();
  }

  return (
    <Form
      dialog={{ title: 'Record a legal demand' }}
      schema={LegalDemandRequest}
      fields={[
        {
          name: 'kind',
          label: 'Kind',
          kind: 'select',
          placeholder: 'Choose a kind',
          options: DEMAND_KIND_KEYS.map((kind) => [kind, DEMAND_KINDS[kind]]),
        },
        { name: 'received_on', label: 'Received on', kind: 'date' },
        DUE_FIELD,
        {
          name: 'sender',
          label: 'Sender (optional)',
          hint: 'Who demands it, for example a law firm or a court.',
          maxLength: DEMAND_SENDER_MAX,
        },
        { name: 'docket', label: 'Docket number (optional)', maxLength: DEMAND_DOCKET_MAX },
        document.field,
        {
          name: 'jurisdiction',
          label: 'Jurisdiction (optional)',
          hint: 'A state or a court, for example NY.',
          maxLength: JURISDICTION_MAX,
        },
        {
          name: 'review',
          label: 'Review (optional)',
          hint: 'The address of the review that the demand is about. Its author will see the demand.',
          maxLength: DEMAND_REVIEW_MAX,
        },
        {
          name: 'is_gagged',
          label: 'The law forbids telling the author',
          hint: 'Once it no longer does, choose “Tell the author” in the list of demands.',
          kind: 'checkbox',
        },
      ]}
      action={{ text: 'Record demand', isBusy: document.isBusy }}
      // What was recorded is not kept for the next demand.
      draft={recorded === undefined ? 'record-demand' : undefined}
      error={error}
      onSubmit={submit}
      onCancel={onClose}
    >
      {recorded !== undefined && !document.isBusy && (
        <Banner tone="info">
          The demand is recorded, but not its document. Choose another file, or none.
        </Banner>
      )}
    </Form>
  );
}
