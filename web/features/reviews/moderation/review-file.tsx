import { useState } from 'react';
import type { CaseKind } from '#contract/cases.ts';
import type { DecisionOutcome } from '#contract/review-rules.ts';
import { AppealDialog } from './appeal-dialog.tsx';
import { DecisionDialog } from './decision-dialog.tsx';
import { ModeratedEntry } from './moderated-list.tsx';
import { type ReviewFileProps, SecondLook } from './second-look.tsx';

/** A review with its reports. The office does not know who wrote or reported it. */
export function ReviewFile({ kind, ...props }: ReviewFileProps & { kind: CaseKind }) {
  const { caseId } = props;
  return kind === 'second_look' && caseId !== undefined ? (
    <SecondLook {...props} caseId={caseId} />
  ) : (
    <ReportedReview {...props} />
  );
}

function ReportedReview({ file, caseId, decision, onDecided }: ReviewFileProps) {
  const [asked, ask] = useState<DecisionOutcome | 'appeal' | null>(null);
  const finish = (done: string) => onDecided(done, true);
  return (
    <div ref={decision}>
      <h2 className="sr-only">Review and reports</h2>
      <ModeratedEntry moderated={file} onDecide={ask} />
      {asked === 'appeal' && (
        <AppealDialog moderated={file} caseId={caseId} onDone={finish} onClose={() => ask(null)} />
      )}
      {asked && asked !== 'appeal' && (
        <DecisionDialog
          moderated={file}
          decision={asked}
          caseId={caseId}
          onDone={finish}
          onClose={() => ask(null)}
        />
      )}
    </div>
  );
}
