import { useState } from 'react';
import { ACCOUNT_MESSAGES } from '#contract/accounts/account-rules.ts';
import { RESET_TTL_MS } from '#contract/limits.ts';
import { AccountScreen } from '#web/features/accounts/account-screen.tsx';
import { forgotPasswordWrites } from '#web/features/accounts/account-writes.ts';
import { FAILURES } from '#web/features/accounts/failures.ts';
import { Form } from '#web/form/form.tsx';
import { Link } from '#web/lib/link.tsx';
import { pageMeta } from '#web/lib/page-meta.ts';
import { paths } from '#web/lib/paths.ts';
import { useWrite } from '#web/lib/write.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Button, buttonClass } from '#web/ui/button.tsx';

const RESET_HOURS = RESET_TTL_MS / 3_600_000;

export const meta = () =>
  pageMeta('Forgot password', 'Get a link by email to choose a new password.');

export const clientAction = forgotPasswordWrites.clientAction;

export default function ForgotPassword() {
  return (
    <AccountScreen
      title="Forgot password"
      lede={
        <p>
          If the address has an account, we’ll email you a link to choose a new password. It works
          once and expires in {RESET_HOURS} hours.
        </p>
      }
    >
      <ForgotPasswordForm />
    </AccountScreen>
  );
}

/** Asks for the address, then says that the email is on its way. */
function ForgotPasswordForm() {
  const [step, setStep] = useState<'first' | 'sent' | 'again'>('first');
  const { send, error } = useWrite(forgotPasswordWrites, 'sendLink', {
    onDone: () => setStep('sent'),
  });

  if (step === 'sent') {
    return (
      <>
        <Banner tone="success" takesFocus>
          {ACCOUNT_MESSAGES.resetSent}
        </Banner>
        <div className="flex flex-wrap gap-3">
          <Link to={paths.login()} className={buttonClass()}>
            Back to Login
          </Link>
          <Button variant="secondary" onClick={() => setStep('again')}>
            Send Another Reset Email
          </Button>
        </div>
      </>
    );
  }
  return (
    <>
      <Form
        schema={async () =>
          (await import('#web/features/accounts/account-checks.ts')).checkForgotPassword
        }
        fields={[
          {
            name: 'email',
            label: 'Email',
            kind: 'email',
            autoComplete: 'username',
            isAwaited: true,
            takesFocus: step === 'again',
          },
        ]}
        action={{ text: 'Send Reset Email', busyText: 'Sending...', size: 'lg' }}
        error={error}
        failure={({ status }, isAtField) =>
          !isAtField && (status === 429 ? FAILURES.forgotTooOften : FAILURES.forgot)
        }
        onSubmit={(body) => send({ body })}
      />
      <Link to={paths.login()} className="prose-link self-start text-sm">
        Back to Login
      </Link>
    </>
  );
}
