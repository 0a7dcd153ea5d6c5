import { parseUrl } from '#contract/api-path.ts';
import { type AfterSignIn, asRedirect, paths } from './paths.ts';

/** The base for resolving paths. Any other origin in the result means an absolute URL. */
const NOWHERE = 'https://nowhere.invalid';

export const readAfterSignIn = (search: URLSearchParams): AfterSignIn => ({
  redirect: search.get('redirect'),
  employer: search.get('employer'),
});

/**
 * Where to go after login (docs/product/accounts.md, "Logging in"). Always a path of this site.
 * Anything else is replaced with the dashboard.
 */
export function pathAfterSignIn({ redirect, employer }: AfterSignIn): string {
  const target = localPath(asRedirect(redirect ?? ''));
  if (target === null || target === paths.home()) return paths.dashboard();
  return target === paths.createReview() && employer ? paths.createReview({ employer }) : target;
}

/** Null if a browser would go to another site, as for `\example.com`. */
function localPath(redirect: string): string | null {
  const url = parseUrl(`/${redirect}`, NOWHERE);
  if (url?.origin !== NOWHERE) return null;
  return url.pathname.replace(/^\/+/, '/') + url.search + url.hash;
}
