import { useEffect, useRef, useState } from 'react';
import { useNavigate, useRevalidator } from 'react-router';
import { CASE_CLAIM_MINUTES } from '#contract/cases.ts';
import {
  DEMAND_OUTCOME_KEYS,
  DEMAND_OUTCOMES,
  OPEN_OUTCOME,
} from '#contract/legal-demands/legal-demand-choices.ts';
import { type LegalDemand, LegalDemandDecision } from '#contract/legal-demands/legal-demands.ts';
import { DECISION_REASON_MAX } from '#contract/limits.ts';
import {
  type Case,
  type CaseFile,
  type CaseNote,
  CaseNoteRequest,
  ProofRequestRequest,
} from '#contract/office/case-queue.ts';
import { PROOF_REQUESTS, PROOF_TEXTS } from '#contract/verification/proof-requests.ts';
import { ReplyFile, ReviewFile } from '#web/features/reviews/moderation/review-file.tsx';
import { Form } from '#web/form/form.tsx';
import { type Decided, refused, useReread } from '#web/lib/case-decision.tsx';
import { useOpenCase } from '#web/lib/form-drafts.ts';
import { formatLongDate, formatTime } from '#web/lib/format.ts';
import { Link } from '#web/lib/link.tsx';
import type { ApiError } from '#web/lib/transport-error.ts';
import { useWrite } from '#web/lib/write.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Banner } from '#web/ui/banner.tsx';
import { Button, buttonClass } from '#web/ui/button.tsx';
import { PageHeading } from '#web/ui/page-heading.tsx';
import { REASON_FIELD } from '../decision-fields.ts';
import { DemandFacts } from '../legal/demand.tsx';
import { CaseHistory, OtherCases } from './case-history.tsx';
import { caseSubtitle, dueText, openedText } from './case-name.ts';
import { caseWrites } from './case-writes.ts';
import { CorrectionFile } from './correction-file.tsx';
import { DoctorFile } from './doctor-file.tsx';
import { type Done, DoneBanner } from './done-banner.tsx';
import { EmployerFileScreen } from './employer-file.tsx';
import { hearChanges } from './queue-changes.ts';
import { KeysNote, useQueueKeys } from './queue-keys.tsx';
import { ClaimNote, PriorityBadge } from './queue-list.tsx';
import { RepresentativeFile } from './representative-file.tsx';

/** What the person of a case was asked for last. */
function AskedNote({ asked }: { asked: NonNullable<Case['asked']> }) {
  const { request, asked_on, by, is_answered } = asked;
  return (
    <Banner tone="info" className="mb-6">
      <p>
        <strong>{is_answered ? 'Answered' : 'Waits for an answer'}</strong>
        <span className="lining-nums">{`: ${by} asked on ${formatLongDate(asked_on)} (UTC). `}</span>
        {is_answered && <span>The person has done something since.</span>}
      </p>
      <p className="mt-1">{PROOF_TEXTS[request].text}</p>
    </Banner>
  );
}

interface AskFormProps {
  shown: Case;
  /** The account. */
  subject: string;
  version: string;
}

/** Asks a doctor or a representative for something, with a fixed text. The case stays open. */
function AskForm({ shown: { id, kind }, subject, version }: AskFormProps) {
  const { send, isDone, error } = useWrite(caseWrites, 'ask', { onError: useReread() });
  const requests = PROOF_REQUESTS[kind === 'representative' ? 'representative' : 'doctor'];
  return (
    <section className="mt-10 border-t border-rule pt-6 print:hidden">
      <h2 className="font-display text-xl">Ask for something first</h2>
      <Form
        schema={ProofRequestRequest}
        fields={[
          {
            name: 'request',
            label: 'What to ask for',
            hint: 'The person reads it in an email and on the page about the account, and no text says whether another account exists. Once a day.',
            kind: 'select',
            placeholder: 'Choose a text',
            options: Object.entries(requests).map(([request, { label }]) => [request, label]),
          },
          <Texts key="texts" texts={Object.values(requests)} />,
        ]}
        action={{ text: 'Send', size: 'sm', variant: 'secondary', className: 'self-start' }}
        error={error}
        failure={refused(kind, subject)}
        onSubmit={(body) => send({ params: { id }, body: { ...body, version } })}
        form={{ className: 'mt-5 flex max-w-form flex-col gap-4' }}
      >
        {isDone && <Banner tone="success">Sent. The case waits for an answer.</Banner>}
      </Form>
    </section>
  );
}

