import { STOP_NOTING_SCRIPT } from './shell/early-presses.ts';

/** React Router's links to the scripts of a page, and the script that starts it with them. */
const PRELOAD = /<link rel="modulepreload" href="([^"]+)"[^>]*>/g;
const MODULE = /<script( nonce="[^"]*")? type="module" async="">(.*?)<\/script>/s;

/** Static imports would load before any other statement runs. */
const asStatements = (code: string): string =>
  code
    .replaceAll(/import \* as (\w+) from ("[^"]+");/g, 'const $1=await import($2);')
    .replaceAll(/import ("[^"]+");/g, 'await import($1);')
    .replaceAll(/^import\(/gm, 'await import(');

/**
 * Lets the scripts of a rendered page load after its first paint, because the page is readable
 * without them, and on a slow network or phone they would delay it. The browser tells of the paint in
 * two ways: some report no times, and while timers are paused there is no next frame. Pages in the
 * background, which are not painted, load them at once. If the browser cannot read them, `tooOld` says so
 * (web/shell/too-old.tsx).
 *
 * @throws if it does not find React Router's script
 */
export function startAfterPaint(page: string): string {
  const urls = new Set<string>();
  const rest = page.replaceAll(PRELOAD, (_, url: string) => {
    urls.add(url);
    return '';
  });
  const start = (_: string, nonce = '', code = '') =>
    `<script${nonce}>startsScripts=()=>startsScripts.once??=(async()=>{try{` +
    `for(const href of ${JSON.stringify([...urls])})` +
    "document.head.append(Object.assign(document.createElement('link'),{rel:'modulepreload',href}));" +
    `${asStatements(code)}\n${STOP_NOTING_SCRIPT}hydratePage()}catch(e){if(e instanceof SyntaxError)tooOld()}})();` +
    'if(document.hidden)startsScripts();else{' +
    'requestAnimationFrame(()=>setTimeout(startsScripts));' +
    "new PerformanceObserver(startsScripts).observe({type:'paint',buffered:true})}</script>";
  const started = rest.replace(MODULE, start);
  if (!started.includes('startsScripts')) throw new Error('the page has no scripts');
  return started;
}
