import { Link, NavLink } from '#web/lib/link.tsx';
import { paths } from '#web/lib/paths.ts';
import { buttonClass } from '#web/ui/button.tsx';
import { NarrowMenu, UserMenu } from './menus.tsx';

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
