import { ArrowLeft } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useForm } from 'react-hook-form';
import { lazyChecks } from '#web/lib/lazy-checks.ts';
import { useWrite } from '#web/lib/write.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Button } from '#web/ui/button.tsx';
import { Field } from '#web/ui/field.tsx';
import { TextInput } from '#web/ui/text-input.tsx';
import { AccountForm } from './account-form.tsx';
import { type NewAccount, signupWrites } from './account-writes.ts';
import { FAILURES, signupFailure } from './failures.ts';

const checks = lazyChecks(async () => (await import('./account-checks.ts')).checkCode);

interface Notice {
  tone: 'success' | 'error';
  text: string;
}

/** The sign-up details for which a code was sent. */
export interface SentCode {
  details: NewAccount;
  message: string;
}

interface SignupCodeFormProps extends SentCode {
  onBack: () => void;
  /** Called once the account exists and is signed in. */
  onVerified?: () => void;
}

/** The second step of signing up. Afterwards, SignInGate redirects. */
export function SignupCodeForm({ details, message, onBack, onVerified }: SignupCodeFormProps) {
  const { register, handleSubmit, setFocus, formState } = useForm(checks.options);
  const { errors, isSubmitting } = formState;
  const [notice, setNotice] = useState<Notice | null>({ tone: 'success', text: message });

  useEffect(() => setFocus('otp_code'), [setFocus]);

  const verification = useWrite(signupWrites, 'verifyCode', {
    onDone: () => onVerified?.(),
    onError: (error) => setNotice({ tone: 'error', text: signupFailure(error, FAILURES.verify) }),
  });
  const resending = useWrite(signupWrites, 'resendCode', {
    onDone: (answer) => setNotice({ tone: 'success', text: answer.message }),
    onError: (error) => setNotice({ tone: 'error', text: signupFailure(error, FAILURES.resend) }),
  });

  const verify = handleSubmit(({ otp_code }) => {
    setNotice(null);
    return verification.send({ ...details, otp_code });
  });

  function resend() {
    setNotice(null);
    void resending.send(details.email);
  }

  return (
    <AccountForm checks={checks} isSubmitting={isSubmitting} onSubmit={verify}>
      {notice && <Banner tone={notice.tone}>{notice.text}</Banner>}
      <Field label="Verification code" error={errors.otp_code?.message}>
        {(control) => (
          <TextInput
            {...control}
            // A pasted code may contain spaces.
            {...register('otp_code', {
              setValueAs: (typed?: string) => typed?.replaceAll(/[\s-]/g, ''),
            })}
            inputMode="numeric"
            autoComplete="one-time-code"
            className="text-lg lining-nums tabular-nums tracking-[0.3em]"
          />
        )}
      </Field>
      <Button type="submit" size="lg" busy={isSubmitting}>
        {isSubmitting ? 'Verifying...' : 'Verify'}
      </Button>
      <div className="flex flex-wrap justify-between gap-3">
        <Button variant="quiet" className="-ml-5" onClick={onBack}>
          <ArrowLeft aria-hidden className="size-4" />
          Back to signup
        </Button>
        <Button variant="secondary" busy={resending.isBusy} onClick={resend}>
          {resending.isBusy ? 'Sending...' : 'Resend code'}
        </Button>
      </div>
    </AccountForm>
  );
}
