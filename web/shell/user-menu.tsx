import { ChevronDown } from 'lucide-react';
import { AccountItems, AccountName } from './account-items.tsx';
import { MENU_CLASS } from './menu.ts';

const ID = 'user-menu';

export function UserMenu() {
  return (
    <>
      <button
        type="button"
        popoverTarget={ID}
        className="flex min-h-11 items-center gap-2 rounded-md border border-transparent px-2 text-sm hover:bg-sunken"
      >
        <span className="sr-only">Account menu, </span>
        {/* A fixed width, so that nothing moves when the name arrives. */}
        <span className="flex w-44 justify-end">
          <AccountName />
        </span>
        <ChevronDown aria-hidden className="size-4 text-ink-faint" />
      </button>
      <div id={ID} popover="auto" className={`${MENU_CLASS} w-56`}>
        <AccountItems />
      </div>
    </>
  );
}
