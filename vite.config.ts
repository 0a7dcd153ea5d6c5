import path from 'node:path';
import { reactRouter } from '@react-router/dev/vite';
import tailwindcss from '@tailwindcss/vite';
import { defineConfig, type Plugin } from 'vite';
import type { Endpoints, Target } from './contract/endpoint.ts';

/**
 * Files of scripts, by the modules in them. A group is what most of its pages need at once: many small
 * files compress worse, and each needs its own request, with 1 kB of headers. A group also takes along
 * what its modules import, unless another group has it.
 */
const GROUPS: Readonly<Record<string, readonly RegExp[]>> = {
  framework: [/node_modules\/(?:react|react-dom|react-router|scheduler)\//],
  // Of every page.
  shell: [
    /\/web\/(?:root|entry\.client|routes\/page)\.tsx$/,
    /\/web\/shell\//,
    /\/web\/lib\/(?:page-meta|session|storage-room|use-hydrated)\./,
    /vite\/preload-helper\.js$/,
    /\/web\/ui\/(?:button|control|cx|lucide-icon|skeleton|spinner|stars)\./,
    // Used by the landing page and by paged lists. Otherwise one would load all of the other.
    /\/lucide-react\/dist\/esm\/icons\/chevron-(?:left|right)\./,
  ],
  // Of every page but the landing page.
  lib: [
    /\/web\/lib\/(?!my-specialty)/,
    /\/web\/ui\/(?!combobox|empty-state|pagination|rating-histogram|select|star-picker|text-page)/,
    /\/lucide-react\/dist\/esm\/icons\/(?:arrow-left|bookmark|check)\./,
    /\/contract\/(?:errors|names|endpoints\/(?:employers|replies))\.ts$/,
    /\/reply-writes\.ts$/,
  ],
  // Of the directory, the reviews, an employer, and the comparison.
  lists: [
    /\/web\/features\/reviews\/(?:review-card|feedback\/(?!report))/,
    /\/correction-writes\.ts$/,
    /\/contract\/(?:concerns|[\w-]+-choices|saved-\w+)\.ts$/,
    /\/contract\/endpoints\/(?!account|employers|replies|moderation|office|representatives|staff|transparency|verification)/,
    /\/web\/listing\/(?!search-combobox|suggested|specialty-words)/,
    /\/web\/ui\/(?:combobox|empty-state|pagination|select)\./,
    /\/web\/features\/saved\/(?:save-toggle|saved|saved-store|browser-list)\./,
    /\/web\/features\/employers\/compare\/(?:compare-tray|shortlist)\./,
    /\/web\/lib\/my-specialty/,
  ],
  // Of the forms of signed-out visitors. What checks them is loaded later (web/lib/lazy-checks.ts).
  forms: [
    /\/web\/features\/accounts\/(?:account-screen|account-writes|verification\/account-status)\./,
    /\/contract\/endpoints\/(?:account|representatives|verification)\./,
    /node_modules\/react-hook-form\//,
    /\/web\/features\/accounts\/(?:account-form|failures|password-fields|signup-code-form)\./,
    /\/contract\/(?:password-rules|account-messages)\./,
  ],
};

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
            codeSplitting: {
              groups: Object.entries(GROUPS).map(([name, modules], index) => ({
                name,
                test: (id: string) => modules.some((pattern) => pattern.test(id)),
                // The first group that a module matches has it.
                priority: Object.keys(GROUPS).length - index,
              })),
            },
          },
        },
      },
    },
  },
}));
