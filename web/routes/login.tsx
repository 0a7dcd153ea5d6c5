import { useLocation, useSearchParams } from 'react-router';
import { ERRORS } from '#contract/errors.ts';
import { AccountScreen, Agreement, SignInGate } from '#web/features/accounts/account-screen.tsx';
import { loginWrites } from '#web/features/accounts/account-writes.ts';
import { authFailure, FAILURES } from '#web/features/accounts/failures.ts';
import { Form } from '#web/form/form.tsx';
import { readAfterSignIn, voteIn } from '#web/lib/after-sign-in.ts';
import { Link } from '#web/lib/link.tsx';
import { pageMeta } from '#web/lib/page-meta.ts';
import { paths } from '#web/lib/paths.ts';
import { useWrite } from '#web/lib/write.ts';
import { Banner } from '#web/ui/banner.tsx';

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

/** Signs in. Afterwards, SignInGate redirects. */
function LoginForm() {
  const { send, error } = useWrite(loginWrites, 'login');
  return (
    <Form
      schema={async () => (await import('#web/features/accounts/account-checks.ts')).checkLogin}
      fields={[
        { name: 'email', label: 'Email', kind: 'email', autoComplete: 'username' },
        {
          name: 'password',
          label: 'Password',
          kind: 'password',
          autoComplete: 'current-password',
        },
        <Link key="forgotten" to={paths.forgotPassword()} className="prose-link self-start text-sm">
          Forgot password?
        </Link>,
      ]}
      action={{ text: 'Sign in', busyText: 'Signing in...', size: 'lg' }}
      error={error}
      failure={(failed) => (
        <Banner tone="error">
          <p>{authFailure(failed, FAILURES.login)}</p>
          {/* The general message does not say that the network failed. */}
          {failed.status === null && <p>{failed.message}</p>}
        </Banner>
      )}
      onSubmit={send}
    />
  );
}
