import { useState } from 'react';
import { useRevalidator } from 'react-router';
import { PASSWORD_RULES } from '#contract/accounts/password-rules.ts';
import type { Employer } from '#contract/employers/employers.ts';
import { titleCase } from '#contract/names.ts';
import { signupWrites } from '#web/features/accounts/account-writes.ts';
import { FAILURES, signupFailure } from '#web/features/accounts/failures.ts';
import { Form } from '#web/form/form.tsx';
import { Link } from '#web/lib/link.tsx';
import { paths } from '#web/lib/paths.ts';
import { useWrite } from '#web/lib/write.ts';
import { nameFields } from '../account-fields.ts';
import { AccountScreen, Agreement } from '../account-screen.tsx';
import { type SentCode, SignupCodeForm } from '../signup-code-form.tsx';

interface RepresentativeFormProps {
  employer: number;
  onSent: (sent: SentCode) => void;
}

/** The first step of signing up as an employer's representative. */
function RepresentativeForm({ employer, onSent }: RepresentativeFormProps) {
  const { send, error } = useWrite(signupWrites, 'sendCode', { onDone: onSent });
  return (
    <Form
      schema={async () => (await import('./representative-checks.ts')).checkDetails}
      fields={[
        { columns: nameFields() },
        { name: 'work_title', label: 'Work title', autoComplete: 'organization-title' },
        {
          name: 'email',
          label: 'Work email',
          kind: 'email',
          autoComplete: 'email',
          hint: 'Your own address at the employer. We’ll send a code there.',
        },
        {
          name: 'password',
          label: 'Password',
          kind: 'password',
          autoComplete: 'new-password',
          rules: PASSWORD_RULES,
        },
        <Agreement key="agreement" doing="signing up" />,
      ]}
      action={{ text: 'Sign up', busyText: 'Signing up...', size: 'lg' }}
      error={error}
      failure={(failed) => signupFailure(failed, FAILURES.signup)}
      onSubmit={(details) => send({ ...details, employer })}
    />
  );
}

/** Both steps of signing up as a representative (docs/product/accounts.md, "Representatives"). */
export function RepresentativeSignup({ employer }: { employer: Employer | null }) {
  const [sent, setSent] = useState<SentCode | null>(null);
  const { revalidate } = useRevalidator();
  if (employer === null) return <ChooseEmployer />;
  const name = titleCase(employer.name);
  if (sent !== null) {
    return (
      <AccountScreen
        key="code"
        title="Check your email"
        lede={
          <p>
            Enter the 6-digit code we sent to <strong>{sent.details.email}</strong>.
          </p>
        }
      >
        <SignupCodeForm
          {...sent}
          onBack={() => setSent(null)}
          onVerified={() => void revalidate()}
        />
      </AccountScreen>
    );
  }
  return (
    <AccountScreen
      key="details"
      title={`Represent ${name}`}
      lede={
        <>
          <p>
            A representative can reply once to each review of {name}, on its behalf and without
            showing their own name. We check every representative before their first reply.
          </p>
          <p className="mt-3">
            Representatives cannot post reviews, vote, or report, and cannot learn who wrote a
            review. We remove replies that ask. See the{' '}
            <Link to={paths.guidelines('replies')} className="prose-link">
              Guidelines
            </Link>
            .
          </p>
          <p className="mt-3">
            Already a representative?{' '}
            <Link to={paths.login({ redirect: 'represent' })} className="prose-link">
              Sign in
            </Link>
          </p>
        </>
      }
    >
      <RepresentativeForm employer={employer.id} onSent={setSent} />
    </AccountScreen>
  );
}

const ChooseEmployer = () => (
  <AccountScreen title="Represent an employer">
    <p>
      Find the employer in the{' '}
      <Link to={paths.employers()} className="prose-link">
        directory
      </Link>
      and choose “Represent this employer?” on its page.
    </p>
  </AccountScreen>
);
