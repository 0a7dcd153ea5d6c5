import path from 'node:path';
import { reactRouter } from '@react-router/dev/vite';
import tailwindcss from '@tailwindcss/vite';
import { defineConfig, type Plugin } from 'vite';
import { OLDEST_BROWSERS } from './contract/browsers.ts';
import type { Endpoints, Target } from './contract/endpoint.ts';
import { GROUPS } from './scripts/script-groups.ts';

/** The syntax that the oldest browsers of the promise can read. */
const TARGET = Object.entries(OLDEST_BROWSERS).map(
  ([name, version]) => name.toLowerCase() + version,
);

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

/** Parts of React Router that the browser does without. Fails if an update moves them. */
const routerParts: Plugin = {
  name: 'router-parts',
  enforce: 'pre',
  applyToEnvironment: ({ name }) => name === 'client',
  load(id) {
    // Routes are never discovered: the map that every page loads has all (react-router.config.ts).
    if (!id.endsWith('/lib/dom/ssr/fog-of-war.js')) return null;
    return `const nothing = () => {};
export const URL_LIMIT = 0;
export {
  nothing as getManifestPath,
  nothing as getPartialManifest,
  nothing as getPatchRoutesOnNavigationFunction,
  nothing as getPathsWithAncestors,
  nothing as handleClientVersionMismatch,
  nothing as isFogOfWarEnabled,
  nothing as useFogOFWarDiscovery,
};`;
  },
  transform(code, id) {
    // The root has its own error screen, which this only replaces if the root itself fails.
    if (id.endsWith('/lib/dom/ssr/errorBoundaries.js')) {
      const screens = /function RemixRootDefaultErrorBoundary[\s\S]*(?=\/\/#endregion)/;
      if (!screens.test(code)) this.error('React Router shows errors in another way.');
      return code.replace(
        screens,
        `const BoundaryShell = () => null;
function RemixRootDefaultErrorBoundary({ error }) {
  console.error(error);
  return React$1.createElement('html', null, React$1.createElement('body', null, 'Unexpected Application Error!'));
}
`,
      );
    }
    if (!id.endsWith('/lib/dom/ssr/routeModules.js')) return null;
    // If a page's script does not load, it would reload the document, which without a network shows
    // the browser's own error page. Now its loader fails, or web/shell/last-page.tsx shows the error.
    // If the site can be reached, the script is of an older version.
    const caught =
      /catch \(error\) \{[\s\S]*?location\.reload\(\);\s*return new Promise\(\(\) => \{\}\);\s*\}/;
    if (!caught.test(code)) this.error('React Router loads the scripts of pages in another way.');
    return code.replace(
      caught,
      `catch {
  const load = async ({ request }) => {
    await fetch(request.url, { method: 'HEAD' });
    location.assign(request.url);
    return new Promise(() => {});
  };
  return { clientLoader: load, clientAction: load, default: () => null, handle: 'not-loaded' };
}`,
    );
  },
};

export default defineConfig(({ command }) => ({
  plugins: [
    targetsOnly,
    plainLazyImports,
    tailwindcss(),
    reactRouter(),
    ...(command === 'build' ? [routerParts] : []),
  ],
  ...(command === 'build' && {
    resolve: { alias: [OWN_LUCIDE_ICON] },
    ssr: { noExternal: ['lucide-react'] },
  }),
  build: {
    target: TARGET,
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
