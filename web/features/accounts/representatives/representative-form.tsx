import { useForm } from 'react-hook-form';
import { PASSWORD_RULES } from '#contract/password-rules.ts';
import { lazyChecks } from '#web/lib/lazy-checks.ts';
import { useHydrated } from '#web/lib/use-hydrated.ts';
import { useWrite } from '#web/lib/write.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Button } from '#web/ui/button.tsx';
import { Field } from '#web/ui/field.tsx';
import { TextInput } from '#web/ui/text-input.tsx';
import { AccountForm } from '../account-form.tsx';
import { Agreement } from '../account-screen.tsx';
import { signupWrites } from '../account-writes.ts';
import { FAILURES, showFieldErrors, signupFailure } from '../failures.ts';
import { NewPasswordField } from '../password-fields.tsx';
import type { SentCode } from '../signup-code-form.tsx';

const checks = lazyChecks(async () => (await import('./representative-checks.ts')).checkDetails);
const FIELDS = ['email', 'first_name', 'last_name', 'work_title', 'password'] as const;

interface RepresentativeFormProps {
  employer: number;
  onSent: (sent: SentCode) => void;
}

/** The first step of signing up as an employer's representative. */
export function RepresentativeForm({ employer, onSent }: RepresentativeFormProps) {
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
        <Field label="First name" error={errors.first_name?.message}>
          {(control) => (
            <TextInput {...control} {...register('first_name')} autoComplete="given-name" />
          )}
        </Field>
        <Field label="Last name" error={errors.last_name?.message}>
          {(control) => (
            <TextInput {...control} {...register('last_name')} autoComplete="family-name" />
          )}
        </Field>
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
