import { Link, useLocation, useSearchParams } from 'react-router';
import type { LoginRequest } from '#contract/accounts.ts';
import { sessionEndpoints } from '#contract/endpoints/session.ts';
import { ERRORS } from '#contract/errors.ts';
import { AccountScreen } from '#web/features/accounts/account-screen.tsx';
import { Agreement } from '#web/features/accounts/agreement.tsx';
import { LoginForm } from '#web/features/accounts/login-form.tsx';
import { SignInGate } from '#web/features/accounts/sign-in-gate.tsx';
import { readAfterSignIn } from '#web/lib/after-sign-in.ts';
import { pageMeta } from '#web/lib/page-meta.ts';
import { paths } from '#web/lib/paths.ts';
import { api, session } from '#web/lib/session.ts';
import { writeAction } from '#web/lib/write.ts';
import { Banner } from '#web/ui/banner.tsx';
import type { Route } from './+types/login.ts';

export const meta = () =>
  pageMeta(
    'Sign in',
    'Sign in to review where you have worked, and to change what you have written.',
  );

export const clientAction = writeAction(async ({ request }: Route.ClientActionArgs) => {
  const body: LoginRequest = await request.json();
  await session.signIn(await api.call(sessionEndpoints.login, { body }));
});

export default function Login() {
  const [search] = useSearchParams();
  const notice: unknown = useLocation().state?.notice;
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
        {typeof notice === 'string' && <Banner tone="success">{notice}</Banner>}
        <LoginForm />
        <Agreement doing="signing in" />
      </AccountScreen>
    </SignInGate>
  );
}
