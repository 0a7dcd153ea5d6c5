import type { MouseEvent } from 'react';

/** Closes a menu after a choice. The browser closes popovers on Escape and outside clicks. */
export function closeMenu(event: MouseEvent<HTMLElement>): void {
  event.currentTarget.closest<HTMLElement>('[popover]')?.hidePopover();
}

/** Below the right end of the header, in page coordinates, so it needs no anchor positioning. */
export const MENU_CLASS =
  'absolute inset-auto top-[calc(var(--masthead-height)-0.25rem)] ' +
  'right-[max(var(--gutter),calc((100vw-var(--container-page))/2))] m-0 rounded-md border border-rule ' +
  'bg-raised p-1.5 text-ink shadow-raised';

export const MENU_ITEM_CLASS =
  'flex min-h-11 w-full items-center gap-3 rounded-sm px-3 text-left text-sm no-underline ' +
  'hover:bg-sunken aria-[current=page]:font-semibold';
