import { SignupScreen } from '#web/features/accounts/signup-screen.tsx';
import { pageMeta } from '#web/lib/page-meta.ts';

export const meta = () =>
  pageMeta('Join', 'For physicians in the United States. Reviews are anonymous.');

export default function Signup() {
  return <SignupScreen />;
}
