import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { OTP_TTL_MS } from '#contract/limits.ts';
import { AccountScreen, SignInGate } from '#web/features/accounts/account-screen.tsx';
import { signupWrites } from '#web/features/accounts/account-writes.ts';
import { type SentCode, SignupCodeForm } from '#web/features/accounts/signup-code-form.tsx';
import { SignupDetailsForm } from '#web/features/accounts/signup-details-form.tsx';
import { readAfterSignIn } from '#web/lib/after-sign-in.ts';
import { Link } from '#web/lib/link.tsx';
import { pageMeta } from '#web/lib/page-meta.ts';
import { paths } from '#web/lib/paths.ts';

const OTP_MINUTES = OTP_TTL_MS / 60_000;

export const meta = () =>
  pageMeta('Join', 'For physicians in the United States. Reviews are anonymous.');

export const clientAction = signupWrites.clientAction;

/** Both steps of signing up (docs/product/accounts.md, "Signing up"). */
export default function Signup() {
  const [search] = useSearchParams();
  const [sent, setSent] = useState<SentCode | null>(null);
  const [isReturning, setReturning] = useState(false);

  if (sent !== null) {
    return (
      <SignInGate key="code">
        <AccountScreen
          title="Check your email"
          lede={
            <p>
              Enter the 6-digit code we sent to <strong>{sent.details.email}</strong>. It expires in{' '}
              {OTP_MINUTES} minutes.
            </p>
          }
        >
          <SignupCodeForm
            {...sent}
            onBack={() => {
              setReturning(true);
              setSent(null);
            }}
          />
        </AccountScreen>
      </SignInGate>
    );
  }
  return (
    <SignInGate key="details">
      <AccountScreen
        title="Join Curbside"
        lede={
          <>
            <p>
              For physicians in the United States, 18 or older, currently or formerly licensed. We
              check your NPI against public records. Reviews never show who wrote them.
            </p>
            <p className="mt-3">
              Already a member?{' '}
              <Link to={paths.login(readAfterSignIn(search))} className="prose-link">
                Sign in
              </Link>
            </p>
          </>
        }
      >
        <SignupDetailsForm isReturning={isReturning} onSent={setSent} />
      </AccountScreen>
    </SignInGate>
  );
}