const Texts = ({ texts }: { texts: readonly { label: string; text: string }[] }) => (
  <details>
    <summary className="cursor-pointer py-1 text-sm">What the texts say</summary>
    <dl className="flex flex-col gap-2 pt-2 text-sm">
      {texts.map(({ label, text }) => (
        <div key={label}>
          <dt className="font-semibold">{label}</dt>
          <dd className="text-ink-soft">{text}</dd>
        </div>
      ))}
    </dl>
  </details>
);

interface CaseNotesProps {
  id: string;
  notes: readonly CaseNote[];
}

/** What staff of the case's role write for each other. It is deleted with the case. */
function CaseNotes({ id, notes }: CaseNotesProps) {
  const form = useRef<HTMLFormElement>(null);
  const { send, error } = useWrite(caseWrites, 'note', {
    onDone: () => form.current?.reset(),
  });

  return (
    <section className="mt-10 border-t border-rule pt-6">
      <h2 className="font-display text-xl">Notes</h2>
      <ul className="mt-4 flex max-w-[42rem] flex-col gap-4 text-sm wrap-anywhere">
        {notes.map(({ by, written_on, text, is_question }, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: notes are only added
          <li key={place} className="border-l-3 border-control pl-4">
            <p className="text-ink-faint lining-nums">
              {`${by} · ${formatLongDate(written_on)} `}
              {is_question && <Badge tone="accent">Asks a second person</Badge>}
            </p>
            <p className="whitespace-pre-line">{text}</p>
          </li>
        ))}
      </ul>
      <Form
        schema={CaseNoteRequest}
        fields={[
          {
            name: 'text',
            label: 'Message to colleagues',
            hint: 'For staff with this role, until the case is decided. Do not name anyone.',
            kind: 'area',
            rows: 2,
            maxLength: DECISION_REASON_MAX,
          },
        ]}
        action={[
          { text: 'Add note', size: 'sm', variant: 'secondary' },
          { value: 'ask', text: 'Ask a second person', size: 'sm', variant: 'secondary' },
        ]}
        draft={`note:${id}`}
        error={error}
        onSubmit={(body, button) =>
          send({ params: { id }, body: { ...body, is_question: button === 'ask' } })
        }
        form={{ ref: form, className: 'mt-5 flex max-w-form flex-col gap-4' }}
      />
    </section>
  );
}

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
    onDone: ({ outcome }) =>
      onDecided(
        outcome === OPEN_OUTCOME
          ? 'The demand is contested. It stays in the queue until there is an outcome.'
          : 'The outcome has been recorded.',
      ),
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

interface CaseScreenProps {
  found: CaseFile;
  backTo: string;
  /** Goes to the next case, or to the queue after the last one. */
  onNext: () => void;
  /** What was decided about the previous case. */
  done: Done | null;
  onDecided: Decided['onDecided'];
}

/** One case: who claimed it, what it is about, and the decision. */
export function CaseScreen({ found, backTo, onNext, done, onDecided }: CaseScreenProps) {
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
        title={shown.title}
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
        {file.type === 'review' && <ReviewFile kind={shown.kind} file={file} {...decided} />}
        {file.type === 'reply' && <ReplyFile file={file} {...decided} />}
        {file.type === 'representative' && <RepresentativeFile file={file} {...decided} />}
        {file.type === 'doctor' && (
          <DoctorFile doctor={file.doctor} isEviction={shown.kind === 'eviction'} {...decided} />
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
  useEffect(() => {
    if (claim === null || claim.is_own) return;
    // Reads the case again once the colleague's claim has ended.
    return hearChanges({ ids: id }, ({ cases: [now] }) => {
      if (now?.claim?.until !== claim.until) void revalidate();
    });
  }, [id, claim, revalidate]);
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
