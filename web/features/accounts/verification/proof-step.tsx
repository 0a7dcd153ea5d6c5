import { useState } from 'react';
import type { Doctor } from '#contract/doctors.ts';
import type { VerificationSteps } from '#contract/verification.ts';
import { formatLongDate } from '#web/lib/format.ts';
import { Banner } from '#web/ui/banner.tsx';
import { SupportLink } from '#web/ui/support-link.tsx';
import { LetterProof } from './letter-proof.tsx';
import { MailboxProof } from './mailbox-proof.tsx';
import { PROOF_NAMES, ProofChoice } from './proof-choice.tsx';
import { Step, type StepState } from './step.tsx';

interface ProofProps {
  doctor: Doctor;
  steps: VerificationSteps;
}

const focusOn = (element: HTMLElement | null) => element?.focus();

/** Proofs that the NPI belongs to the user. The registry's data is public, so a match proves little. */
export function ProofStep({ number, doctor, steps }: ProofProps & { number: number }) {
  const { status, proofs, refusal } = doctor.verification;
  const [proofsBefore] = useState(proofs.length);

  return (
    <Step number={number} title="Proof" state={stateOf(doctor)}>
      <p className="text-ink-soft">
        Your name and NPI are public, so anyone could enter them. A proof shows that you control
        something that belongs to the owner of the NPI. We keep only the kind of proof and its date.
      </p>
      {proofs.length > proofsBefore && (
        <Banner tone="success" ref={focusOn} tabIndex={-1} className="outline-none">
          Your proof is recorded. The state of your account is below.
        </Banner>
      )}
      {proofs.length > 0 && <PassedProofs proofs={proofs} />}
      {canProve(doctor) && <ProofChoices doctor={doctor} steps={steps} />}
      {proofs.length === 0 && !refusal && NOT_NOW[status] && (
        <p className="text-ink-soft">{NOT_NOW[status]}</p>
      )}
    </Step>
  );
}

const NOT_NOW: Partial<Record<Doctor['verification']['status'], string>> = {
  pending:
    'Once the registry matches, you can choose a letter, an email address, or an administrator.',
  needs_review:
    'There is nothing to prove right now. An administrator will look at your account first.',
};

/** After another proof, a trainee can still add an email address at a residency. */
function canProve({ verification: { status, proofs, in_training } }: Doctor): boolean {
  if (status === 'needs_review') return in_training && proofs.length > 0;
  return status !== 'pending' && proofs.length === 0;
}

function stateOf({ verification: { status, proofs } }: Doctor): StepState {
  if (proofs.length > 0) return { kind: 'done', text: 'Proven' };
  if (status === 'needs_proof') return { kind: 'now', text: 'Your turn' };
  if (status === 'passed') return { kind: 'waiting', text: 'Not proven yet' };
  return { kind: 'waiting', text: 'Later' };
}

/** The proofs to choose from. For a trainee, the one that is enough by itself comes first. */
function ProofChoices({ doctor, steps }: ProofProps) {
  const { in_training, status, proofs } = doctor.verification;
  // A second letter would prove nothing new.
  const letter = proofs.length === 0 && (
    <LetterProof key="letter" letter={steps.letter} letterFrom={steps.letter_from} />
  );
  const mailbox = <MailboxProof key="mailbox" codeWaits={steps.mailbox_code_waits} />;
  return (
    <>
      {status === 'passed' && (
        <p className="text-ink-soft">
          You are verified by the registry match alone. Add a proof to keep your claim to the NPI
          and to be able to lock your reviews.
        </p>
      )}
      {in_training && (
        <Banner tone="info">
          Your NPI is a trainee’s, and students of every health profession can get one. An email
          address at your residency is enough. Any other proof also has to be confirmed by an
          administrator.
        </Banner>
      )}
      <p className="font-semibold">Choose one:</p>
      <div className="flex flex-col divide-y divide-rule border-y border-rule">
        {in_training ? [mailbox, letter] : [letter, mailbox]}
        <ProofChoice title={PROOF_NAMES.administrator} takes="A few days">
          <p className="text-ink-soft">
            If neither works for you, write to <SupportLink /> from the email address of your
            account, and tell us how we can check that the NPI is yours. An administrator decides
            and records the reason.
          </p>
        </ProofChoice>
      </div>
    </>
  );
}

function PassedProofs({ proofs }: Pick<Doctor['verification'], 'proofs'>) {
  return (
    <ul className="flex flex-col divide-y divide-rule border-y border-rule">
      {proofs.map(({ kind, on }) => (
        <li
          key={`${kind} ${on}`}
          className="flex flex-wrap items-baseline justify-between gap-x-4 py-2.5"
        >
          <span>{PROOF_NAMES[kind]}</span>
          <span className="text-sm text-ink-soft lining-nums">{formatLongDate(on)}</span>
        </li>
      ))}
    </ul>
  );
}
