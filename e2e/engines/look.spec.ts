import { expect } from '@playwright/test';
import { paths } from '#web/lib/paths.ts';
import { DEMO, PHONE } from '../account.ts';
import { extremes } from '../employers.ts';
import { signIn } from './account.ts';
import { test } from './fixtures.ts';

test('the order of reviews is readable at 320 px without scrolling', async ({ tab, server }) => {
  const { most } = await extremes(server);
  await tab.open(paths.employer(most.id), { width: 320, height: 800 });
  const room = await tab.with({ label: 'Sort by' }, ([order]) => {
    const { options, selectedIndex, clientWidth } = order as HTMLSelectElement;
    const { font, paddingLeft, paddingRight } = getComputedStyle(order as HTMLElement);
    const canvas = document.createElement('canvas').getContext('2d');
    Object.assign(canvas ?? {}, { font });
    const text = canvas?.measureText(options[selectedIndex]?.text ?? '').width ?? Infinity;
    return clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight) - text;
  });
  expect(room).toBeGreaterThanOrEqual(0);
  // Until then, cards below the screen are empty (web/entry.server.tsx).
  await tab.until('laid out', () => !document.querySelector('[data-first-page]'));
  expect(
    await tab.run(() => {
      const { scrollWidth, clientWidth } = document.documentElement;
      return scrollWidth - clientWidth;
    }),
  ).toBe(0);
});

test('a chosen employer with a long name is shown in full on a phone', async ({ tab, server }) => {
  const { most } = await extremes(server);
  await tab.resize(PHONE);
  await signIn(tab, DEMO.doctor);
  await tab.open(paths.createReview({ employer: most.id }));
  const box = { role: 'textbox', name: 'Employer' };
  await tab.sees(box);
  const hidden = await tab.with(
    box,
    ([one]) => (one?.scrollHeight ?? 0) - (one?.clientHeight ?? 0),
  );
  expect(hidden).toBeLessThanOrEqual(1);
});

test('small capitals are those of the font, in their size', async ({ tab }) => {
  await tab.open(paths.home(), PHONE);
  const [shown, inFont] = await tab.with('Anonymous physician reviews', async ([label]) => {
    await document.fonts.ready;
    const range = document.createRange();
    range.selectNodeContents(label as HTMLElement);
    const width = () => range.getBoundingClientRect().width;
    const before = width();
    // Engines never scale what a page asks of the font itself.
    label?.style.setProperty('font-variant-caps', 'normal');
    label?.style.setProperty('font-feature-settings', '"smcp", "c2sc"');
    return [before, width()];
  });
  expect(shown).toBeCloseTo(inFont ?? 0, 1);
});

test('a row of stars shows five', async ({ tab, server }) => {
  const { most } = await extremes(server);
  await tab.open(paths.employer(most.id), PHONE);
  const place = await tab.with({ role: 'img', name: /out of 5 stars/ }, ([stars]) => {
    stars?.scrollIntoView({ block: 'center', behavior: 'instant' });
    const { x, y, width, height } = stars?.getBoundingClientRect() ?? new DOMRect();
    return { x, y, width, height };
  });
  const png = (await tab.screenshot()).toString('base64');
  expect(await tab.run(drawingsIn, png, place)).toBe(5);
});

/** Counts the drawings side by side in a part of a screenshot. */
async function drawingsIn(
  png: string,
  { x, y, width, height }: { x: number; y: number; width: number; height: number },
): Promise<number> {
  const bytes = Uint8Array.from(atob(png), (letter) => letter.charCodeAt(0));
  const canvas = document.createElement('canvas').getContext('2d');
  if (!canvas) throw new Error('no canvas');
  // With what is just outside, because engines round.
  canvas.drawImage(await createImageBitmap(new Blob([bytes])), 2 - Math.floor(x), -Math.floor(y));
  const columns = Array.from({ length: Math.ceil(width) + 4 }, (_, column) =>
    canvas.getImageData(column, 0, 1, Math.ceil(height)).data.join(),
  );
  const isBlank = (column: string | undefined) => column === columns[0];
  return columns.filter((column, at) => !isBlank(column) && isBlank(columns[at - 1])).length;
}

test('the page fills the screen of a phone, with the tab bar at its end', async ({ tab }) => {
  await tab.open(paths.home(), PHONE);
  const content = await tab.run(
    () => document.querySelector<HTMLMetaElement>('meta[name=viewport]')?.content,
  );
  expect(content).toContain('viewport-fit=cover');
  const bottom = await tab.with(
    { role: 'navigation', name: 'Tabs' },
    ([bar]) => bar?.getBoundingClientRect().bottom,
  );
  expect(bottom).toBe(PHONE.height);
});
