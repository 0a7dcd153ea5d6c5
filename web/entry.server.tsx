import { text } from 'node:stream/consumers';
import { use } from 'react';
import { renderToString } from 'react-dom/server';
import {
  createContext,
  type EntryContext,
  RouterContextProvider,
  ServerRouter,
} from 'react-router';
import { OLDEST_BROWSERS } from '#contract/browsers.ts';
import { OLD_BROWSER_MS } from '#contract/limits.ts';
import type { VerificationMode } from '#contract/verification/verification.ts';
import { PageHead } from './features/site/discovery/page-head.tsx';
import {
  apiContext,
  type FetchApi,
  loadNonce,
  loadVerificationMode,
  NonceContext,
  PageHeadContext,
  VerificationModeContext,
} from './lib/render-context.ts';
import { STOP_NOTING_SCRIPT } from './shell/early-presses.ts';

/** Characters that mean something in HTML, or end a line in old JavaScript. */
const SPECIAL = /[&<>\u2028\u2029]/g;

const escaped = (character: string) =>
  `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

/**
 * The script at the end of a page that hands its loader data to React Router.
 *
 * React Router has a component for this, but it suspends, so it needs React's streaming renderer,
 * which is slower.
 */
export async function handoffScript(
  loaderData: NonNullable<EntryContext['serverHandoffStream']>,
  nonce: string,
): Promise<string> {
  const json = JSON.stringify(await text(loaderData)).replace(SPECIAL, escaped);
  const controller = 'window.__reactRouterContext.streamController';
  return `<script nonce="${nonce}">${controller}.enqueue(${json});${controller}.close();</script>`;
}

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
 * without them, and on a slow network or phone they would delay it. The cards below the screen
 * (`listed-card` in styles/lists.css) are laid out then, too. The browser tells of the paint in
 * two ways: some report no times, and while timers are paused there is no next frame. Pages in the
 * background, which are not painted, load them at once. If the browser cannot read them, `tooOld` says
 * so.
 *
 * @throws if it does not find React Router's script
 */
function startAfterPaint(page: string): string {
  const urls = new Set<string>();
  const rest = page.replaceAll(PRELOAD, (_, url: string) => {
    urls.add(url);
    return '';
  });
  const start = (_: string, nonce = '', code = '') =>
    `<script${nonce}>startsScripts=()=>startsScripts.once??=(async()=>{try{` +
    `for(const href of ${JSON.stringify([...urls])})` +
    "document.head.append(Object.assign(document.createElement('link'),{rel:'modulepreload',href}));" +
    'delete document.documentElement.dataset.firstPage;' +
    `${asStatements(code)}\n${STOP_NOTING_SCRIPT}hydratePage()}catch(e){if(e instanceof SyntaxError)tooOld()}})();` +
    'if(document.hidden)startsScripts();else{' +
    'requestAnimationFrame(()=>setTimeout(startsScripts));' +
    "new PerformanceObserver(startsScripts).observe({type:'paint',buffered:true})}</script>";
  const started = rest.replace(MODULE, start);
  if (!started.includes('startsScripts')) throw new Error('the page has no scripts');
  return started;
}

const BROWSERS = Object.entries(OLDEST_BROWSERS).map((browser) => browser.join(' '));
const TOO_OLD = `This browser is too old to sign in. ${BROWSERS.join(', ')}, and newer can.`;
const TOO_OLD_CLASS = 'bg-sunken px-(--gutter) py-4 text-center text-sm print:hidden';

/**
 * `startAfterPaint` calls `tooOld` if the browser cannot read the page's scripts. A browser that cannot
 * read even that script is told after loading. In the syntax of 2009, so that it can read this.
 */
const TOO_OLD_SCRIPT =
  'function tooOld(){' +
  "var b=document.getElementById('main'),p=document.createElement('p');" +
  `p.className='${TOO_OLD_CLASS}';p.textContent='${TOO_OLD}';b.insertBefore(p,b.firstChild)}` +
  "addEventListener('load',function(){setTimeout(function(){" +
  `window.startsScripts||tooOld()},${OLD_BROWSER_MS})})`;

/** Says why nobody can sign in, in browsers that are too old. Only the server renders it. */
const TooOldScript = () => (
  <script
    nonce={use(NonceContext)}
    // biome-ignore lint/security/noDangerouslySetInnerHtml: our own constant
    dangerouslySetInnerHTML={{ __html: TOO_OLD_SCRIPT }}
  />
);

type TakeHtml = (html: string) => void;
const htmlContext = createContext<TakeHtml>();

interface Provided {
  fetchApi: FetchApi;
  nonce: string;
  verification: VerificationMode;
  takeHtml: TakeHtml;
}

/** The load context of a request. */
export function provide({
  fetchApi,
  nonce,
  verification,
  takeHtml,
}: Provided): RouterContextProvider {
  const context = new RouterContextProvider();
  context.set(apiContext, fetchApi);
  context.set(loadNonce, nonce);
  context.set(loadVerificationMode, verification);
  context.set(htmlContext, takeHtml);
  return context;
}

/**
 * Renders the whole page before sending it: its inline scripts are hashed for the content security
 * policy, and its bytes are cached.
 */
export default async function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  entryContext: EntryContext,
  loadContext: RouterContextProvider,
): Promise<Response> {
  headers.set('Content-Type', 'text/html; charset=utf-8');
  if (isPersonal(entryContext)) headers.set('Cache-Control', 'no-store');
  if (request.method === 'HEAD') return new Response(null, { status, headers });
  const nonce = loadContext.get(loadNonce);
  const { serverHandoffStream: loaderData, ...context } = entryContext;
  const page = (
    <NonceContext value={nonce}>
      <VerificationModeContext value={loadContext.get(loadVerificationMode)}>
        <PageHeadContext
          value={
            <>
              <TooOldScript />
              {/* The first paint waits for the footer: while parts are missing, others would move. */}
              <link rel="expect" href="#footer" blocking="render" />
              <PageHead rendered={entryContext.staticHandlerContext} url={request.url} />
            </>
          }
        >
          <ServerRouter context={context} url={request.url} nonce={nonce} />
        </PageHeadContext>
      </VerificationModeContext>
    </NonceContext>
  );
  const script = loaderData ? await handoffScript(loaderData, nonce) : '';
  loadContext.get(htmlContext)(render(page, script));
  return new Response(null, { status, headers });
}

/**
 * Whether only the browser can load the page's data, because that needs the session or a link from
 * an email. The server then renders the page without its data. The URL may contain the link's
 * token.
 */
function isPersonal({ manifest, staticHandlerContext }: EntryContext): boolean {
  return staticHandlerContext.matches.some(({ route }) => {
    const known = manifest.routes[route.id];
    return known?.hasClientLoader && !known.hasLoader;
  });
}

const DOCTYPE = '<!DOCTYPE html>';
const END = '</body></html>';
/** React's marker for a part that it left for the browser to render. */
const NOT_RENDERED = '<!--$!-->';

/**
 * Renders a page to one string instead of a stream. So nothing in it may suspend: all loaders have
 * finished.
 *
 * @throws if a part of it fails or suspends
 */
function render(element: React.ReactNode, lastScript: string): string {
  const rendered = renderToString(element);
  if (rendered.includes(NOT_RENDERED)) throw new Error('a part of the page was not rendered');
  if (!rendered.endsWith(END)) throw new Error('the page is incomplete');
  const page = rendered.slice(0, -END.length);
  return DOCTYPE + startAfterPaint(page) + lastScript + END;
}
