interface TrustedTypes {
  createPolicy(name: 'default', rules: { createHTML(html: string): string | null }): unknown;
}

/**
 * What React writes when it renders a page anew: new script elements, and a blank in those that have
 * run already.
 */
const WRITTEN_BY_REACT = ['<script></script>', ' '];

/**
 * The pages' policy refuses to write HTML (Trusted Types). React needs an exception to render a page
 * anew, which it does if an extension has changed the page before the scripts arrived.
 */
export function trustReact(browser: { readonly trustedTypes?: TrustedTypes }): void {
  browser.trustedTypes?.createPolicy('default', {
    createHTML: (html) => (WRITTEN_BY_REACT.includes(html) ? html : null),
  });
}
