import { ArrowLeft } from 'lucide-react';
import { useState } from 'react';
import { Form } from '#web/form/form.tsx';
import { useWrite } from '#web/lib/write.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Button } from '#web/ui/button.tsx';
import { withoutSpaces } from './account-fields.ts';
import { type NewAccount, signupWrites } from './account-writes.ts';
import { FAILURES, signupFailure } from './failures.ts';

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
  const [notice, setNotice] = useState<Notice | null>({ tone: 'success', text: message });

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
    <>
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
    </>
  );
}
