import path from 'node:path';
import { reactRouter } from '@react-router/dev/vite';
import tailwindcss from '@tailwindcss/vite';
import { defineConfig, type Plugin } from 'vite';
import type { Endpoints, Target } from './contract/endpoint.ts';

/** Modules that every page loads. */
const SHELL = [
  /\/web\/(?:root|entry\.client|routes\/page)\.tsx$/,
  /\/web\/shell\//,
  /\/web\/lib\/(?:page-meta|session|storage-room|use-hydrated)\./,
  /vite\/preload-helper\.js$/,
  /\/web\/ui\/(?:button|control|cx|lucide-icon|skeleton|spinner|stars)\./,
  // Used by the landing page and by paged lists. Otherwise one would load all of the other.
  /\/lucide-react\/dist\/esm\/icons\/chevron-(?:left|right)\./,
];

/** Much smaller than lucide-react's. Browser and server must use the same one. */
const OWN_LUCIDE_ICON = {
  find: /^\.\.\/createLucideIcon\.mjs$/,
  replacement: path.resolve(import.meta.dirname, 'web/ui/lucide-icon.ts'),
};

/**
 * Pages call endpoints by their method, path, and access. The schemas, which the server validates
 * with, stay out of the browser.
 */
const targetsOnly: Plugin = {
  name: 'endpoint-targets-only',
  async load(id) {
    if (!/\/contract\/endpoints\/[\w-]+\.ts$/.test(id)) return null;
    const tables: Record<string, Endpoints> = await import(id);
    return Object.entries(tables)
      .map(([name, endpoints]) => `export const ${name} = ${JSON.stringify(targets(endpoints))};`)
      .join('\n');
  },
};
const targets = (endpoints: Endpoints): Record<string, Target> =>
  Object.fromEntries(
    Object.entries(endpoints).map(([name, { method, path, access }]) => [
      name,
      { method, path, access },
    ]),
  );

/**
 * Lazy chunks have no style sheets of their own, so Vite's helper, which preloads those, is not worth
 * its 0.8 kB on the landing page.
 */
const plainLazyImports: Plugin = {
  name: 'plain-lazy-imports',
  enforce: 'pre',
  load(id) {
    return id.endsWith('vite/preload-helper.js')
      ? 'export const __vitePreload = (load) => load();'
      : null;
  },
};

export default defineConfig(({ command }) => ({
  plugins: [targetsOnly, plainLazyImports, tailwindcss(), reactRouter()],
  ...(command === 'build' && {
    resolve: { alias: [OWN_LUCIDE_ICON] },
    ssr: { noExternal: ['lucide-react'] },
  }),
  build: {
    // Separate files, so that pages stay small and browsers cache them.
    assetsInlineLimit: 0,
  },
  environments: {
    client: {
      build: {
        rolldownOptions: {
          output: {
            // One character shorter than usual: the route map, which every page loads, has all names.
            entryFileNames: 'assets/[name]-[hash:7].js',
            chunkFileNames: 'assets/[name]-[hash:7].js',
            // Many small files compress worse, and each needs its own request, with 1 kB of headers. A
            // group is what most of its pages need at once.
            codeSplitting: {
              groups: [
                {
                  name: 'framework',
                  test: /node_modules\/(?:react|react-dom|react-router|scheduler)\//,
                  priority: 3,
                },
                {
                  name: 'shell',
                  test: (id: string) => SHELL.some((part) => part.test(id)),
                  priority: 2,
                },
                {
                  name: 'lib',
                  test: /\/web\/lib\/(?!my-specialty)|\/contract\/(?:errors|concerns|[\w-]+-choices|saved-\w+|endpoints\/(?!account|moderation|office|representatives|staff|transparency|verification)\w+)\.ts$|\/web\/ui\/(?!combobox|empty-state|pagination|rating-histogram|select|star-picker|text-page)|\/lucide-react\/dist\/esm\/icons\/(?:arrow-left|bookmark|check)\./,
                },
                {
                  name: 'review-card',
                  test: /\/web\/features\/(?:reviews\/(?:review-card|feedback\/(?!report))|employers\/.*correction-writes)/,
                },
                // Of the directory, the reviews, an employer, and the comparison.
                {
                  name: 'lists',
                  test: /\/web\/(?:listing\/(?!search-combobox|suggested|specialty-words)|ui\/(?:combobox|empty-state|pagination|select)\.|features\/(?:saved\/(?:save-toggle|saved|saved-store|browser-list)|employers\/compare\/(?:compare-tray|shortlist))\.|lib\/my-specialty)/,
                },
                {
                  name: 'accounts',
                  test: /\/web\/features\/accounts\/(?:account-screen|account-writes|verification\/account-status)\.|\/contract\/endpoints\/(?:account|representatives|verification)\./,
                },
                // Of the forms of signed-out visitors. What checks them is loaded later (lib/lazy-checks.ts).
                {
                  name: 'forms',
                  test: /node_modules\/react-hook-form\/|\/web\/features\/accounts\/(?:account-form|failures|password-fields|signup-code-form)\.|\/contract\/(?:password-rules|account-messages)\./,
                },
              ],
            },
          },
        },
      },
    },
  },
}));
