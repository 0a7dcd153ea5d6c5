import type { Doctor } from '#contract/doctors.ts';
import type { VerificationSteps } from '#contract/verification.ts';
import { Banner } from '#web/ui/banner.tsx';
import { SupportLink } from '#web/ui/support-link.tsx';
import { LetterProof } from './letter-proof.tsx';
import { MailboxProof } from './mailbox-proof.tsx';
import { ProofChoice } from './proof-choice.tsx';
import { PROOF_NAMES } from './proof-kinds.ts';

interface ProofChoicesProps {
  doctor: Doctor;
  steps: VerificationSteps;
}

/** The proofs to choose from. A trainee's first is the one that is enough by itself. */
export function ProofChoices({ doctor, steps }: ProofChoicesProps) {
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
          You are verified by the registry’s match alone. With a proof, the NPI stays yours, and you
          can lock your reviews.
        </p>
      )}
      {in_training && (
        <Banner tone="info">
          Your NPI is a trainee’s. Students of every health profession get those. A mailbox of your
          residency is enough. After any other proof, an administrator has to confirm it, too.
        </Banner>
      )}
      <p className="font-semibold">Choose one:</p>
      <div className="flex flex-col divide-y divide-rule border-y border-rule">
        {in_training ? [mailbox, letter] : [letter, mailbox]}
        <ProofChoice title={PROOF_NAMES.administrator} takes="Some days">
          <p className="text-ink-soft">
            If neither works for you, write to <SupportLink /> from the email address of your
            account, and say how we can check that the NPI is yours. An administrator decides, and
            records the reason.
          </p>
        </ProofChoice>
      </div>
    </>
  );
}
