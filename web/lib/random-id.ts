/**
 * 120 random bits as text. Its length is always the same, so it does not change that of a request.
 * `crypto.randomUUID` exists only on https and localhost.
 */
export const randomId = () =>
  btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(15)))).replace(/\W/g, '-');
