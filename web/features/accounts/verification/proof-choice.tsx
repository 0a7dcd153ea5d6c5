import { type ReactNode, useId } from 'react';
import type {
  LetterCodeRequest,
  MailboxCodeRequest,
  ProofKind,
} from '#contract/verification/verification.ts';
import { verificationWrites } from '#web/features/accounts/account-writes.ts';
import { FAILURES, failureOr } from '#web/features/accounts/failures.ts';
import { Form } from '#web/form/form.tsx';
import type { FieldSpec } from '#web/form/form-field.tsx';
import { useWrite } from '#web/lib/write.ts';
import { withoutSpaces } from '../account-fields.ts';

/** The labels of the kinds of proof. */
export const PROOF_NAMES: Record<ProofKind, string> = {
  letter: 'A letter to your practice address',
  mailbox: 'An email address at your institution',
  administrator: 'An administrator’s decision',
};

interface ProofChoiceProps {
  title: string;
  takes: string;
  children: ReactNode;
}

export function ProofChoice({ title, takes, children }: ProofChoiceProps) {
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
  onFailure?: () => void;
}

export function ProofCodeForm({ schema, write, field, onFailure }: ProofCodeFormProps) {
  const { send, error } = useWrite(verificationWrites, write, { onError: () => onFailure?.() });
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
