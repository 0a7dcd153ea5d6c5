import { useState } from 'react';
import type { Doctor } from '#contract/doctors.ts';
import type { VerificationSteps } from '#contract/verification.ts';
import { Banner } from '#web/ui/banner.tsx';
import { PassedProofs } from './passed-proofs.tsx';
import { ProofChoices } from './proof-choices.tsx';
import { ProveBy } from './prove-by.tsx';
import { Step, type StepState } from './step.tsx';

interface ProofStepProps {
  number: number;
  doctor: Doctor;
  steps: VerificationSteps;
}

const focusOn = (element: HTMLElement | null) => element?.focus();

/** What shows that the NPI is one's own: the registry's data are public. */
export function ProofStep({ number, doctor, steps }: ProofStepProps) {
  const { status, proofs } = doctor.verification;
  const [proofsBefore] = useState(proofs.length);

  return (
    <Step number={number} title="Proof" state={stateOf(doctor)}>
      <p className="text-ink-soft">
        Your name and your NPI are public, so anyone could type them in. A proof shows that you
        control something that belongs to the owner of the NPI. Your account keeps its kind and its
        day, and nothing else of it.
      </p>
      {proofs.length > proofsBefore && (
        <Banner tone="success" ref={focusOn} tabIndex={-1} className="outline-none">
          {doctor.verified
            ? 'Your proof is recorded. You are verified.'
            : 'Your proof is recorded. An administrator has to confirm it.'}
        </Banner>
      )}
      {steps.prove_by !== null && <ProveBy day={steps.prove_by} />}
      {proofs.length > 0 && <PassedProofs proofs={proofs} />}
      {canProve(doctor) && <ProofChoices doctor={doctor} steps={steps} />}
      {proofs.length === 0 && NOT_NOW[status] && <p className="text-ink-soft">{NOT_NOW[status]}</p>}
    </Step>
  );
}

const NOT_NOW: Partial<Record<Doctor['verification']['status'], string>> = {
  pending: 'Once the registry matches, you choose one: a letter, a mailbox, or an administrator.',
  needs_review:
    'There is nothing to prove at the moment: an administrator looks at your account first.',
};

/** After another proof, a trainee can still have the mailbox of a residency. */
function canProve({ verification: { status, proofs, in_training } }: Doctor): boolean {
  if (status === 'needs_review') return in_training && proofs.length > 0;
  return status !== 'pending' && proofs.length === 0;
}

function stateOf({ verification: { status, proofs } }: Doctor): StepState {
  if (proofs.length > 0) return { kind: 'done', text: 'Proven' };
  if (status === 'needs_proof') return { kind: 'now', text: 'Your turn' };
  if (status === 'passed') return { kind: 'waiting', text: 'Not given yet' };
  return { kind: 'waiting', text: 'Later' };
}
