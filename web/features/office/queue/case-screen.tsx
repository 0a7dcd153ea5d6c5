import { type ReactNode, useRef } from 'react';
import { useNavigate } from 'react-router';
import type { CaseFile } from '#contract/case-queue.ts';
import type { VerificationChecks } from '#contract/doctors.ts';
import type { Decided } from '#web/lib/case-decision.ts';
import { formatLongDate } from '#web/lib/format.ts';
import { Link } from '#web/lib/link.tsx';
import { useWrite } from '#web/lib/write.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Button, buttonClass } from '#web/ui/button.tsx';
import { PageHeading } from '#web/ui/page-heading.tsx';
import { caseSubtitle, caseTitle } from './case-name.ts';
import { caseWrites } from './case-writes.ts';
import { CorrectionFile } from './correction-file.tsx';
import { DoctorFile } from './doctor-file.tsx';
import { EmployerFileScreen } from './employer-file.tsx';
import { LegalFile } from './legal-file.tsx';
import { ClaimNote, PriorityBadge } from './queue-list.tsx';
import { RepresentativeFile } from './representative-file.tsx';
import { useQueueKeys } from './use-queue-keys.ts';

interface CaseScreenProps {
  found: CaseFile;
  backTo: string;
  /** The next case, or the queue after the last one. */
  next: string;
  /** What was decided about the previous case. */
  done: string | null;
  onDecided: (done: string) => void;
  /** Parts that other features render: a review, a reply, and the checks of a doctor. */
  renderReview: (file: FileOf<'review'>, decided: Decided) => ReactNode;
  renderReply: (file: FileOf<'reply'>, decided: Decided) => ReactNode;
  renderChecks: (checks: VerificationChecks) => ReactNode;
}

type FileOf<Type extends CaseFile['file']['type']> = CaseFile['file'] & { type: Type };

/** One case: who claimed it, what it is about, and the decision. */
export function CaseScreen({ found, backTo, next, done, onDecided, ...parts }: CaseScreenProps) {
  const { case: shown, file } = found;
  const navigate = useNavigate();
  const decision = useRef<HTMLDivElement>(null);
  const claim = useClaim(found);
  useQueueKeys({
    n: () => void navigate(next),
    c: claim.toggle,
    d: () =>
      decision.current?.querySelector<HTMLElement>('button, select, input, textarea')?.focus(),
  });
  const decided = { caseId: shown.id, decision, onDecided };
  return (
    <section aria-label="Case" className="page-width">
      <PageHeading
        title={caseTitle(shown)}
        subtitle={caseSubtitle(shown)}
        action={
          <div className="flex flex-wrap gap-3">
            <Link to={backTo} className={buttonClass('secondary', 'sm')}>
              Queue
            </Link>
            <Link to={next} aria-keyshortcuts="n" className={buttonClass('secondary', 'sm')}>
              Next case
            </Link>
          </div>
        }
      />
      {done && (
        <Banner tone="success" className="mb-6">
          {done}
        </Banner>
      )}
      <div className="mb-6 flex flex-wrap items-center gap-x-4 gap-y-2 text-sm text-ink-soft lining-nums">
        <PriorityBadge priority={shown.priority} />
        <span>Since {formatLongDate(shown.opened_on)}</span>
        <span role="status">{shown.claim ? <ClaimNote claim={shown.claim} /> : 'Not claimed'}</span>
        <Button
          size="sm"
          variant="secondary"
          aria-keyshortcuts="c"
          busy={claim.isBusy}
          onClick={claim.toggle}
        >
          {shown.claim?.is_own ? 'Release' : 'Claim'}
        </Button>
      </div>
      {claim.error && (
        <Banner tone="error" className="mb-6">
          {claim.error.message}
        </Banner>
      )}
      <div className="curb-rule pt-6">
        {file.type === 'review' && parts.renderReview(file, decided)}
        {file.type === 'reply' && parts.renderReply(file, decided)}
        {file.type === 'representative' && <RepresentativeFile file={file} {...decided} />}
        {file.type === 'doctor' && (
          <DoctorFile
            doctor={file.doctor}
            isEviction={shown.kind === 'eviction'}
            renderChecks={parts.renderChecks}
            {...decided}
          />
        )}
        {file.type === 'employer' && <EmployerFileScreen file={file} {...decided} />}
        {file.type === 'correction' && <CorrectionFile file={file} {...decided} />}
        {file.type === 'legal' && <LegalFile demand={file.demand} {...decided} />}
      </div>
      <p className="mt-10 text-xs text-ink-faint print:hidden">
        Keys: <kbd>N</kbd> next case, <kbd>C</kbd> claim or release, <kbd>D</kbd> decide.
      </p>
    </section>
  );
}

function useClaim({ case: { id, claim } }: CaseFile) {
  const taking = useWrite(caseWrites, 'claim');
  const releasing = useWrite(caseWrites, 'release');
  const { send } = claim?.is_own ? releasing : taking;
  return {
    isBusy: taking.isBusy || releasing.isBusy,
    error: taking.error ?? releasing.error,
    toggle: () => void send({ params: { id } }),
  };
}
