import { useState } from 'react';
import * as z from 'zod/mini';
import { titleCase } from '#contract/names.ts';
import {
  DOCTOR_DECISIONS,
  type DoctorDecision,
  DoctorDecisionRequest,
  type FirstDecision,
  type StaffDoctor,
} from '#contract/office/case-queue.ts';
import { REFUSAL_KEYS, REFUSALS } from '#contract/verification/proof-requests.ts';
import { RegistryChecks } from '#web/features/accounts/verification/registry-checks.tsx';
import { decisionField, decisionForm, REASON_FIELD } from '#web/features/office/decision-fields.ts';
import { Form } from '#web/form/form.tsx';
import { type DecidedAnywhere, refused, useReread } from '#web/lib/case-decision.tsx';
import { formatLongDate } from '#web/lib/format.ts';
import { Link } from '#web/lib/link.tsx';
import { paths } from '#web/lib/paths.ts';
import { useWrite } from '#web/lib/write.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Facts } from '#web/ui/facts.tsx';
import { caseWrites, isDecision } from './case-writes.ts';

interface DecisionTexts {
  label: string;
  /** What the decision does. */
  effect: string;
  done: string;
}

const TWO =
  'If this takes the NPI from an account that has proven it, another verifier must confirm it on another day.';

const REVIEWS_STAY =
  'The reviews of the account stay public: to find them would tie them to the account. Reports of them are decided like any other.';

const DECISIONS: Record<DoctorDecision, DecisionTexts> = {
  verify: {
    label: 'Verify',
    effect: `Takes the NPI from any other account. ${TWO}`,
    done: 'The doctor is verified.',
  },
  refuse: {
    label: 'Refuse to verify',
    effect: `Also revokes an earlier verification. Only an administrator can verify the account again. ${TWO}`,
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
    effect: `For an account that does not belong to the NPI’s owner. Revokes verification and posting, and frees the NPI. ${REVIEWS_STAY} ${TWO}`,
    done: 'The account has been evicted. The NPI is free for its owner.',
  },
  ban: {
    label: 'Evict and ban the NPI',
    effect: `For the NPI’s owner. No account can be verified with the NPI until the ban is lifted. After a mailbox or a match alone, a letter or an administrator still can verify one. ${REVIEWS_STAY} ${TWO}`,
    done: 'The doctor is banned.',
  },
  dismiss: {
    label: 'Leave as it is',
    effect: 'Closes the case, and withdraws a decision that waits for a second verifier.',
    done: 'The case is closed. Nothing changed.',
  },
};

const effectOf = (decision: DoctorDecision, isVerified: boolean) =>
  decision === 'deny_posting' && !isVerified
    ? `The doctor may not post. Also refuses to verify the doctor. ${TWO}`
    : DECISIONS[decision].effect;

const PROOFS = {
  letter: 'Letter',
  mailbox: 'Email address',
  administrator: 'Administrator',
} as const;

interface DoctorFileProps extends DecidedAnywhere {
  doctor: StaffDoctor;
  isEviction: boolean;
}

/**
 * What a doctor entered, next to what the registry says. The office does not know what they wrote.
 */
export function DoctorFile({ doctor, isEviction, ...decided }: DoctorFileProps) {
  const { user, verification } = doctor;
  const { registry_name, checked_on, checks, proofs, refusal } = verification;
  const waiting = doctor.first_decisions;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-10 md:grid-cols-[minmax(0,1fr)_20rem]">
      <div className="flex flex-col gap-8">
        {waiting.map((first) => (
          <AwaitsSecond key={`${first.decision} ${first.decided_on}`} first={first} />
        ))}
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
            ...(refusal
              ? [
                  {
                    term: 'Last refusal',
                    value: `${formatLongDate(refusal.decided_on)}: ${REFUSALS[refusal.reason]}`,
                  },
                ]
              : []),
            { term: 'Verified', value: doctor.verified ? 'Yes' : 'No' },
            { term: 'May post', value: doctor.can_post_reviews ? 'Yes' : 'No' },
          ]}
        />
        <section>
          <h2 className="mb-2 label-caps text-ink-faint">Checks</h2>
          <RegistryChecks checks={checks} />
        </section>
        {decided.caseId !== undefined && (
          <p>
            <Link to={paths.adminDoctors({ npi: doctor.npi })} className="prose-link">
              All accounts with this NPI
            </Link>
          </p>
        )}
      </div>
      <DoctorDecisionForm
        userId={user.id}
        version={doctor.version}
        isVerified={doctor.verified}
        isProven={doctor.verified && proofs.length > 0}
        waiting={waiting}
        canDismiss={isEviction || waiting.length > 0}
        {...decided}
      />
    </div>
  );
}

