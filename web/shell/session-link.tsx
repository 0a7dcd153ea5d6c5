import type { ReactNode } from 'react';
import { Link, type LinkProps } from 'react-router';
import { asRedirect, paths } from '#web/lib/paths.ts';
import { cx } from '#web/ui/cx.ts';

interface MemberLinkProps extends Omit<LinkProps, 'to'> {
  /** A page behind the login. */
  to: string;
  className?: string;
  children: ReactNode;
}

/**
 * To a page behind the login; signed out, to the login first. Both are in the page, as it is the
 * same for everyone, and the style sheet shows one (web/shell/session-flag.ts).
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
