import { zodResolver } from '@hookform/resolvers/zod';
import { useForm } from 'react-hook-form';
import { Link } from 'react-router';
import { LoginRequest } from '#contract/accounts.ts';
import { paths } from '#web/lib/paths.ts';
import { useHydrated } from '#web/lib/use-hydrated.ts';
import { useWrite } from '#web/lib/write.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Button } from '#web/ui/button.tsx';
import { Field } from '#web/ui/field.tsx';
import { TextInput } from '#web/ui/text-input.tsx';
import { authFailure, FAILURES } from './failures.ts';
import { PasswordField } from './password-field.tsx';

/** Signs in; the gate around it then leads on (sign-in-gate.tsx). */
export function LoginForm() {
  const { register, handleSubmit, setError, formState } = useForm({
    resolver: zodResolver(LoginRequest),
  });
  // In this order: the first at fault gets the focus.
  const fields = { email: register('email'), password: register('password') };
  const { errors } = formState;
  const isHydrated = useHydrated();

  const { send, isBusy } = useWrite(
    (outcome) => {
      if ('ok' in outcome) return;
      const { error } = outcome;
      const message = authFailure(error, FAILURES.login);
      // The text does not say why; the user can fix the network.
      setError('root', { message, ...(error.status === null && { type: error.message }) });
    },
    { defaultShouldRevalidate: false },
  );

  return (
    <form method="post" noValidate onSubmit={handleSubmit(send)} className="flex flex-col gap-5">
      {errors.root && (
        <Banner tone="error">
          <p>{errors.root.message}</p>
          {errors.root.type && <p>{errors.root.type}</p>}
        </Banner>
      )}
      <Field label="Email" error={errors.email?.message}>
        {(control) => (
          <TextInput {...control} {...fields.email} type="email" autoComplete="username" />
        )}
      </Field>
      <PasswordField
        label="Password"
        error={errors.password?.message}
        autoComplete="current-password"
        {...fields.password}
      />
      <Link to={paths.forgotPassword()} className="prose-link self-start text-sm">
        Forgot password?
      </Link>
      <Button type="submit" size="lg" busy={isBusy} disabled={!isHydrated}>
        {isBusy ? 'Signing in...' : 'Sign in'}
      </Button>
    </form>
  );
}