/** The first of two decisions. */
function AwaitsSecond({ first: { decision, by, decided_on, reason } }: { first: FirstDecision }) {
  return (
    <Banner tone="info">
      <p>
        <strong>{DECISIONS[decision].label}</strong>: decided first by {by} on{' '}
        <span className="lining-nums">{formatLongDate(decided_on)}</span>. {CONFIRM}
      </p>
      {reason && <p className="mt-1 wrap-anywhere">Reason: {reason}</p>}
    </Banner>
  );
}

const CONFIRM = 'Another verifier must confirm it on another day (UTC).';

/** The second one is for a decision that tells the doctor why. */
const Decision = z.extend(decisionForm(DOCTOR_DECISIONS), {
  refusal: DoctorDecisionRequest.shape.refusal,
});
const Refusing = z.extend(Decision, { refusal: z.nonoptional(Decision.shape.refusal) });

/** What was typed. Without the version, which changes if the doctor does before it is confirmed. */
type Grounds = Omit<z.infer<typeof Decision>, 'decision'>;

interface DoctorDecisionFormProps extends DecidedAnywhere {
  userId: string;
  version: string;
  isVerified: boolean;
  /** The account holds the NPI by a proof. */
  isProven: boolean;
  waiting: readonly FirstDecision[];
  canDismiss: boolean;
}

function DoctorDecisionForm(props: DoctorDecisionFormProps) {
  const {
    userId,
    version,
    isVerified,
    isProven,
    waiting,
    canDismiss,
    caseId,
    decision: ref,
    onDecided,
  } = props;
  const [decision, setDecision] = useState<DoctorDecision>();
  const [confirming, setConfirming] = useState<Grounds | null>(null);
  /** What was sent last. */
  const [sent, setSent] = useState<DoctorDecision>();
  const { send, isDone, error } = useWrite(caseWrites, decision ?? 'dismiss', {
    onDone: (answer) => {
      setConfirming(null);
      if (sent && isDecision(sent, answer)) onDecided(DECISIONS[sent].done);
    },
    onError: useReread(),
  });
  /** The error of a confirmation that was cancelled. The form does not repeat it. */
  const [shown, setShown] = useState(error);
  const isWaiting = waiting.some((first) => first.decision === sent);
  const isRefusal =
    decision !== undefined &&
    (REFUSING.includes(decision) || (decision === 'deny_posting' && !isVerified));
  const isDangerous = decision === 'evict' || decision === 'ban';
  function decide(grounds: Grounds) {
    setSent(decision);
    // Decisions about posting are separate from verification, and leave the case open.
    const closing = isDecision(decision) && { case_id: caseId };
    return send({ params: { id: userId }, body: { ...grounds, version, ...closing } });
  }
  const choices = DOCTOR_DECISIONS.filter((one) => one !== 'dismiss' || canDismiss);
  return (
    <>
      <div ref={ref}>
        <Form<z.infer<typeof Decision>>
          schema={isRefusal ? Refusing : Decision}
          fields={[
            decisionField(
              choices.map((one) => [one, DECISIONS[one].label]),
              decision && effectOf(decision, isVerified),
            ),
            isRefusal && {
              name: 'refusal',
              label: 'Text for the doctor',
              hint: 'The doctor reads it in an email and on the page about the account. No text says whether another account has the NPI.',
              kind: 'select',
              placeholder: 'Choose a text',
              options: REFUSAL_KEYS.map((key) => [key, REFUSALS[key]]),
            },
            REASON_FIELD,
          ]}
          onType={(typed) => setDecision(choices.find((one) => one === typed['decision']))}
          action={{
            text: decision ? DECISIONS[decision].label : 'Decide',
            variant: isDangerous ? 'danger' : 'primary',
          }}
          draft={userId}
          error={confirming || error === shown ? null : error}
          failure={refused('doctor', userId)}
          onSubmit={({ decision: _, ...grounds }) =>
            isDangerous ? setConfirming(grounds) : decide(grounds)
          }
        >
          <h2 className="font-display text-xl">Decision</h2>
          {isDone && isWaiting && <Banner tone="success">Recorded. {CONFIRM}</Banner>}
          {isDone && sent && !isDecision(sent) && !isWaiting && (
            <Banner tone="success">{DECISIONS[sent].done}</Banner>
          )}
        </Form>
      </div>
      {confirming && decision && (
        <Form
          dialog={{ title: DECISIONS[decision].label }}
          fields={[]}
          action={{ text: DECISIONS[decision].label, variant: 'danger' }}
          draft={userId}
          error={error}
          failure={refused('doctor', userId)}
          onSubmit={() => decide(confirming)}
          onCancel={() => {
            setShown(error);
            setConfirming(null);
          }}
        >
          <p>{DECISIONS[decision].effect}</p>
          {isProven && <p className="font-semibold">This account has proven the NPI. {CONFIRM}</p>}
        </Form>
      )}
    </>
  );
}

/** The doctor is told why. Denying posting to a doctor who is not verified also refuses that. */
const REFUSING: readonly DoctorDecision[] = ['refuse', 'evict', 'ban'];
