import { ChevronDown, Menu } from 'lucide-react';
import { type MouseEvent, type ReactNode, useLayoutEffect, useRef } from 'react';
import { useLocation, useNavigate, useNavigation } from 'react-router';
import { Link, NavLink } from '#web/lib/link.tsx';
import { paths } from '#web/lib/paths.ts';
import { session, useSession } from '#web/lib/session.ts';
import { doctorName } from '#web/lib/session-store.ts';
import { buttonClass } from '#web/ui/button.tsx';
import { Skeleton } from '#web/ui/loading.tsx';

/** Closes a menu after a choice. The browser closes popovers on Escape and outside clicks. */
function closeMenu(event: MouseEvent<HTMLElement>): void {
  event.currentTarget.closest<HTMLElement>('[popover]')?.hidePopover?.();
}

const MENU_ITEM_CLASS =
  'flex min-h-11 w-full items-center rounded-sm px-3 text-left text-sm no-underline ' +
  'hover:bg-sunken aria-[current=page]:font-semibold';

const NARROW_MENU_ID = 'narrow-menu';
const USER_MENU_ID = 'user-menu';

/** The items of the header on narrow screens. */
function NarrowMenu() {
  return (
    <>
      <button
        type="button"
        popoverTarget={NARROW_MENU_ID}
        className="-mr-2.5 grid size-11 place-items-center rounded-md hover:bg-sunken md:hidden"
      >
        <Menu aria-hidden className="size-6" strokeWidth={1.5} />
        <span className="sr-only">Menu</span>
      </button>
      <div id={NARROW_MENU_ID} popover="auto" className="w-64 md:hidden">
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
        popoverTarget={USER_MENU_ID}
        className="flex min-h-11 items-center gap-2 rounded-md border border-transparent px-2 text-sm hover:bg-sunken"
      >
        <span className="sr-only">Account menu, </span>
        {/* A fixed width, so that nothing moves when the name arrives. */}
        <span className="flex w-36 justify-end lg:w-44">
          <AccountName />
        </span>
        <ChevronDown aria-hidden className="size-4 text-ink-faint" />
      </button>
      <div id={USER_MENU_ID} popover="auto" className="w-56">
        <SavedLink />
        <AccountItems />
      </div>
    </>
  );
}

function AccountItems() {
  const navigate = useNavigate();
  const { user } = useSession();
  const { key } = useLocation();
  /** The page, or the one that is loading. */
  const destination = useNavigation().location?.key ?? key;
  const latest = useRef(destination);
  useLayoutEffect(() => {
    latest.current = destination;
  }, [destination]);

  async function signOut(event: MouseEvent<HTMLElement>) {
    closeMenu(event);
    const before = latest.current;
    await session.signOut();
    // Unless the user has gone elsewhere while the request was on its way.
    if (latest.current === before) await navigate(paths.home());
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

const LINK_CLASS =
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
            <NavLink to={paths.reviews()} className={LINK_CLASS}>
              Browse reviews
            </NavLink>
            <NavLink to={paths.employers()} className={LINK_CLASS}>
              Employers
            </NavLink>
          </div>
          <div className="flex items-center gap-7 signed-out:hidden">
            <NavLink to={paths.dashboard()} className={LINK_CLASS}>
              My dashboard
            </NavLink>
            <UserMenu />
          </div>
          <div className="flex items-center gap-7 signed-in:hidden">
            <NavLink to={paths.login()} className={LINK_CLASS}>
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
