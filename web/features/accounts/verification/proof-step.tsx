import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { useRevalidator } from 'react-router';
import type { Doctor } from '#contract/verification/doctors.ts';
import {
  type Letter,
  LetterCodeRequest,
  MailboxCodeRequest,
  MailboxRequest,
  type ProofKind,
  type VerificationSteps,
} from '#contract/verification/verification.ts';
import { verificationWrites } from '#web/features/accounts/account-writes.ts';
import { authFailure, FAILURES, failureOr } from '#web/features/accounts/failures.ts';
import { Form } from '#web/form/form.tsx';
import type { FieldSpec } from '#web/form/form-field.tsx';
import { formatLocation, formatLongDate, plural } from '#web/lib/format.ts';
import { useWrite } from '#web/lib/write.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Button } from '#web/ui/button.tsx';
import { SupportLink } from '#web/ui/links.tsx';
import { withoutSpaces } from '../account-fields.ts';
import { Step, type StepState } from './step.tsx';

/** The labels of the kinds of proof. */
const PROOF_NAMES: Record<ProofKind, string> = {
  letter: 'A letter to your practice address',
  mailbox: 'An email address at your institution',
  administrator: 'An administrator’s decision',
};

type ProofChoiceProps = Record<'title' | 'takes', string> & { children: ReactNode };

function ProofChoice({ title, takes, children }: ProofChoiceProps) {
  const titleId = useId();
  return (
    <section aria-labelledby={titleId} className="flex flex-col gap-4 py-6">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4">
        <h3 id={titleId} className="text-lg font-semibold">
          {title}
        </h3>
        <p className="label-caps text-ink-faint">{takes}</p>
      </div>
      {children}
    </section>
  );
}

interface ProofCodeFormProps {
  schema: typeof LetterCodeRequest | typeof MailboxCodeRequest;
  write: 'confirmLetter' | 'confirmMailbox';
  field: Pick<FieldSpec, 'label' | 'hint' | 'inputMode' | 'autoCapitalize'>;
}

function ProofCodeForm({ schema, write, field }: ProofCodeFormProps) {
  const { revalidate } = useRevalidator();
  // Shows how many attempts are left.
  const { send, error } = useWrite(verificationWrites, write, { onError: () => void revalidate() });
  return (
    <Form<{ code: string }>
      schema={schema}
      fields={[
        {
          ...field,
          name: 'code',
          read: withoutSpaces,
          autoComplete: 'one-time-code',
          autoCorrect: 'off',
          spellCheck: false,
          boxClass: 'font-code text-lg',
        },
      ]}
      action={{ text: 'Confirm code', busyText: 'Checking...', className: 'self-start' }}
      error={error}
      failure={failureOr(FAILURES.proofCode)}
      onSubmit={(body) => send({ body })}
      form={{ className: 'flex max-w-form flex-col gap-4' }}
    />
  );
}

/** Moves the focus to an element once `value` changes, because what had it is gone. */
function useFocusAfter(value: string) {
  const element = useRef<HTMLDivElement>(null);
  const known = useRef(value);
  useEffect(() => {
    if (known.current !== value) element.current?.focus();
    known.current = value;
  }, [value]);
  return element;
}

/** With `codeWaits`, a code was requested, in this browser or another, and can be entered. */
function MailboxProof({ codeWaits }: { codeWaits: boolean }) {
  const [step, setStep] = useState<'address' | 'code'>(codeWaits ? 'code' : 'address');
  const [email, setEmail] = useState('');
  const [message, setMessage] = useState('We sent a code to your email address. Enter it here.');
  const top = useFocusAfter(step);

  return (
    <ProofChoice title={PROOF_NAMES.mailbox} takes="A few minutes">
      <div ref={top} tabIndex={-1} className="flex flex-col gap-4 outline-none">
        {step === 'address' ? (
          <>
            <p className="text-ink-soft">
              We’ll send a code to your address at a hospital, a medical school, or a state medical
              society. It shows that you are on staff, and it counts together with the registry
              match. An address can prove only one account, only once, and we do not keep it.
            </p>
            <Banner tone="info">
              <strong>Your employer’s mail system sees the message.</strong> Its subject is neutral,
              and it says nothing about reviews.
            </Banner>
          </>
        ) : (
          <Banner tone="success">{message}</Banner>
        )}
      </div>
      {step === 'address' ? (
        <MailboxForm
          email={email}
          onSend={setEmail}
          onSent={(text) => {
            setMessage(text);
            setStep('code');
          }}
        />
      ) : (
        <>
          <ProofCodeForm
            schema={MailboxCodeRequest}
            write="confirmMailbox"
            field={{
              label: 'Verification code',
              hint: 'The 6 digits from the message.',
              inputMode: 'numeric',
            }}
          />
          <Button variant="quiet" className="-ml-5 self-start" onClick={() => setStep('address')}>
            Send a new code
          </Button>
        </>
      )}
    </ProofChoice>
  );
}

