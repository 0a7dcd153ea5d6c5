import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from './docs/markdown.ts';
import { drawIcon, ICONS } from './icons.ts';

const read = (file: string) => readFileSync(path.join(ROOT, file));

test.each(Object.entries(ICONS))('%s matches the icon source', async (file, icon) => {
  const stored = read(`public/${file}`);
  expect([stored.readUInt32BE(16), stored.readUInt32BE(20)]).toEqual([icon.width, icon.width]);
  expect(stored.equals(await drawIcon(icon)), 'run npm run icons').toBe(true);
  expect(stored.length).toBeLessThan(12_000);
});

test("the manifest names existing icons and the site's colors", () => {
  const manifest = JSON.parse(read('public/manifest.webmanifest').toString());
  expect(manifest).toMatchObject({ short_name: 'Curbside', start_url: '/', lang: 'en-US' });
  for (const { src, sizes } of manifest.icons) {
    const width = ICONS[path.basename(src)]?.width;
    expect(sizes, src).toBe(width ? `${width}x${width}` : 'any');
    expect(read(`public${src}`).length).toBeGreaterThan(0);
  }
  const root = read('web/root.tsx').toString();
  const [, light] = /light\)" content="(#\w+)"/.exec(root) ?? [];
  expect([manifest.theme_color, manifest.background_color]).toEqual([light, light]);
});
