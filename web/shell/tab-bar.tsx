import { House, LayoutList, Newspaper, PenLine } from 'lucide-react';
import type { ComponentType, ReactNode } from 'react';
import { Link, useLocation, useNavigation } from 'react-router';
import { paths } from '#web/lib/paths.ts';
import { MemberLink } from './session.tsx';

interface Tab {
  to: string;
  label: string;
  Icon: ComponentType<{ className?: string; strokeWidth?: number }>;
  isMembersOnly?: true;
}

/** docs/product.md, "Layout and navigation": only below 768 px. */
const TABS: readonly Tab[] = [
  { to: paths.home(), label: 'Home', Icon: House },
  { to: paths.reviews(), label: 'Browse', Icon: Newspaper },
  { to: paths.createReview(), label: 'Write', Icon: PenLine, isMembersOnly: true },
  { to: paths.dashboard(), label: 'Dashboard', Icon: LayoutList, isMembersOnly: true },
];

/** Matches by path prefix. Every path begins with the home page's, so that one must be equal. */
const isActive = (tab: string, pathname: string) =>
  tab === paths.home() ? pathname === tab : pathname.startsWith(tab);

export function TabBar() {
  const shown = useLocation();
  // The page that was asked for, while it loads.
  const { pathname } = useNavigation().location ?? shown;
  return (
    <nav
      aria-label="Tabs"
      className="fixed inset-x-0 bottom-0 z-10 border-t border-rule bg-paper pb-[env(safe-area-inset-bottom)] md:hidden"
    >
      <ul className="grid h-(--tab-bar-height) grid-cols-4">
        {TABS.map((tab) => (
          <li key={tab.to} className="contents">
            <TabLink tab={tab} isCurrent={isActive(tab.to, pathname)}>
              <tab.Icon className="size-5.5" strokeWidth={1.5} aria-hidden />
              {tab.label}
            </TabLink>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function TabLink({
  tab,
  isCurrent,
  children,
}: {
  tab: Tab;
  isCurrent: boolean;
  children: ReactNode;
}) {
  const link = {
    to: tab.to,
    'aria-current': isCurrent ? ('page' as const) : undefined,
    className:
      'flex flex-col items-center justify-center gap-1 border-t-2 border-transparent text-[min(var(--text-xs),4.6vw)] leading-none ' +
      'text-ink-soft no-underline -outline-offset-2 aria-[current=page]:border-accent ' +
      'aria-[current=page]:font-semibold aria-[current=page]:text-accent',
  };
  if (tab.isMembersOnly) return <MemberLink {...link}>{children}</MemberLink>;
  return <Link {...link}>{children}</Link>;
}
