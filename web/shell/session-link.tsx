import type { ReactNode } from 'react';
import { Link, type LinkProps } from 'react-router';
import { asRedirect, paths } from '#web/lib/paths.ts';
import { cx } from '#web/ui/cx.ts';

interface MemberLinkProps extends Omit<LinkProps, 'to'> {
  /** A page that requires a login. */
  to: string;
  className?: string;
  children: ReactNode;
}

/**
 * Links to a page that requires a login; signed out, to the login first. Pages are the same for
 * everyone, so both links are in the page, and the style sheet shows one
 * (web/shell/session-flag.ts).
 */
export function MemberLink({ to, className, children, ...rest }: MemberLinkProps) {
  return (
    <>
      <Link {...rest} to={to} className={cx(className, 'signed-out:hidden')}>
        {children}
      </Link>
      <Link
        {...rest}
        to={paths.login({ redirect: asRedirect(to) })}
        className={cx(className, 'signed-in:hidden')}
      >
        {children}
      </Link>
    </>
  );
}
