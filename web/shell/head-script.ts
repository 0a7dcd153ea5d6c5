import { NOTE_PRESSES_SCRIPT } from './early-presses.ts';

/**
 * Runs in the head, before the first paint. Pages are the same for everyone, so only the browser
 * knows which of the two headers to show (`data-session`), and whether the layout of cards below
 * the screen can wait (`data-first-page`). It cannot wait after a reload or a return, because the
 * browser then scrolls to where the reader was. Nor can it wait in a browser without scroll
 * anchoring, where text would jump when cards above it change. The script is a constant, so that
 * its CSP hash is constant, too.
 */
const FIRST_PAINT_SCRIPT =
  '{const{dataset:d}=document.documentElement;' +
  "try{d.session=localStorage.getItem('access_token')?'in':'out'}catch{d.session='out'}" +
  "CSS.supports('overflow-anchor','auto')&&" +
  "performance.getEntriesByType('navigation')[0]?.type=='navigate'&&(d.firstPage='')}";

/** The inline script in the head of every page. It runs only when the server's page is read. */
export const HEAD_SCRIPT = import.meta.env.SSR ? NOTE_PRESSES_SCRIPT + FIRST_PAINT_SCRIPT : ' ';
