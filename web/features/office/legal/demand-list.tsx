import { useState } from 'react';
import { DEMAND_KINDS } from '#contract/legal-demand-choices.ts';
import type { LegalDemand } from '#contract/legal-demands.ts';
import { useWrite } from '#web/lib/write.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { CorrectDialog } from './correct-dialog.tsx';
import { DemandFacts } from './demand-facts.tsx';
import { legalWrites } from './legal-writes.ts';

interface DemandListProps {
  demands: readonly LegalDemand[];
  count: number;
}

/** The demands recorded so far, including decided ones. */
export function DemandList({ demands, count }: DemandListProps) {
  const [gagged, askAboutGag] = useState<LegalDemand | null>(null);
  const [wrong, askAboutReview] = useState<LegalDemand | null>(null);
  if (count === 0) return null;
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
      {count > demands.length && (
        <p className="mt-4 text-sm text-ink-soft">
          And {count - demands.length} more: <code>curbside legal list</code> shows all.
        </p>
      )}
      {gagged && <LiftGagDialog demand={gagged} onClose={() => askAboutGag(null)} />}
      {wrong && <CorrectDialog demand={wrong} onClose={() => askAboutReview(null)} />}
    </section>
  );
}

function LiftGagDialog({ demand, onClose }: { demand: LegalDemand; onClose: () => void }) {
  const { send, isBusy, error } = useWrite(legalWrites, 'liftGag', { onDone: onClose });
  return (
    <Dialog
      title="Tell the author"
      onClose={onClose}
      actions={
        <>
          <Button variant="secondary" onClick={onClose}>
            Cancel
          </Button>
          <Button busy={isBusy} onClick={() => void send({ params: { id: demand.id } })}>
            Tell the author
          </Button>
        </>
      }
    >
      {error && <Banner tone="error">{error.message}</Banner>}
      <p>
        Do this only if the law no longer forbids it. The author of the review will then see this
        demand ({DEMAND_KINDS[demand.kind]}) and its outcome. This cannot be undone.
      </p>
    </Dialog>
  );
}
