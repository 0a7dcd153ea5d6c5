import { zodResolver } from '@hookform/resolvers/zod';
import { useEffect } from 'react';
import { useForm } from 'react-hook-form';
import * as z from 'zod/mini';
import { PASSWORD_RULES, SignupDetails } from '#contract/accounts.ts';
import { sessionEndpoints } from '#contract/endpoints/session.ts';
import { NPI_DIGITS } from '#contract/limits.ts';
import { api } from '#web/lib/session.ts';
import { useHydrated } from '#web/lib/use-hydrated.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Button } from '#web/ui/button.tsx';
import { Field } from '#web/ui/field.tsx';
import { TextInput } from '#web/ui/text-input.tsx';
import { Agreement } from './agreement.tsx';
import { FAILURES, fieldFailures, signupFailure } from './failures.ts';
import { NewPasswordField } from './new-password-field.tsx';
import { PasswordField } from './password-field.tsx';
import { useWorkAddress } from './use-work-address.ts';

const SignupForm = z.extend(SignupDetails, { confirm_password: z.optional(z.string()) });
const FIELDS = Object.keys(SignupDetails.shape) as (keyof SignupDetails)[];

interface SignupDetailsFormProps {
  /** Back from the second step: the focus that was there comes here. */
  isReturning: boolean;
  onSent: (details: SignupDetails, message: string) => void;
}

/** First step of signing up. */
export function SignupDetailsForm({ isReturning, onSent }: SignupDetailsFormProps) {
  const { register, handleSubmit, setError, setFocus, watch, formState } = useForm({
    resolver: zodResolver(SignupForm),
  });
  // In this order: the first at fault gets the focus.
  const fields = {
    email: register('email', { onBlur: (event) => check(event.target.value) }),
    first_name: register('first_name'),
    last_name: register('last_name'),
    npi: register('npi'),
    password: register('password'),
    confirm_password: register('confirm_password'),
  };
  const { errors, isSubmitting } = formState;
  const isHydrated = useHydrated();
  const { password = '', confirm_password: confirmed = '' } = watch();
  const differ = password !== confirmed;
  const { isWorkAddress, check } = useWorkAddress();

  useEffect(() => {
    if (isReturning) setFocus('email');
  }, [isReturning, setFocus]);

  const send = handleSubmit(async ({ confirm_password: _, ...details }) => {
    // The warning comes before any mail does.
    if (await check(details.email)) return;
    try {
      const { message } = await api.call(sessionEndpoints.register, {
        body: { action: 'create_account', ...details },
      });
      onSent(details, message);
    } catch (error) {
      setError('root', { message: signupFailure(error, FAILURES.signup) });
      // The message stands above the form; the focus goes to where it can be mended.
      const faulty = FIELDS.find((field) => fieldFailures(error).some(([name]) => name === field));
      if (faulty) setFocus(faulty);
    }
  });

  return (
    <form method="post" noValidate onSubmit={send} className="flex flex-col gap-5">
      {errors.root && <Banner tone="error">{errors.root.message}</Banner>}
      <Field label="Email" error={errors.email?.message}>
        {(control) => (
          <TextInput {...control} {...fields.email} type="email" autoComplete="email" />
        )}
      </Field>
      {isWorkAddress && (
        <Banner tone="info">
          This looks like a work address. Your employer may be able to see the mail it gets,
          including mail from us. A personal address keeps your membership to yourself. To use this
          one anyway, just sign up.
        </Banner>
      )}
      <div className="grid gap-5 sm:grid-cols-2">
        <Field label="First name" error={errors.first_name?.message}>
          {(control) => <TextInput {...control} {...fields.first_name} autoComplete="given-name" />}
        </Field>
        <Field label="Last name" error={errors.last_name?.message}>
          {(control) => <TextInput {...control} {...fields.last_name} autoComplete="family-name" />}
        </Field>
      </div>
      <Field
        label="NPI Number"
        hint="Used for verification only. Never shown publicly."
        error={errors.npi?.message}
      >
        {(control) => (
          <TextInput
            {...control}
            {...fields.npi}
            inputMode="numeric"
            maxLength={NPI_DIGITS}
            autoComplete="off"
            className="lining-nums tabular-nums"
          />
        )}
      </Field>
      <NewPasswordField
        label="Password"
        rules={PASSWORD_RULES}
        typed={password}
        error={errors.password?.message}
        {...fields.password}
      />
      <PasswordField
        label="Confirm password"
        error={differ && confirmed !== '' ? 'Passwords must match.' : undefined}
        autoComplete="new-password"
        {...fields.confirm_password}
      />
      <Agreement doing="signing up" />
      <Button type="submit" size="lg" busy={isSubmitting} disabled={!isHydrated || differ}>
        {isSubmitting ? 'Signing up...' : 'Sign up'}
      </Button>
    </form>
  );
}
