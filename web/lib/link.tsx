import type { ComponentType } from 'react';
import { type LinkProps, Link as RouterLink, useLocation } from 'react-router';

type PathLinkProps = LinkProps & { to: string };

/**
 * Links to a page of the site by its absolute path. Only the browser needs the router's link. On
 * the server, it would resolve each of the hundred or so paths of a page three times.
 */
export const Link: ComponentType<PathLinkProps> = import.meta.env.SSR ? ServerLink : BrowserLink;

/** Not marked for route discovery, because the browser has the whole route map. */
function BrowserLink(props: PathLinkProps) {
  return <RouterLink discover="none" {...props} />;
}

/** Renders the same element. */
function ServerLink({ to, state: _, replace: __, reloadDocument: ___, ...rest }: PathLinkProps) {
  return <a {...rest} href={to} />;
}

/** A link that is marked as current on its page and, unless `end`, on those below it. */
export function NavLink({ to, end = false, ...rest }: PathLinkProps & { end?: boolean }) {
  const { pathname } = useLocation();
  const isCurrent = end ? pathname === to : `${pathname}/`.startsWith(`${to}/`);
  return <Link {...rest} to={to} aria-current={isCurrent ? 'page' : undefined} />;
}