interface MailboxFormProps {
  email: string;
  onSend: (email: string) => void;
  onSent: (message: string) => void;
}

function MailboxForm({ email, onSend, onSent }: MailboxFormProps) {
  const { send, error } = useWrite(verificationWrites, 'mailMailboxCode', {
    onDone: (answer) => onSent(answer.message),
  });
  return (
    <Form
      schema={MailboxRequest}
      fields={[
        {
          name: 'email',
          label: 'Email address at your institution',
          kind: 'email',
          value: email,
          // Otherwise, browsers would fill in the account's address.
          autoComplete: 'off',
          autoCapitalize: 'none',
          spellCheck: false,
        },
      ]}
      action={{
        text: 'Send the code',
        busyText: 'Sending...',
        variant: 'secondary',
        className: 'self-start',
      }}
      error={error}
      failure={failureOr(FAILURES.mailbox)}
      onSubmit={(body) => {
        onSend(body.email);
        return send({ body });
      }}
      form={{ className: 'flex max-w-form flex-col gap-4' }}
    />
  );
}

interface LetterProofProps {
  letter: Letter | null;
  /** The first day on which a letter can be ordered. Null if none can. */
  letterFrom: string | null;
}

function LetterProof({ letter, letterFrom }: LetterProofProps) {
  const top = useFocusAfter(`${letter?.requested_on} ${letter?.state}`);
  // By this device's clock. The server checks the day.
  const today = new Date().toISOString().slice(0, 10);

  const { send, isBusy, error } = useWrite(verificationWrites, 'orderLetter');

  return (
    <ProofChoice title={PROOF_NAMES.letter} takes="About a week">
      <div ref={top} tabIndex={-1} className="text-ink-soft outline-none">
        <LetterState letter={letter} />
      </div>
      {letter?.state === 'sent' && (
        <ProofCodeForm
          schema={LetterCodeRequest}
          write="confirmLetter"
          field={{
            label: 'Code from the letter',
            hint: 'Capitalization, spaces, and hyphens do not matter.',
            autoCapitalize: 'characters',
          }}
        />
      )}
      {error && <Banner tone="error">{authFailure(error, FAILURES.letter)}</Banner>}
      {letterFrom === null && letter === null && (
        <p className="text-sm">We can’t send you a letter right now.</p>
      )}
      {letterFrom !== null && letterFrom > today && (
        <p className="text-sm text-ink-soft">
          You can order a new letter on or after{' '}
          <span className="lining-nums">{formatLongDate(letterFrom)}</span>.
        </p>
      )}
      {letterFrom !== null && letterFrom <= today && (
        <Button
          variant="secondary"
          className="self-start"
          busy={isBusy}
          onClick={() => send({ body: {} })}
        >
          {letter === null ? 'Send me a letter' : 'Send me a new letter'}
        </Button>
      )}
    </ProofChoice>
  );
}

/** The status of the letter. Shows only the city of its address. */
function LetterState({ letter }: { letter: Letter | null }) {
  if (letter === null) {
    return (
      <p>
        We’ll mail a code to your practice address in the registry. The envelope is plain, and
        nothing on it or in it mentions reviews. If others open your mail there, use an email
        address instead.
      </p>
    );
  }
  const city = formatLocation({ city: letter.city, state: null });
  const { state, requested_on, enter_by, attempts_left } = letter;
  if (state === 'waiting') {
    return (
      <p key="waiting">
        Your letter to <strong className="text-ink">{city}</strong> is waiting to be printed. You
        ordered it on <Day>{requested_on}</Day>. When it arrives, come back and enter its code here.
      </p>
    );
  }
  if (state === 'sent') {
    return (
      <p key="sent">
        Your letter to <strong className="text-ink">{city}</strong> is on its way.
        {enter_by !== null && (
          <span>
            {' '}
            Enter its code by <Day>{enter_by}</Day>.
          </span>
        )}{' '}
        <span>
          You have <span className="lining-nums">{plural(attempts_left, 'attempt')}</span> left.
        </span>
      </p>
    );
  }
  return (
    <p>
      {state === 'expired'
        ? `The code in your letter to ${city} has expired.`
        : `You have no attempts left for the code in your letter to ${city}.`}
    </p>
  );
}

function Day({ children }: { children: string }) {
  return <strong className="text-ink lining-nums">{formatLongDate(children)}</strong>;
}

interface ProofProps {
  doctor: Doctor;
  steps: VerificationSteps;
}

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
        <Banner tone="success" takesFocus>
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
