import { zodResolver } from '@hookform/resolvers/zod';
import { ArrowLeft } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useForm } from 'react-hook-form';
import * as z from 'zod/mini';
import type { SignupDetails } from '#contract/accounts.ts';
import { sessionEndpoints } from '#contract/endpoints/session.ts';
import { OtpCode } from '#contract/fields.ts';
import { api, session } from '#web/lib/session.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Button } from '#web/ui/button.tsx';
import { Field } from '#web/ui/field.tsx';
import { TextInput } from '#web/ui/text-input.tsx';
import { FAILURES, signupFailure } from './failures.ts';

const CodeForm = z.strictObject({ otp_code: OtpCode });

interface Notice {
  tone: 'success' | 'error';
  text: string;
}

interface SignupCodeFormProps {
  details: SignupDetails;
  /** What the first step was told. */
  message: string;
  onBack: () => void;
}

/** Second step of signing up; once it is done, the gate leads on (sign-in-gate.tsx). */
export function SignupCodeForm({ details, message, onBack }: SignupCodeFormProps) {
  const { register, handleSubmit, setFocus, formState } = useForm({
    resolver: zodResolver(CodeForm),
  });
  const { errors, isSubmitting } = formState;
  const [notice, setNotice] = useState<Notice | null>({ tone: 'success', text: message });
  const [isResending, setResending] = useState(false);

  useEffect(() => setFocus('otp_code'), [setFocus]);

  const verify = handleSubmit(async ({ otp_code }) => {
    setNotice(null);
    try {
      const answer = await api.call(sessionEndpoints.register, {
        body: { action: 'verify_otp', ...details, otp_code },
      });
      if ('access' in answer) await session.signIn(answer);
    } catch (error) {
      setNotice({ tone: 'error', text: signupFailure(error, FAILURES.verify) });
    }
  });

  async function resend() {
    setResending(true);
    setNotice(null);
    try {
      const answer = await api.call(sessionEndpoints.register, {
        body: { action: 'resend_otp', email: details.email },
      });
      setNotice({ tone: 'success', text: answer.message });
    } catch (error) {
      setNotice({ tone: 'error', text: signupFailure(error, FAILURES.resend) });
    } finally {
      setResending(false);
    }
  }

  return (
    <form method="post" noValidate onSubmit={verify} className="flex flex-col gap-5">
      {notice && <Banner tone={notice.tone}>{notice.text}</Banner>}
      <Field label="Verification code" error={errors.otp_code?.message}>
        {(control) => (
          <TextInput
            {...control}
            // Codes are pasted with the spaces of the mail.
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
        <Button variant="secondary" busy={isResending} onClick={resend}>
          {isResending ? 'Sending...' : 'Resend code'}
        </Button>
      </div>
    </form>
  );
}
