/**
 * Runs in the head, before the first paint: pages are the same for everyone, so only the browser
 * knows which of the two headers in them to show. A constant, so that its CSP hash is, too.
 */
export const SESSION_FLAG_SCRIPT =
  "try{document.documentElement.dataset.session=localStorage.getItem('access_token')?'in':'out'}" +
  "catch{document.documentElement.dataset.session='out'}";
