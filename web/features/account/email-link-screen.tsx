import { Link } from 'react-router';
import { paths } from '#web/lib/paths.ts';
import { Banner } from '#web/ui/banner.tsx';
import { buttonClass } from '#web/ui/button.tsx';
import { AccountScreen } from './account-screen.tsx';
import type { LinkOutcome } from './open-email-link.ts';

/** What came of opening a link of a mail about a change of address. */
export function EmailLinkScreen({ title, outcome }: { title: string; outcome: LinkOutcome }) {
  return (
    <AccountScreen title={title}>
      <Banner tone={outcome.isDone ? 'success' : 'error'}>{outcome.text}</Banner>
      <Link to={paths.profile()} className={buttonClass('primary', 'md', 'self-start')}>
        Go to my profile
      </Link>
    </AccountScreen>
  );
}
