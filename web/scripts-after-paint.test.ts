import { expect, test } from 'vitest';
import { scriptsAfterPaint } from './scripts-after-paint.ts';

const page = `<html><head><link rel="modulepreload" href="/assets/a.js" nonce="n"/>
<link rel="modulepreload" href="/assets/entry.js" nonce="n"/><link rel="stylesheet" href="/s.css"/>
<link rel="modulepreload" href="/assets/entry.js" nonce="n"/></head><body>
<script nonce="n">window.first = '$&';</script>
<script nonce="n" type="module" async="">import "/assets/manifest.js";
import * as route0 from "/assets/root.js";
import * as route1 from "/assets/page.js";
  window.routes = {"root":route0,"page":route1};

import("/assets/entry.js");</script></body></html>`;

test('the head requests no module, and the module script all of them, once', () => {
  const changed = scriptsAfterPaint(page);
  expect(changed).not.toContain('<link rel="modulepreload"');
  expect(changed).toContain('<link rel="stylesheet" href="/s.css"/>');
  expect(changed).toContain('["/assets/a.js","/assets/entry.js"]');
});

test('the entry starts once the routes are loaded', async () => {
  const [, code = ''] =
    /type="module" async="">([\s\S]*?)<\/script>/.exec(scriptsAfterPaint(page)) ?? [];
  const steps: unknown[] = [];
  const load = async (href: string) => {
    steps.push(href);
    return `module ${href}`;
  };
  const window: { routes?: object } = {};
  const links: string[] = [];
  const document = {
    hidden: true,
    createElement: () => ({}),
    head: { append: ({ href }: { href: string }) => links.push(href) },
  };
  const run = new Function('load', 'window', 'document', code.replaceAll('import(', 'load('));
  run(load, window, document);
  await expect.poll(() => steps.at(-1)).toBe('/assets/entry.js');
  expect(steps).toEqual([
    '/assets/manifest.js',
    '/assets/root.js',
    '/assets/page.js',
    '/assets/entry.js',
  ]);
  expect(window.routes).toEqual({ root: 'module /assets/root.js', page: 'module /assets/page.js' });
  expect(links).toEqual(['/assets/a.js', '/assets/entry.js']);
});

test('a page without a module script is an error', () => {
  expect(() => scriptsAfterPaint('<html></html>')).toThrow('no module script');
});
