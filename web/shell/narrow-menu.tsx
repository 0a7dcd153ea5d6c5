import { Menu } from 'lucide-react';
import { NavLink } from 'react-router';
import { paths } from '#web/lib/paths.ts';
import { AccountItems, AccountName } from './account-items.tsx';
import { closeMenu, MENU_CLASS, MENU_ITEM_CLASS } from './menu.ts';

const ID = 'narrow-menu';

/** The items of the top bar on narrow screens. */
export function NarrowMenu() {
  return (
    <>
      <button
        type="button"
        popoverTarget={ID}
        className="-mr-2.5 grid size-11 place-items-center rounded-md hover:bg-sunken md:hidden"
      >
        <Menu aria-hidden className="size-6" strokeWidth={1.5} />
        <span className="sr-only">Menu</span>
      </button>
      <div id={ID} popover="auto" className={`${MENU_CLASS} w-64 md:hidden`}>
        <p className="flex min-h-11 items-center border-b border-rule px-3 text-sm text-ink-soft signed-out:hidden">
          <AccountName />
        </p>
        <MenuLink to={paths.reviews()}>Browse reviews</MenuLink>
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

function MenuLink({ to, children }: { to: string; children: string }) {
  return (
    <NavLink to={to} onClick={closeMenu} className={MENU_ITEM_CLASS}>
      {children}
    </NavLink>
  );
}
