import { useRef, useState } from 'react';
import { useSearchParams } from 'react-router';
import { PASSWORD_RULES } from '#contract/accounts/account-rules.ts';
import { employerEndpoints } from '#contract/endpoints/employers.ts';
import { NPI_FIELD, nameFields, newPassword } from '#web/features/accounts/account-fields.ts';
import { AccountScreen, Agreement, SignInGate } from '#web/features/accounts/account-screen.tsx';
import { signupWrites } from '#web/features/accounts/account-writes.ts';
import { FAILURES, signupFailure } from '#web/features/accounts/failures.ts';
import {
  type SentCode,
  SignupCodeStep,
  useSignupSteps,
} from '#web/features/accounts/signup-code-step.tsx';
import { Form } from '#web/form/form.tsx';
import { readAfterSignIn } from '#web/lib/after-sign-in.ts';
import { Link } from '#web/lib/link.tsx';
import { pageMeta } from '#web/lib/page-meta.ts';
import { paths } from '#web/lib/paths.ts';
import { api } from '#web/lib/session.ts';
import { orNull } from '#web/lib/transport-error.ts';
import { useWrite } from '#web/lib/write.ts';
import { Banner } from '#web/ui/banner.tsx';

/** The part after the "@", which is the only part that is sent. */
const domainOf = (email: string) => email.trim().toLowerCase().split('@')[1] ?? '';

/**
 * Looks up, as the user types, whether an email address belongs to an employer in the directory.
 * `check` returns true for a work address, unless the user has already been warned about its
 * domain.
 */
function useWorkAddress() {
  const [warnedAbout, setWarnedAbout] = useState('');
  const known = useRef(new Map<string, boolean>());

  async function isEmployer(domain: string): Promise<boolean> {
    const cached = known.current.get(domain);
    if (cached !== undefined) return cached;
    // The warning is optional, so an error here does not stop the sign-up.
    const answer = await orNull(api.call(employerEndpoints.mailDomain, { query: { domain } }));
    if (answer) known.current.set(domain, answer.is_employer);
    return answer?.is_employer ?? false;
  }

  async function check(email: string): Promise<boolean> {
    const domain = domainOf(email);
    const isWork = domain.includes('.') && (await isEmployer(domain));
    setWarnedAbout(isWork ? domain : '');
    return isWork && domain !== warnedAbout;
  }

  return { isWorkAddress: warnedAbout !== '', check };
}

interface SignupDetailsFormProps {
  isReturning: boolean;
  onSent: (sent: SentCode) => void;
}

function SignupDetailsForm({ isReturning, onSent }: SignupDetailsFormProps) {
  const { isWorkAddress, check } = useWorkAddress();
  const { send, error } = useWrite(signupWrites, 'sendCode', { onDone: onSent });
  return (
    <Form
      schema={async () => (await import('#web/features/accounts/account-checks.ts')).checkSignup}
      fields={[
        {
          name: 'email',
          label: 'Email',
          kind: 'email',
          autoComplete: 'email',
          takesFocus: isReturning,
          onLeave: check,
        },
        isWorkAddress && (
          <Banner tone="info">
            This looks like a work address. Your employer may be able to read its email, including
            email from us. A personal address keeps your membership private. To use this one anyway,
            just sign up.
          </Banner>
        ),
        { columns: nameFields() },
        {
          ...NPI_FIELD,
          label: 'NPI Number',
          hint: 'Used for verification only. Never shown publicly.',
          checksOnBlur: true,
        },
        ...newPassword(
          'password',
          ['Password', 'Confirm password'],
          PASSWORD_RULES,
          'Passwords must match.',
        ),
        <Agreement key="agreement" doing="signing up" />,
      ]}
      action={{ text: 'Sign up', busyText: 'Signing up...', size: 'lg' }}
      error={error}
      failure={(failed) => signupFailure(failed, FAILURES.signup)}
      onSubmit={async (details) => {
        // Warn before sending any email.
        if (!(await check(details.email))) await send(details);
      }}
    />
  );
}

export const meta = () =>
  pageMeta('Join', 'For physicians in the United States. Reviews are anonymous.');

export const clientAction = signupWrites.clientAction;

/** Both steps of signing up (docs/product/accounts.md, "Signing up"). */
export default function Signup() {
  const [search] = useSearchParams();
  const { sent, isReturning, toCode, back } = useSignupSteps();
  if (sent !== null) {
    return (
      <SignInGate key="code">
        <SignupCodeStep sent={sent} onBack={back} />
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
        <SignupDetailsForm isReturning={isReturning} onSent={toCode} />
      </AccountScreen>
    </SignInGate>
  );
}
