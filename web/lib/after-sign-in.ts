import { type AfterSignIn, asRedirect, paths } from './paths.ts';

/** Resolves a path without a host: whatever has one then shows. */
const NOWHERE = 'https://nowhere.invalid';

/** What the address of a sign-in screen carries along. */
export const readAfterSignIn = (search: URLSearchParams): AfterSignIn => ({
  redirect: search.get('redirect'),
  employer: search.get('employer'),
});

/**
 * Where to go once signed in (docs/product/accounts.md, "Logging in"). Only ever a path of this
 * site: what would lead elsewhere leads to the dashboard.
 */
export function pathAfterSignIn({ redirect, employer }: AfterSignIn): string {
  const target = localPath(asRedirect(redirect ?? ''));
  if (target === null || target === paths.home()) return paths.dashboard();
  return target === paths.createReview() && employer ? paths.createReview({ employer }) : target;
}

/** Null for what a browser would take for another site's address, such as `\example.com`. */
function localPath(redirect: string): string | null {
  const url = URL.parse(`/${redirect}`, NOWHERE);
  if (url?.origin !== NOWHERE) return null;
  return url.pathname.replace(/^\/+/, '/') + url.search + url.hash;
}
