import { Flag, LogOut, Settings } from 'lucide-react';
import type { MouseEvent } from 'react';
import { Link, useNavigate } from 'react-router';
import { doctorName } from '#web/lib/doctor-name.ts';
import { paths } from '#web/lib/paths.ts';
import { session, useSession } from '#web/lib/session.ts';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { closeMenu, MENU_ITEM_CLASS } from './menu.ts';

/** The account's part of both menus. */
export function AccountItems() {
  const navigate = useNavigate();
  const { user } = useSession();

  async function signOut(event: MouseEvent<HTMLElement>) {
    closeMenu(event);
    await session.signOut();
    await navigate(paths.home());
  }

  return (
    <>
      <Link to={paths.profile()} onClick={closeMenu} className={MENU_ITEM_CLASS}>
        <Settings aria-hidden className="size-4 text-ink-faint" />
        Profile Settings
      </Link>
      {user?.is_admin && (
        <Link to={paths.adminReports()} onClick={closeMenu} className={MENU_ITEM_CLASS}>
          <Flag aria-hidden className="size-4 text-ink-faint" />
          Reported reviews
        </Link>
      )}
      <button type="button" onClick={signOut} className={MENU_ITEM_CLASS}>
        <LogOut aria-hidden className="size-4 text-ink-faint" />
        Sign out
      </button>
    </>
  );
}

/** 'Dr.' and the name, with a placeholder until the account is loaded. */
export function AccountName() {
  const { user } = useSession();
  if (user) return <span className="truncate">{doctorName(user)}</span>;
  return (
    <span className="flex items-center gap-1.5">
      Dr. <Skeleton className="h-3 w-20" />
    </span>
  );
}
