import { use } from 'react';
import { OLDEST_BROWSERS } from '#contract/browsers.ts';
import { OLD_BROWSER_MS } from '#contract/limits.ts';
import { NonceContext } from '#web/lib/render-context.ts';

const BROWSERS = Object.entries(OLDEST_BROWSERS).map((browser) => browser.join(' '));
const TEXT = `This browser is too old to sign in. ${BROWSERS.join(', ')}, and newer can.`;
const CLASS = 'bg-sunken px-(--gutter) py-4 text-center text-sm print:hidden';

/**
 * The start script (web/start-script.ts) calls `tooOld` if the browser cannot read the page's scripts.
 * A browser that cannot read even that script is told after loading. In the syntax of 2009, so that it
 * can read this.
 */
const SCRIPT =
  'function tooOld(){' +
  "var b=document.getElementById('main'),p=document.createElement('p');" +
  `p.className='${CLASS}';p.textContent='${TEXT}';b.insertBefore(p,b.firstChild)}` +
  "addEventListener('load',function(){setTimeout(function(){" +
  `window.startsScripts||tooOld()},${OLD_BROWSER_MS})})`;

/** Says why nobody can sign in, in browsers that are too old. Only the server renders it. */
export const TooOldScript = () => (
  <script
    nonce={use(NonceContext)}
    // biome-ignore lint/security/noDangerouslySetInnerHtml: our own constant
    dangerouslySetInnerHTML={{ __html: SCRIPT }}
  />
);
