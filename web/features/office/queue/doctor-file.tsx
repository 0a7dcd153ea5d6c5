import { type ReactNode, useState } from 'react';
import { DOCTOR_DECISIONS, type DoctorDecision } from '#contract/case-queue.ts';
import type { Doctor, VerificationChecks } from '#contract/doctors.ts';
import { titleCase } from '#contract/names.ts';
import type { Decided } from '#web/lib/case-decision.ts';
import { formatLongDate } from '#web/lib/format.ts';
import { Link } from '#web/lib/link.tsx';
import { paths } from '#web/lib/paths.ts';
import { useWrite } from '#web/lib/write.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Facts } from '#web/ui/facts.tsx';
import { caseWrites, isDecision } from './case-writes.ts';
import { DecisionForm } from './decision-form.tsx';

interface DecisionTexts {
  label: string;
  /** What the decision does. */
  effect: string;
  done: string;
}

const DECISIONS: Record<DoctorDecision, DecisionTexts> = {
  verify: {
    label: 'Verify',
    effect: 'Takes the NPI from any other account.',
    done: 'The doctor is verified.',
  },
  refuse: {
    label: 'Refuse to verify',
    effect:
      'Also revokes an earlier verification. Only an administrator can verify the account again.',
    done: 'The doctor is not verified.',
  },
  allow_posting: {
    label: 'Allow posting',
    effect: 'The doctor may post once verified.',
    done: 'The doctor may post once verified.',
  },
  deny_posting: {
    label: 'Deny posting',
    effect: 'The doctor stays verified, but may not post.',
    done: 'The doctor may not post.',
  },
  evict: {
    label: 'Evict',
    effect:
      'For an account that does not belong to the NPI’s owner. Revokes verification and posting, and frees the NPI.',
    done: 'The account has been evicted. The NPI is free for its owner.',
  },
  ban: {
    label: 'Evict and ban the NPI',
    effect: 'For the NPI’s owner. No account can be verified with the NPI until the ban is lifted.',
    done: 'The doctor is banned.',
  },
  dismiss: {
    label: 'Leave as it is',
    effect: 'Closes the case.',
    done: 'The case is closed. Nothing changed.',
  },
};

const PROOFS = {
  letter: 'Letter',
  mailbox: 'Email address',
  administrator: 'Administrator',
} as const;

/** Outside of a case, there is no case to close. */
type DoctorDecided = Pick<Decided, 'onDecided'> & Partial<Pick<Decided, 'caseId' | 'decision'>>;

interface DoctorFileProps extends DoctorDecided {
  doctor: Doctor;
  isEviction: boolean;
  renderChecks: (checks: VerificationChecks) => ReactNode;
}

/**
 * What a doctor entered, next to what the registry says. The office does not know what they wrote.
 */
export function DoctorFile({ doctor, isEviction, renderChecks, ...decided }: DoctorFileProps) {
  const { user, verification } = doctor;
  const { registry_name, checked_on, checks, proofs } = verification;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-10 md:grid-cols-[minmax(0,1fr)_20rem]">
      <div className="flex flex-col gap-8">
        <Facts
          facts={[
            { term: 'Name at sign-up', value: `${user.first_name} ${user.last_name}` },
            {
              term: 'Name in the registry',
              value: registry_name
                ? titleCase(`${registry_name.first_name} ${registry_name.last_name}`)
                : checks.name_matches
                  ? 'The same'
                  : 'Unknown',
            },
            { term: 'NPI', value: doctor.npi },
            { term: 'Email', value: user.email },
            {
              term: 'Registry checked',
              value: checked_on === null ? 'Not yet' : formatLongDate(checked_on),
            },
            {
              term: 'Proofs',
              value:
                proofs.map(({ kind, on }) => `${PROOFS[kind]}, ${formatLongDate(on)}`).join('; ') ||
                'None',
            },
            { term: 'Verified', value: doctor.verified ? 'Yes' : 'No' },
            { term: 'May post', value: doctor.can_post_reviews ? 'Yes' : 'No' },
          ]}
        />
        <section>
          <h2 className="mb-2 label-caps text-ink-faint">Checks</h2>
          {renderChecks(checks)}
        </section>
        {decided.caseId !== undefined && (
          <p>
            <Link to={paths.adminDoctors({ npi: doctor.npi })} className="prose-link">
              All accounts with this NPI
            </Link>
          </p>
        )}
      </div>
      <DoctorDecisionForm userId={user.id} isEviction={isEviction} {...decided} />
    </div>
  );
}

interface DoctorDecisionFormProps extends DoctorDecided {
  userId: string;
  isEviction: boolean;
}

function DoctorDecisionForm(props: DoctorDecisionFormProps) {
  const { userId, isEviction, caseId, decision: ref, onDecided } = props;
  const [decision, setDecision] = useState<DoctorDecision>('verify');
  // Decisions about posting are separate from verification, and leave the case open.
  const closes = isDecision(decision);
  const { send, isBusy, isDone, error } = useWrite(caseWrites, decision, {
    onDone: () => {
      if (closes) onDecided(DECISIONS[decision].done);
    },
  });
  return (
    <DecisionForm
      ref={ref}
      choices={DOCTOR_DECISIONS.filter((one) => one !== 'dismiss' || isEviction).map((one) => [
        one,
        DECISIONS[one].label,
      ])}
      chosen={decision}
      onChoose={setDecision}
      effect={DECISIONS[decision].effect}
      isDangerous={decision === 'evict' || decision === 'ban'}
      isBusy={isBusy}
      note={
        <>
          {error && <Banner tone="error">{error.message}</Banner>}
          {isDone && !closes && <Banner tone="success">{DECISIONS[decision].done}</Banner>}
        </>
      }
      onDecide={(reason) =>
        void send({ params: { id: userId }, body: { reason, ...(closes && { case_id: caseId }) } })
      }
    />
  );
}
