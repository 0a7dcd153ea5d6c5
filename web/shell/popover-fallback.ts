/** Opens the menus in browsers without popovers (styles/base.css). Loaded only there. */

const OPEN = 'data-open';

const buttonOf = (menu: Element) =>
  document.querySelector<HTMLElement>(`[popovertarget="${menu.id}"]`);
const menuOf = (button: Element | null) =>
  document.getElementById(button?.getAttribute('popovertarget') ?? '');

/** Shows one menu, or none. */
function show(shown: Element | null): void {
  for (const menu of document.querySelectorAll('[popover]')) {
    menu.toggleAttribute(OPEN, menu === shown);
    buttonOf(menu)?.setAttribute('aria-expanded', String(menu === shown));
  }
}

show(null);

document.addEventListener('click', ({ target }) => {
  if (!(target instanceof Element)) return;
  const menu = menuOf(target.closest('[popovertarget]'));
  if (menu) show(menu.hasAttribute(OPEN) ? null : menu);
  // A press inside a menu, but not on one of its items, leaves it open.
  else if (target.closest('a, button') || !target.closest('[popover]')) show(null);
});

document.addEventListener('keydown', ({ key }) => {
  if (key !== 'Escape') return;
  const focused = document.activeElement?.closest(`[${OPEN}]`);
  if (focused) buttonOf(focused)?.focus();
  show(null);
});
