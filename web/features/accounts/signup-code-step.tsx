import { ArrowLeft } from 'lucide-react';
import { useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { MINUTE_MS, OTP_TTL_MS } from '#contract/limits.ts';
import { Form } from '#web/form/form.tsx';
import { useWrite } from '#web/lib/write.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Button } from '#web/ui/button.tsx';
import { withoutSpaces } from './account-fields.ts';
import { AccountScreen } from './account-screen.tsx';
import { type NewAccount, signupWrites } from './account-writes.ts';
import { FAILURES, signupFailure } from './failures.ts';

/** The sign-up details for which a code was sent. */
export interface SentCode {
  details: NewAccount;
  message: string;
}

/** The step of a sign-up. The code has its own history entry, so that Back leads to the details. */
export function useSignupSteps() {
  const { key, search } = useLocation();
  const navigate = useNavigate();
  /** With the history entry of the details. */
  const [sent, setSent] = useState<(SentCode & { from: string }) | null>(null);
  const [isReturning, setReturning] = useState(false);
  return {
    /** Null at the details. */
    sent: sent?.from === key ? null : sent,
    /** The user came back by the button, so the form takes the focus. */
    isReturning,
    toCode(code: SentCode) {
      setSent({ ...code, from: key });
      void navigate({ search }, { defaultShouldRevalidate: false });
    },
    back() {
      setReturning(true);
      setSent(null);
      void navigate(-1);
    },
  };
}

interface SignupCodeStepProps {
  sent: SentCode;
  onBack: () => void;
  /** Called once the account exists and is signed in. */
  onVerified?: () => void;
}

/** The second step of signing up. */
export function SignupCodeStep({ sent, onBack, onVerified }: SignupCodeStepProps) {
  const { details, message } = sent;
  const [notice, setNotice] = useState<{ tone: 'success' | 'error'; text: string } | null>({
    tone: 'success',
    text: message,
  });

  const verification = useWrite(signupWrites, 'verifyCode', {
    onDone: () => onVerified?.(),
    onError: (error) => setNotice({ tone: 'error', text: signupFailure(error, FAILURES.verify) }),
  });
  const resending = useWrite(signupWrites, 'resendCode', {
    onDone: (answer) => setNotice({ tone: 'success', text: answer.message }),
    onError: (error) => setNotice({ tone: 'error', text: signupFailure(error, FAILURES.resend) }),
  });

  function resend() {
    setNotice(null);
    void resending.send(details.email);
  }

  return (
    <AccountScreen
      title="Check your email"
      lede={
        <p>
          Enter the 6-digit code we sent to <strong>{details.email}</strong>. It expires in{' '}
          {OTP_TTL_MS / MINUTE_MS} minutes.
        </p>
      }
    >
      <Form
        schema={async () => (await import('./account-checks.ts')).checkCode}
        fields={[
          {
            name: 'otp_code',
            label: 'Verification code',
            read: withoutSpaces,
            inputMode: 'numeric',
            autoComplete: 'one-time-code',
            takesFocus: true,
            boxClass: 'text-lg lining-nums tabular-nums tracking-[0.3em]',
          },
        ]}
        action={{ text: 'Verify', busyText: 'Verifying...', size: 'lg' }}
        onSubmit={({ otp_code }) => {
          setNotice(null);
          return verification.send({ ...details, otp_code });
        }}
      >
        {notice && <Banner tone={notice.tone}>{notice.text}</Banner>}
      </Form>
      <div className="flex flex-wrap justify-between gap-3">
        <Button variant="quiet" className="-ml-5" onClick={onBack}>
          <ArrowLeft aria-hidden className="size-4" />
          Back to signup
        </Button>
        <Button variant="secondary" busy={resending.isBusy} onClick={resend}>
          {resending.isBusy ? 'Sending...' : 'Resend code'}
        </Button>
      </div>
    </AccountScreen>
  );
}
