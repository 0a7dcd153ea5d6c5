import type { MouseEvent } from 'react';

/** Menus are popovers: the platform closes them on an outside click or Escape, this on a choice. */
export function closeMenu(event: MouseEvent<HTMLElement>): void {
  event.currentTarget.closest<HTMLElement>('[popover]')?.hidePopover();
}

/** Below the header's right end, in the page's own coordinates: no anchor positioning needed. */
export const MENU_CLASS =
  'absolute inset-auto top-[calc(var(--masthead-height)-0.25rem)] ' +
  'right-[max(var(--gutter),calc((100vw-var(--container-page))/2))] m-0 rounded-md border border-rule ' +
  'bg-raised p-1.5 text-ink shadow-raised';

export const MENU_ITEM_CLASS =
  'flex min-h-11 w-full items-center gap-3 rounded-sm px-3 text-left text-sm no-underline ' +
  'hover:bg-sunken aria-[current=page]:font-semibold';
