import { useState } from 'react';
import { DEMAND_KINDS } from '#contract/legal-demands/legal-demand-choices.ts';
import type { LegalDemand } from '#contract/legal-demands/legal-demands.ts';
import { LegalDemandCorrection } from '#contract/legal-demands/legal-demands.ts';
import { DEMAND_REVIEW_MAX } from '#contract/limits.ts';
import { REASON_FIELD } from '#web/features/office/decision-fields.ts';
import { Form } from '#web/form/form.tsx';
import { useWrite } from '#web/lib/write.ts';
import { Button } from '#web/ui/button.tsx';
import { DemandFacts } from './demand-facts.tsx';
import { legalWrites } from './legal-writes.ts';

/** Corrects which review a demand is about. Mount it to open it. */
function CorrectDialog({ demand, onClose }: { demand: LegalDemand; onClose: () => void }) {
  const { send, error } = useWrite(legalWrites, 'correct', { onDone: onClose });
  return (
    <Form
      dialog={{ title: 'Correct the review' }}
      schema={LegalDemandCorrection}
      fields={[
        {
          name: 'review',
          label: 'Review (optional)',
          hint: 'The address of the review that the demand is about. Leave it empty if there is none.',
          value: demand.review?.id,
          maxLength: DEMAND_REVIEW_MAX,
        },
        { ...REASON_FIELD, name: 'note', label: 'Note' },
      ]}
      action="Correct the review"
      error={error}
      onSubmit={(body) => send({ params: { id: demand.id }, body })}
      onCancel={onClose}
    >
      <p>
        The author of the review named so far will no longer see this demand.{' '}
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
  const [wrong, askAboutReview] = useState<LegalDemand | null>(null);
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
              <Button size="sm" variant="quiet" onClick={() => askAboutReview(demand)}>
                Correct the review
              </Button>
            </div>
          </li>
        ))}
      </ul>
      {gagged && <LiftGagDialog demand={gagged} onClose={() => askAboutGag(null)} />}
      {wrong && <CorrectDialog demand={wrong} onClose={() => askAboutReview(null)} />}
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
