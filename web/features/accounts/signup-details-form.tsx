import { useEffect, useRef, useState } from 'react';
import { useForm } from 'react-hook-form';
import { employerEndpoints } from '#contract/endpoints/employers.ts';
import { PASSWORD_RULES } from '#contract/password-rules.ts';
import { lazyChecks } from '#web/lib/lazy-checks.ts';
import { api } from '#web/lib/session.ts';
import { orNull } from '#web/lib/transport-error.ts';
import { useHydrated } from '#web/lib/use-hydrated.ts';
import { useWrite } from '#web/lib/write.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Button } from '#web/ui/button.tsx';
import { Field } from '#web/ui/field.tsx';
import { TextInput } from '#web/ui/text-input.tsx';
import { AccountForm } from './account-form.tsx';
import { Agreement } from './account-screen.tsx';
import { signupWrites } from './account-writes.ts';
import { FAILURES, showFieldErrors, signupFailure } from './failures.ts';
import { NameFields } from './name-fields.tsx';
import { NpiInput } from './npi-input.tsx';
import { NewPasswordField, PasswordField } from './password-fields.tsx';
import type { SentCode } from './signup-code-form.tsx';

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

const checks = lazyChecks(async () => (await import('./account-checks.ts')).checkSignup);
const FIELDS = ['email', 'first_name', 'last_name', 'npi', 'password'] as const;

interface SignupDetailsFormProps {
  /** The user came back from the second step, so the form takes the focus. */
  isReturning: boolean;
  onSent: (sent: SentCode) => void;
}

export function SignupDetailsForm({ isReturning, onSent }: SignupDetailsFormProps) {
  const { register, handleSubmit, setError, setFocus, trigger, watch, formState } = useForm(
    checks.options,
  );
  const { errors, isSubmitting } = formState;
  const isHydrated = useHydrated();
  const { password = '', confirm_password: confirmed = '' } = watch();
  const differ = password !== confirmed;
  const { isWorkAddress, check } = useWorkAddress();

  useEffect(() => {
    if (isReturning) setFocus('email');
  }, [isReturning, setFocus]);

  const { send } = useWrite(signupWrites, 'sendCode', {
    onDone: onSent,
    onError(error) {
      setError('root', { message: signupFailure(error, FAILURES.signup) });
      showFieldErrors(setError, error, FIELDS);
    },
  });
  const submit = handleSubmit(async ({ confirm_password: _, ...details }) => {
    // Warn before sending any email.
    if (!(await check(details.email))) await send(details);
  });

  return (
    <AccountForm checks={checks} isSubmitting={isSubmitting} onSubmit={submit}>
      {errors.root && <Banner tone="error">{errors.root.message}</Banner>}
      <Field label="Email" error={errors.email?.message}>
        {(control) => (
          <TextInput
            {...control}
            {...register('email', { onBlur: (event) => check(event.target.value) })}
            type="email"
            autoComplete="email"
          />
        )}
      </Field>
      {isWorkAddress && (
        <Banner tone="info">
          This looks like a work address. Your employer may be able to read its email, including
          email from us. A personal address keeps your membership private. To use this one anyway,
          just sign up.
        </Banner>
      )}
      <div className="grid gap-5 sm:grid-cols-2">
        <NameFields first={register('first_name')} last={register('last_name')} errors={errors} />
      </div>
      <Field
        label="NPI Number"
        hint="Used for verification only. Never shown publicly."
        error={errors.npi?.message}
      >
        {(control) => (
          <NpiInput
            {...control}
            {...register('npi', {
              onBlur: ({ target }) => target.value !== '' && trigger('npi'),
              onChange: () => errors.npi && trigger('npi'),
            })}
          />
        )}
      </Field>
      <NewPasswordField
        label="Password"
        rules={PASSWORD_RULES}
        typed={password}
        error={errors.password?.message}
        {...register('password')}
      />
      <PasswordField
        label="Confirm password"
        error={differ && confirmed !== '' ? 'Passwords must match.' : undefined}
        autoComplete="new-password"
        {...register('confirm_password')}
      />
      <Agreement doing="signing up" />
      <Button type="submit" size="lg" busy={isSubmitting} disabled={!isHydrated || differ}>
        {isSubmitting ? 'Signing up...' : 'Sign up'}
      </Button>
    </AccountForm>
  );
}
