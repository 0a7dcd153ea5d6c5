import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { useRevalidator } from 'react-router';
import type { Employer } from '#contract/employers.ts';
import { titleCase } from '#contract/names.ts';
import { PASSWORD_RULES } from '#contract/password-rules.ts';
import { AccountForm } from '#web/features/accounts/account-form.tsx';
import { Agreement } from '#web/features/accounts/account-screen.tsx';
import { signupWrites } from '#web/features/accounts/account-writes.ts';
import { FAILURES, showFieldErrors, signupFailure } from '#web/features/accounts/failures.ts';
import { NewPasswordField } from '#web/features/accounts/password-fields.tsx';
import { lazyChecks } from '#web/lib/lazy-checks.ts';
import { Link } from '#web/lib/link.tsx';
import { paths } from '#web/lib/paths.ts';
import { useHydrated } from '#web/lib/use-hydrated.ts';
import { useWrite } from '#web/lib/write.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Button } from '#web/ui/button.tsx';
import { Field } from '#web/ui/field.tsx';
import { TextInput } from '#web/ui/text-input.tsx';
import { AccountScreen } from '../account-screen.tsx';
import { NameFields } from '../name-fields.tsx';
import { type SentCode, SignupCodeForm } from '../signup-code-form.tsx';

const checks = lazyChecks(async () => (await import('./representative-checks.ts')).checkDetails);
const FIELDS = ['email', 'first_name', 'last_name', 'work_title', 'password'] as const;

interface RepresentativeFormProps {
  employer: number;
  onSent: (sent: SentCode) => void;
}

/** The first step of signing up as an employer's representative. */
function RepresentativeForm({ employer, onSent }: RepresentativeFormProps) {
  const { register, handleSubmit, setError, watch, formState } = useForm(checks.options);
  const { errors, isSubmitting } = formState;
  const isHydrated = useHydrated();
  const { send } = useWrite(signupWrites, 'sendCode', {
    onDone: onSent,
    onError(error) {
      setError('root', { message: signupFailure(error, FAILURES.signup) });
      showFieldErrors(setError, error, FIELDS);
    },
  });
  const submit = handleSubmit((details) => send({ ...details, employer }));
  return (
    <AccountForm checks={checks} isSubmitting={isSubmitting} onSubmit={submit}>
      {errors.root && <Banner tone="error">{errors.root.message}</Banner>}
      <div className="grid gap-5 sm:grid-cols-2">
        <NameFields first={register('first_name')} last={register('last_name')} errors={errors} />
      </div>
      <Field label="Work title" error={errors.work_title?.message}>
        {(control) => (
          <TextInput {...control} {...register('work_title')} autoComplete="organization-title" />
        )}
      </Field>
      <Field
        label="Work email"
        hint="Your own address at the employer. We’ll send a code there."
        error={errors.email?.message}
      >
        {(control) => (
          <TextInput {...control} {...register('email')} type="email" autoComplete="email" />
        )}
      </Field>
      <NewPasswordField
        label="Password"
        rules={PASSWORD_RULES}
        typed={watch('password') ?? ''}
        error={errors.password?.message}
        {...register('password')}
      />
      <Agreement doing="signing up" />
      <Button type="submit" size="lg" busy={isSubmitting} disabled={!isHydrated}>
        {isSubmitting ? 'Signing up...' : 'Sign up'}
      </Button>
    </AccountForm>
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
