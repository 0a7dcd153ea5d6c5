/** Opens the menus in browsers without popovers (styles/base.css). Loaded only there. */

const OPEN = 'data-open';

const menuOf = (button: Element | null) =>
  document.getElementById(button?.getAttribute('popovertarget') ?? '');

function closeAll(except: Element | null): void {
  for (const menu of document.querySelectorAll(`[popover][${OPEN}]`)) {
    if (menu !== except) menu.removeAttribute(OPEN);
  }
}

document.addEventListener('click', ({ target }) => {
  if (!(target instanceof Element)) return;
  const menu = menuOf(target.closest('[popovertarget]'));
  closeAll(menu ?? (target.closest('a, button') ? null : target.closest('[popover]')));
  menu?.toggleAttribute(OPEN);
});

document.addEventListener('keydown', ({ key }) => {
  if (key === 'Escape') closeAll(null);
});
