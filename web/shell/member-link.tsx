import type { ReactNode } from 'react';
import type { LinkProps } from 'react-router';
import { Link } from '#web/lib/link.tsx';
import { asRedirect, paths } from '#web/lib/paths.ts';
import { buttonClass } from '#web/ui/button.tsx';
import { cx } from '#web/ui/cx.ts';

interface MemberLinkProps extends Omit<LinkProps, 'to'> {
  /** A page that requires a login. */
  to: string;
  className?: string;
  children: ReactNode;
}

/**
 * Links to a page that requires a login, or to the login first. Pages are the same for everyone, so
 * both links are in the page, and CSS shows one of them (web/styles/app.css).
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

/**
 * Links to the review form with the name that was searched for, because an employer is added with
 * its first review.
 */
export function AddEmployer({ name }: { name: string | undefined }) {
  if (!name) return null;
  return (
    <MemberLink
      to={paths.createReview({ employer_name: name })}
      className={buttonClass('secondary')}
    >
      Add this employer
    </MemberLink>
  );
}
