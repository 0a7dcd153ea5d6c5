import { useForm } from 'react-hook-form';
import { useLocation, useSearchParams } from 'react-router';
import { ERRORS } from '#contract/errors.ts';
import { AccountForm } from '#web/features/accounts/account-form.tsx';
import { AccountScreen, Agreement, SignInGate } from '#web/features/accounts/account-screen.tsx';
import { loginWrites } from '#web/features/accounts/account-writes.ts';
import { authFailure, FAILURES, showFieldErrors } from '#web/features/accounts/failures.ts';
import { PasswordField } from '#web/features/accounts/password-fields.tsx';
import { readAfterSignIn } from '#web/lib/after-sign-in.ts';
import { lazyChecks } from '#web/lib/lazy-checks.ts';
import { Link } from '#web/lib/link.tsx';
import { pageMeta } from '#web/lib/page-meta.ts';
import { paths } from '#web/lib/paths.ts';
import { useHydrated } from '#web/lib/use-hydrated.ts';
import { voteIn } from '#web/lib/vote-on-return.ts';
import { useWrite } from '#web/lib/write.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Button } from '#web/ui/button.tsx';
import { Field } from '#web/ui/field.tsx';
import { TextInput } from '#web/ui/text-input.tsx';

export const meta = () =>
  pageMeta(
    'Sign in',
    'Sign in to review the places where you have worked and to edit your reviews.',
  );

export const clientAction = loginWrites.clientAction;

export default function Login() {
  const [search] = useSearchParams();
  const location = useLocation();
  const notice: unknown = location.state?.notice;
  return (
    <SignInGate>
      <AccountScreen
        title="Sign in"
        lede={
          <p>
            New here?{' '}
            <Link to={paths.signup(readAfterSignIn(search))} className="prose-link">
              Create an account
            </Link>
          </p>
        }
      >
        {search.get('expired') === 'true' && (
          <Banner tone="info">{ERRORS.session_expired.text}</Banner>
        )}
        {voteIn(location) && <Banner tone="info">Sign in, and your vote will count.</Banner>}
        {typeof notice === 'string' && <Banner tone="success">{notice}</Banner>}
        <LoginForm />
        <Agreement doing="signing in" />
      </AccountScreen>
    </SignInGate>
  );
}

const checks = lazyChecks(
  async () => (await import('#web/features/accounts/account-checks.ts')).checkLogin,
);

/** Signs in. Afterwards, SignInGate redirects. */
function LoginForm() {
  const { register, handleSubmit, setError, formState } = useForm(checks.options);
  const { errors, isSubmitting } = formState;
  const isHydrated = useHydrated();

  const { send } = useWrite(loginWrites, 'login', {
    onError(error) {
      const message = authFailure(error, FAILURES.login);
      // The general message does not say that the network failed.
      setError('root', { message, ...(error.status === null && { type: error.message }) });
      showFieldErrors(setError, error, ['email', 'password']);
    },
  });

  return (
    <AccountForm checks={checks} isSubmitting={isSubmitting} onSubmit={handleSubmit(send)}>
      {errors.root && (
        <Banner tone="error">
          <p>{errors.root.message}</p>
          {errors.root.type && <p>{errors.root.type}</p>}
        </Banner>
      )}
      <Field label="Email" error={errors.email?.message}>
        {(control) => (
          <TextInput {...control} {...register('email')} type="email" autoComplete="username" />
        )}
      </Field>
      <PasswordField
        label="Password"
        error={errors.password?.message}
        autoComplete="current-password"
        {...register('password')}
      />
      <Link to={paths.forgotPassword()} className="prose-link self-start text-sm">
        Forgot password?
      </Link>
      <Button type="submit" size="lg" busy={isSubmitting} disabled={!isHydrated}>
        {isSubmitting ? 'Signing in...' : 'Sign in'}
      </Button>
    </AccountForm>
  );
}
