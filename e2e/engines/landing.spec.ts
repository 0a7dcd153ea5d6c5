import { paths } from '#web/lib/paths.ts';
import { PHONE } from '../account.ts';
import { button, field, option } from './find.ts';
import { test } from './fixtures.ts';

const CAROUSEL = { role: 'region', name: 'Sample reviews' };
const ROW = { role: 'list', inside: CAROUSEL };
const SEARCH = field('Find an employer, a specialty, or a position');

test.describe('without an event for the end of a scroll', () => {
  test.use({
    script: `for (const owner of [window, Document.prototype, HTMLElement.prototype])
      delete owner.onscrollend;
    addEventListener('scrollend', (event) => event.stopImmediatePropagation(), true);`,
  });

  test('the carousel follows the arrow keys, and then its buttons', async ({ tab }) => {
    await tab.open(paths.home(), PHONE);
    await tab.with(ROW, ([row]) => row?.focus());
    await tab.sees({ text: '1 of 4', inside: CAROUSEL });
    await tab.press('ArrowRight');
    await tab.sees({ text: '2 of 4', inside: CAROUSEL });
    await tab.press('ArrowRight');
    await tab.sees({ text: '3 of 4', inside: CAROUSEL });
    await tab.click(button('Next review', CAROUSEL));
    await tab.sees({ text: '4 of 4', inside: CAROUSEL });
  });
});

test('the search box stays one focused element, so a phone keeps its keyboard', async ({ tab }) => {
  await tab.open(paths.home(), PHONE);
  await tab.with(SEARCH, ([box]) => {
    Object.assign(window, { box, blurs: 0 });
    box?.addEventListener('blur', () => Reflect.set(window, 'blurs', 1));
  });
  await tab.fill(SEARCH, 'larkmoor');
  await tab.sees(option(/^Larkmoor Children/));
  await tab.until('the box has become the combobox', () => {
    const { activeElement: focused } = document;
    const isSame = focused === Reflect.get(window, 'box') && Reflect.get(window, 'blurs') === 0;
    return isSame && focused?.role === 'combobox';
  });
  await tab.press('ArrowDown');
  await tab.sees({ role: 'option', selected: true });
});
