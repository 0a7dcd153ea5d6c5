import { House, LayoutList, Newspaper, PenLine } from 'lucide-react';
import type { ComponentType, ReactNode } from 'react';
import { useLocation, useNavigation } from 'react-router';
import { Link } from '#web/lib/link.tsx';
import { paths } from '#web/lib/paths.ts';
import { MemberLink } from './member-link.tsx';

interface TabProps {
  to: string;
  Icon: ComponentType<{ className?: string; strokeWidth?: number }>;
  /** MemberLink for a page that requires a login. */
  As?: typeof Link | typeof MemberLink;
  children: ReactNode;
}

/** docs/product.md, "Layout and navigation": only below 768 px. */
export function TabBar() {
  // On an employer's page, the review form opens with that employer chosen.
  const [, employer] = /^\/employers\/(\d+)/.exec(useLocation().pathname) ?? [];
  return (
    <nav
      aria-label="Tabs"
      className="fixed inset-x-0 bottom-0 z-10 border-t border-rule bg-paper pb-[env(safe-area-inset-bottom)] md:hidden"
    >
      <ul className="grid h-(--tab-bar-height) grid-cols-4">
        <Tab to={paths.home()} Icon={House}>
          Home
        </Tab>
        <Tab to={paths.reviews()} Icon={Newspaper}>
          Browse
        </Tab>
        <Tab to={paths.createReview({ employer })} Icon={PenLine} As={MemberLink}>
          Write
        </Tab>
        <Tab to={paths.dashboard()} Icon={LayoutList} As={MemberLink}>
          Dashboard
        </Tab>
      </ul>
    </nav>
  );
}

function Tab({ to, Icon, As = Link, children }: TabProps) {
  const shown = useLocation();
  // The requested page, while it loads.
  const { pathname } = useNavigation().location ?? shown;
  const [path = to] = to.split('?');
  // Matched by path prefix. Every path begins with the home page's path, so that one must be equal.
  const isCurrent = to === paths.home() ? pathname === to : pathname.startsWith(path);
  return (
    <li className="contents">
      <As
        to={to}
        aria-current={isCurrent ? 'page' : undefined}
        className={
          'flex flex-col items-center justify-center gap-1 border-t-2 border-transparent text-[min(var(--text-xs),4.6vw)] leading-none ' +
          'text-ink-soft no-underline -outline-offset-2 aria-[current=page]:border-accent ' +
          'aria-[current=page]:font-semibold aria-[current=page]:text-accent'
        }
      >
        <Icon className="size-5.5" strokeWidth={1.5} aria-hidden />
        {children}
      </As>
    </li>
  );
}
