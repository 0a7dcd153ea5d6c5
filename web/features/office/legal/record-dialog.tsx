import { useState } from 'react';
import { DEMAND_KIND_KEYS, DEMAND_KINDS } from '#contract/legal-demands/legal-demand-choices.ts';
import { LegalDemandRequest } from '#contract/legal-demands/legal-demands.ts';
import {
  DEMAND_DOCKET_MAX,
  DEMAND_REVIEW_MAX,
  DEMAND_SENDER_MAX,
  JURISDICTION_MAX,
} from '#contract/limits.ts';
import { Form } from '#web/form/form.tsx';
import { useWrite } from '#web/lib/write.ts';
import { Banner } from '#web/ui/banner.tsx';
import { useDocument } from './demand-document.tsx';
import { legalWrites } from './legal-writes.ts';

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

  function submit(body: LegalDemandRequest) {
    if (!document.isReady()) return;
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
        {
          name: 'due_on',
          label: 'Due on (optional)',
          hint: 'The last day to answer it. Once it is over, the demand comes first in the queue.',
          kind: 'date',
          read: (day) => day || null,
        },
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
