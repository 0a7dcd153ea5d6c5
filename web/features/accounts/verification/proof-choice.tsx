import { zodResolver } from '@hookform/resolvers/zod';
import { type ComponentPropsWithRef, type ReactNode, useId } from 'react';
import { useForm } from 'react-hook-form';
import type { LetterCodeRequest, MailboxCodeRequest, ProofKind } from '#contract/verification.ts';
import { verificationWrites } from '#web/features/accounts/account-writes.ts';
import { authFailure, FAILURES, showFailure } from '#web/features/accounts/failures.ts';
import { useWrite } from '#web/lib/write.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Button } from '#web/ui/button.tsx';
import { Field } from '#web/ui/field.tsx';
import { TextInput } from '#web/ui/text-input.tsx';

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

interface ProofCodeFormProps extends ComponentPropsWithRef<'input'> {
  schema: typeof LetterCodeRequest | typeof MailboxCodeRequest;
  write: 'confirmLetter' | 'confirmMailbox';
  label: string;
  hint: string;
  onFailure?: () => void;
}

export function ProofCodeForm(props: ProofCodeFormProps) {
  const { schema, write, label, hint, onFailure, ...input } = props;
  const { register, handleSubmit, setError, formState } = useForm({
    resolver: zodResolver(schema),
  });
  const { errors } = formState;

  const { send, isBusy } = useWrite(verificationWrites, write, {
    onError(error) {
      showFailure(setError, error, ['code'], authFailure(error, FAILURES.proofCode));
      onFailure?.();
    },
  });

  return (
    <form
      method="post"
      noValidate
      onSubmit={handleSubmit((body) => send({ body }))}
      className="flex max-w-form flex-col gap-4"
    >
      {errors.root && <Banner tone="error">{errors.root.message}</Banner>}
      <Field label={label} hint={hint} error={errors.code?.message}>
        {(control) => (
          <TextInput
            autoComplete="one-time-code"
            autoCorrect="off"
            spellCheck={false}
            {...input}
            {...control}
            // A pasted code may contain spaces.
            {...register('code', {
              setValueAs: (typed?: string) => typed?.replaceAll(/[\s-]/g, ''),
            })}
            className="font-code text-lg"
          />
        )}
      </Field>
      <Button type="submit" className="self-start" busy={isBusy}>
        {isBusy ? 'Checking...' : 'Confirm code'}
      </Button>
    </form>
  );
}
