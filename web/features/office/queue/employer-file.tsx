import { useState } from 'react';
import type { EmployerFile, EmployerMergePreview } from '#contract/employer-curation.ts';
import { REJECTIONS } from '#contract/employer-rejections.ts';
import type { Employer } from '#contract/employers.ts';
import { titleCase } from '#contract/names.ts';
import type { DecidedAnywhere } from '#web/lib/case-decision.ts';
import { useReread } from '#web/lib/changed-meanwhile.ts';
import { Link } from '#web/lib/link.tsx';
import { paths } from '#web/lib/paths.ts';
import { Refused } from '#web/lib/refused.tsx';
import { useWrite } from '#web/lib/write.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Button } from '#web/ui/button.tsx';
import { caseWrites } from './case-writes.ts';
import { DuplicatesTable } from './duplicates-table.tsx';
import { FactsForm } from './facts-form.tsx';
import { MergeDialog } from './merge-dialog.tsx';
import { MergeTarget } from './merge-target.tsx';
import { RejectDialog, UnrejectDialog } from './reject-dialog.tsx';
import { type Merge, MergeList, UnmergeDialog } from './undo-merge.tsx';

interface EmployerFileScreenProps extends DecidedAnywhere {
  file: EmployerFile;
}

/** An employer next to its possible duplicates, and its facts. */
export function EmployerFileScreen(props: EmployerFileScreenProps) {
  const { file, caseId, decision, onDecided } = props;
  const { employer, merges, merged_into, rejected_for } = file;
  const isListed = merged_into === null && rejected_for === null;
  const [done, setDone] = useState<string | null>(null);
  const [preview, setPreview] = useState<EmployerMergePreview | null>(null);
  const [undoing, setUndoing] = useState<Merge | 'rejection' | null>(null);
  const [isRejecting, setIsRejecting] = useState(false);
  const undo = {
    onDone(text: string) {
      setUndoing(null);
      setDone(text);
    },
    onClose: () => setUndoing(null),
  };
  return (
    <div ref={decision} className="flex flex-col gap-8">
      {done && <Banner tone="success">{done}</Banner>}
      {isListed && (
        <Duplicates {...props} onPreview={setPreview} onReject={() => setIsRejecting(true)} />
      )}
      {rejected_for && (
        <div className="flex flex-col items-start gap-4">
          <p>
            It was rejected: {REJECTIONS[rejected_for].name}. The directory does not list it, and
            none of its reviews is public.
          </p>
          <Button size="sm" variant="secondary" onClick={() => setUndoing('rejection')}>
            Undo the rejection
          </Button>
        </div>
      )}
      {merged_into && (
        <p>
          It was merged into{' '}
          <Link to={paths.adminEmployer(merged_into.id)} className="prose-link">
            {titleCase(merged_into.name)}
          </Link>
          .
        </p>
      )}
      <MergeList merges={merges} onUndo={setUndoing} />
      {isListed && (
        <details className="print:hidden">
          <summary className="min-h-11 cursor-pointer font-display text-xl">Edit facts</summary>
          <div className="pt-4">
            <FactsForm employer={employer} />
          </div>
        </details>
      )}
      {/* Outside of the parts that reload, because what the dialogs do changes those. */}
      {preview && (
        <MergeDialog
          preview={preview}
          caseId={caseId}
          onDecided={(text, canUndo) => {
            setPreview(null);
            onDecided(text, canUndo);
          }}
          onPreview={setPreview}
          onClose={() => setPreview(null)}
        />
      )}
      {isRejecting && (
        <RejectDialog
          file={file}
          caseId={caseId}
          onDecided={(text, canUndo) => {
            setIsRejecting(false);
            onDecided(text, canUndo);
          }}
          onClose={() => setIsRejecting(false)}
        />
      )}
      {undoing === 'rejection' && <UnrejectDialog employer={employer} {...undo} />}
      {undoing && undoing !== 'rejection' && <UnmergeDialog merge={undoing} {...undo} />}
    </div>
  );
}

interface DuplicatesProps extends Omit<EmployerFileScreenProps, 'decision'> {
  onPreview: (preview: EmployerMergePreview) => void;
  onReject: () => void;
}

function Duplicates({ file, caseId, onDecided, onPreview, onReject }: DuplicatesProps) {
  const { employer, version, candidates, in_common } = file;
  const { send, isBusy, error } = useWrite(caseWrites, 'preview_merge', { onDone: onPreview });
  const previewMerge = (into: number) =>
    void send({ params: { id: employer.id }, query: { into } });
  return (
    <>
      <h2 className="font-display text-xl">
        {candidates.length > 0 ? 'Is it one of these?' : 'No similar employer was found.'}
      </h2>
      <DuplicatesTable
        employer={employer}
        candidates={candidates}
        inCommon={in_common}
        actionOf={(each) =>
          each.id !== employer.id ? (
            <Button size="sm" variant="secondary" onClick={() => previewMerge(each.id)}>
              Merge into this
              <span className="sr-only">{titleCase(each.name)}</span>
            </Button>
          ) : (
            <div className="flex flex-col items-start gap-3">
              {caseId && (
                <AcceptButton
                  employer={employer}
                  version={version}
                  caseId={caseId}
                  onDecided={onDecided}
                />
              )}
              {employer.user_submitted && (
                <Button size="sm" variant="secondary" onClick={onReject}>
                  Reject
                </Button>
              )}
            </div>
          )
        }
      />
      {error && <Banner tone="error">{error.message}</Banner>}
      <MergeTarget isBusy={isBusy} onChoose={previewMerge} />
    </>
  );
}

interface AcceptButtonProps {
  employer: Employer;
  version: string;
  caseId: string;
  onDecided: (done: string) => void;
}

function AcceptButton({ employer, version, caseId, onDecided }: AcceptButtonProps) {
  const { send, isBusy, error } = useWrite(caseWrites, 'accept', {
    onDone: () => onDecided(`${titleCase(employer.name)} stays in the directory.`),
    onError: useReread(),
  });
  return (
    <>
      {error && <Refused error={error} kind="employer" subject={String(employer.id)} />}
      <Button
        size="sm"
        busy={isBusy}
        onClick={() =>
          void send({ params: { id: employer.id }, body: { case_id: caseId, version } })
        }
      >
        Keep as a new employer
      </Button>
    </>
  );
}
