import { ChevronDown, House, LayoutList, Menu, Newspaper, PenLine } from 'lucide-react';
import type { ComponentType, MouseEvent, ReactNode } from 'react';
import { useLocation, useNavigate, useNavigation } from 'react-router';
import { doctorName } from '#web/lib/doctor-name.ts';
import { Link, NavLink } from '#web/lib/link.tsx';
import { paths } from '#web/lib/paths.ts';
import { session, useSession } from '#web/lib/session.ts';
import { buttonClass } from '#web/ui/button.tsx';
import { Skeleton } from '#web/ui/spinner.tsx';
import { MemberLink } from './session.tsx';

/** Closes a menu after a choice. The browser closes popovers on Escape and outside clicks. */
function closeMenu(event: MouseEvent<HTMLElement>): void {
  event.currentTarget.closest<HTMLElement>('[popover]')?.hidePopover?.();
}

const MENU_ITEM_CLASS =
  'flex min-h-11 w-full items-center rounded-sm px-3 text-left text-sm no-underline ' +
  'hover:bg-sunken aria-[current=page]:font-semibold';

const NARROW_ID = 'narrow-menu';
const USER_ID = 'user-menu';

/** The items of the header on narrow screens. */
function NarrowMenu() {
  return (
    <>
      <button
        type="button"
        popoverTarget={NARROW_ID}
        className="-mr-2.5 grid size-11 place-items-center rounded-md hover:bg-sunken md:hidden"
      >
        <Menu aria-hidden className="size-6" strokeWidth={1.5} />
        <span className="sr-only">Menu</span>
      </button>
      <div id={NARROW_ID} popover="auto" className="w-64 md:hidden">
        <p className="flex min-h-11 items-center border-b border-rule px-3 text-sm text-ink-soft signed-out:hidden">
          <AccountName />
        </p>
        <MenuLink to={paths.reviews()}>Browse reviews</MenuLink>
        <MenuLink to={paths.employers()}>Employers</MenuLink>
        <SavedLink />
        <div className="signed-out:hidden">
          <MenuLink to={paths.dashboard()}>My dashboard</MenuLink>
          <AccountItems />
        </div>
        <div className="signed-in:hidden">
          <MenuLink to={paths.login()}>Sign in</MenuLink>
          <MenuLink to={paths.signup()}>Join now</MenuLink>
        </div>
      </div>
    </>
  );
}

function MenuLink({ to, children }: { to: string; children: ReactNode }) {
  return (
    <NavLink to={to} onClick={closeMenu} className={MENU_ITEM_CLASS}>
      {children}
    </NavLink>
  );
}

const SavedLink = () => (
  <MenuLink to={paths.saved()}>
    <span className="saved">Saved</span>
  </MenuLink>
);

function UserMenu() {
  return (
    <>
      <button
        type="button"
        popoverTarget={USER_ID}
        className="flex min-h-11 items-center gap-2 rounded-md border border-transparent px-2 text-sm hover:bg-sunken"
      >
        <span className="sr-only">Account menu, </span>
        {/* A fixed width, so that nothing moves when the name arrives. */}
        <span className="flex w-36 justify-end lg:w-44">
          <AccountName />
        </span>
        <ChevronDown aria-hidden className="size-4 text-ink-faint" />
      </button>
      <div id={USER_ID} popover="auto" className="w-56">
        <SavedLink />
        <AccountItems />
      </div>
    </>
  );
}

function AccountItems() {
  const navigate = useNavigate();
  const { user } = useSession();

  async function signOut(event: MouseEvent<HTMLElement>) {
    closeMenu(event);
    await session.signOut();
    await navigate(paths.home());
  }

  return (
    <>
      <MenuLink to={paths.profile()}>Profile Settings</MenuLink>
      {user?.is_admin && <MenuLink to={paths.office()}>Office</MenuLink>}
      <button type="button" onClick={signOut} className={MENU_ITEM_CLASS}>
        Sign out
      </button>
    </>
  );
}

/** 'Dr.' and the name, with a placeholder until the account is loaded. */
function AccountName() {
  const { user } = useSession();
  // With a key, because React cannot remove a text that a translator has replaced, only an element.
  if (user) {
    return (
      <span key="name" className="truncate">
        {doctorName(user)}
      </span>
    );
  }
  return (
    <span className="flex items-center gap-1.5">
      Dr. <Skeleton className="h-3 w-20" />
    </span>
  );
}

const LINK =
  'rounded-sm py-2 text-sm underline-offset-8 decoration-accent decoration-2 hover:underline ' +
  'aria-[current=page]:underline';

export function Header() {
  return (
    <header className="border-b border-rule">
      <nav
        aria-label="Main"
        className="page-width flex min-h-(--masthead-height) items-center justify-between gap-4 md:gap-8"
      >
        <Link to={paths.home()} aria-label="Curbside, home" className="no-underline">
          <Wordmark />
        </Link>
        <div className="flex flex-1 flex-wrap items-center justify-between gap-x-8 max-md:hidden">
          <div className="flex items-center gap-7">
            <NavLink to={paths.reviews()} className={LINK}>
              Browse reviews
            </NavLink>
            <NavLink to={paths.employers()} className={LINK}>
              Employers
            </NavLink>
          </div>
          <div className="flex items-center gap-7 signed-out:hidden">
            <NavLink to={paths.dashboard()} className={LINK}>
              My dashboard
            </NavLink>
            <UserMenu />
          </div>
          <div className="flex items-center gap-7 signed-in:hidden">
            <NavLink to={paths.login()} className={LINK}>
              Sign in
            </NavLink>
            <Link to={paths.signup()} className={buttonClass('primary', 'sm')}>
              Join now
            </Link>
          </div>
        </div>
        <NarrowMenu />
      </nav>
    </header>
  );
}

/** The name on a curb: a thick line over a thin one. */
export function Wordmark() {
  return (
    <span className="inline-flex flex-col font-display text-[1.75rem] leading-none tracking-[-0.012em]">
      Curbside
      <span aria-hidden className="mt-1 h-1 border-t-2 border-b border-accent" />
    </span>
  );
}

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
