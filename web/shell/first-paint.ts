/**
 * Runs in the head, before the first paint. Pages are the same for everyone, so only the browser
 * knows which of their two headers to show (`data-session`), and whether the cards below the screen
 * may wait (`data-first-page`): not if it reloads or returns, since it then scrolls to where the
 * reader was, nor if it lets a text jump that it lays out cards above. A constant, so that its CSP
 * hash is constant, too.
 */
export const FIRST_PAINT_SCRIPT =
  '{const{dataset:d}=document.documentElement;' +
  "try{d.session=localStorage.getItem('access_token')?'in':'out'}catch{d.session='out'}" +
  "CSS.supports('overflow-anchor','auto')&&" +
  "performance.getEntriesByType('navigation')[0]?.type=='navigate'&&(d.firstPage='')}";
