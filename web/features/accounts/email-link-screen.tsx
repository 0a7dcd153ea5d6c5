import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { paths } from '#web/lib/paths.ts';
import { Banner } from '#web/ui/banner.tsx';
import { buttonClass } from '#web/ui/button.tsx';
import { AccountScreen } from './account-screen.tsx';
import type { LinkOutcome } from './open-email-link.ts';

interface EmailLinkScreenProps {
  title: string;
  outcome: LinkOutcome;
  /** What to do next; by default, to go to the profile. */
  children?: ReactNode;
}

/** What came of opening a link of a mail about a change of address. */
export function EmailLinkScreen({ title, outcome, children }: EmailLinkScreenProps) {
  return (
    <AccountScreen title={title}>
      <Banner tone={outcome.isDone ? 'success' : 'error'}>{outcome.text}</Banner>
      {children || (
        <Link to={paths.profile()} className={buttonClass('primary', 'md', 'self-start')}>
          Go to my profile
        </Link>
      )}
    </AccountScreen>
  );
}
