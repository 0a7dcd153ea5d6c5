import { type ReactNode, useRef, useState } from 'react';
import { useNavigate, useRevalidator } from 'react-router';
import type { CaseFile } from '#contract/case-queue.ts';
import { CASE_CLAIM_MINUTES } from '#contract/cases.ts';
import type { VerificationChecks } from '#contract/doctors.ts';
import type { Decided } from '#web/lib/case-decision.ts';
import { formatTime } from '#web/lib/format.ts';
import { Link } from '#web/lib/link.tsx';
import { useOpenCase } from '#web/lib/office-drafts.ts';
import type { ApiError } from '#web/lib/transport-error.ts';
import { useWrite } from '#web/lib/write.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Banner } from '#web/ui/banner.tsx';
import { Button, buttonClass } from '#web/ui/button.tsx';
import { PageHeading } from '#web/ui/page-heading.tsx';
import { AskedNote, AskForm } from './ask-form.tsx';
import { CaseHistory } from './case-history.tsx';
import { caseSubtitle, caseTitle, dueText, openedText } from './case-name.ts';
import { CaseNotes } from './case-notes.tsx';
import { caseWrites } from './case-writes.ts';
import { CorrectionFile } from './correction-file.tsx';
import { DoctorFile } from './doctor-file.tsx';
import { type Done, DoneBanner } from './done-banner.tsx';
import { EmployerFileScreen } from './employer-file.tsx';
import { KeysNote } from './keys-note.tsx';
import { LegalFile } from './legal-file.tsx';
import { OtherCases } from './other-cases.tsx';
import { ClaimNote, PriorityBadge } from './queue-list.tsx';
import { RepresentativeFile } from './representative-file.tsx';
import { useQueueKeys } from './use-queue-keys.ts';

interface CaseScreenProps {
  found: CaseFile;
  backTo: string;
  /** Goes to the next case, or to the queue after the last one. */
  onNext: () => void;
  /** What was decided about the previous case. */
  done: Done | null;
  onDecided: Decided['onDecided'];
  /** Parts that other features render: a review, a reply, and the checks of a doctor. */
  renderReview: (file: FileOf<'review'>, decided: Decided) => ReactNode;
  renderReply: (file: FileOf<'reply'>, decided: Decided) => ReactNode;
  renderChecks: (checks: VerificationChecks) => ReactNode;
}

type FileOf<Type extends CaseFile['file']['type']> = CaseFile['file'] & { type: Type };

/** One case: who claimed it, what it is about, and the decision. */
export function CaseScreen({ found, backTo, onNext, done, onDecided, ...parts }: CaseScreenProps) {
  const { case: shown, file } = found;
  const navigate = useNavigate();
  const decision = useRef<HTMLDivElement>(null);
  const [showsKeys, setShowsKeys] = useState(false);
  const claim = useClaim(found);
  useQueueKeys({
    n: onNext,
    b: () => void navigate(backTo),
    '?': () => setShowsKeys(true),
    c: claim.toggle,
    d: () =>
      decision.current?.querySelector<HTMLElement>('button, select, input, textarea')?.focus(),
  });
  const decided = { caseId: shown.id, decision, onDecided };
  const obstacle = obstacleTo(shown);
  /** Who can be asked for something first. */
  const person =
    file.type === 'doctor'
      ? !file.doctor.verified && file.doctor
      : file.type === 'representative' && file.representative;
  useOpenCase();
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
            <Button size="sm" variant="secondary" aria-keyshortcuts="n" onClick={onNext}>
              Next case
            </Button>
          </div>
        }
      />
      {done && <DoneBanner done={done} />}
      <div className="mb-6 flex flex-wrap items-center gap-x-4 gap-y-2 text-sm text-ink-soft lining-nums">
        <PriorityBadge priority={shown.priority} />
        {shown.due && (
          <Badge tone={shown.due.is_overdue ? 'solid' : 'plain'}>{dueText(shown.due)}</Badge>
        )}
        <span>{openedText(shown)}</span>
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
        {shown.claim?.is_own && (
          <Button size="sm" variant="secondary" busy={claim.isBusy} onClick={claim.prolong}>
            Keep for another {CASE_CLAIM_MINUTES} minutes
          </Button>
        )}
      </div>
      {claim.error && (
        <Banner tone="error" className="mb-6">
          {claim.error.message}
          {claim.error.status === null && <span> Please try again.</span>}
        </Banner>
      )}
      {obstacle && (
        <Banner tone="info" className="mb-6">
          {obstacle}
        </Banner>
      )}
      {shown.asked && <AskedNote asked={shown.asked} />}
      {/* So that nobody writes a decision that would be rejected. */}
      <fieldset
        disabled={obstacle !== null}
        aria-label="Case file"
        className="curb-rule min-w-0 pt-6"
      >
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
        {person && <AskForm shown={shown} subject={person.user.id} version={person.version} />}
      </fieldset>
      <CaseNotes id={shown.id} notes={found.notes} />
      <CaseHistory decisions={found.decisions} acts={found.acts} />
      <OtherCases others={found.others} similar={found.similar} />
      <KeysNote keys={CASE_KEYS} isOpen={showsKeys} onClose={() => setShowsKeys(false)} />
    </section>
  );
}

const CASE_KEYS = {
  N: 'next case that nobody else has claimed',
  B: 'back to the queue',
  C: 'claim or release',
  D: 'go to the decision',
  'Ctrl+Enter': 'send the decision',
  '?': 'show these shortcuts',
} as const;

/** Why the viewer cannot decide the case now. */
function obstacleTo({ claim, is_own_decision }: CaseFile['case']): string | null {
  if (is_own_decision) {
    return 'You made the decision that this case is about. Another moderator must look at it.';
  }
  if (claim === null || claim.is_own) return null;
  return `${claim.name} has claimed this case until ${formatTime(claim.until)}. You can decide it after that, or once it is released.`;
}

function useClaim({ case: { id, claim } }: CaseFile) {
  const { revalidate } = useRevalidator();
  // Someone else may have claimed or decided it.
  const onError = ({ status }: ApiError) => {
    if (status === 409) void revalidate();
  };
  const taking = useWrite(caseWrites, 'claim', { onError });
  const releasing = useWrite(caseWrites, 'release', { onError });
  const prolonging = useWrite(caseWrites, 'prolong', { onError });
  const { send } = claim?.is_own ? releasing : taking;
  return {
    isBusy: taking.isBusy || releasing.isBusy || prolonging.isBusy,
    error: taking.error ?? releasing.error ?? prolonging.error,
    prolong: () => void prolonging.send({ params: { id } }),
    toggle: () => void send({ params: { id } }),
  };
}
