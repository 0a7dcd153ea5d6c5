const PRELOAD = /<link rel="modulepreload" href="([^"]+)"[^>]*>/g;
const MODULE_TAG = ' type="module" async="">';
const IMPORT = /^import (?:\* as (\w+) from )?"([^"]+)";$/gm;

/**
 * Lets the browser request a page's scripts after the first paint. The page can be read without
 * them, so the network and the processor are left to its text, styles, and fonts.
 *
 * React Router links the modules in the head, and imports the routes and then the entry in a module
 * script. Here that script does both, later. @throws if the page has no such script
 */
export function scriptsAfterPaint(html: string): string {
  const headEnd = html.indexOf('</head>');
  const start = html.indexOf(MODULE_TAG, headEnd) + MODULE_TAG.length;
  const end = html.indexOf('</script>', start);
  if (start < MODULE_TAG.length || end < 0) throw new Error('the page has no module script');
  const preloads = new Set<string>();
  const head = html.slice(0, headEnd).replace(PRELOAD, (_link, href: string) => {
    preloads.add(href);
    return '';
  });
  const code = html.slice(start, end);
  const imports = [...code.matchAll(IMPORT)].map(([, name = '', href]) => ({ name, href }));
  const rest = code.replace(IMPORT, '').trim();
  return (
    head + html.slice(headEnd, start) + starter([...preloads], imports, rest) + html.slice(end)
  );
}

/** A tab in the background does not paint, and a browser may not report when it does. */
const starter = (
  preloads: readonly string[],
  imports: readonly { name: string; href: string | undefined }[],
  rest: string,
) => `const start = async () => {
for (const href of ${JSON.stringify(preloads)}) {
const link = document.createElement('link');
document.head.append(Object.assign(link, { rel: 'modulepreload', href }));
}
const [${imports.map(({ name }) => name).join()}] = await Promise.all(
${JSON.stringify(imports.map(({ href }) => href))}.map((href) => import(href)));
${rest}
};
if (document.hidden || !PerformanceObserver.supportedEntryTypes.includes('paint')) start();
else new PerformanceObserver((_, paints) => {
paints.disconnect();
start();
}).observe({ type: 'paint', buffered: true });`;
