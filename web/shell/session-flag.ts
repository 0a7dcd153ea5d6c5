/**
 * Runs in the head, before the first paint. Pages are the same for everyone, so only the browser
 * knows which of their two headers to show. A constant, so that its CSP hash is constant, too.
 */
export const SESSION_FLAG_SCRIPT =
  "try{document.documentElement.dataset.session=localStorage.getItem('access_token')?'in':'out'}" +
  "catch{document.documentElement.dataset.session='out'}";
