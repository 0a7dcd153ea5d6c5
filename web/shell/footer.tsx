import type { ReactNode } from 'react';
import { FOOTER_YEAR } from '#contract/limits.ts';
import { Link } from '#web/lib/link.tsx';
import { paths } from '#web/lib/paths.ts';
import { Wordmark } from './header.tsx';
import { MemberLink } from './member-link.tsx';

const LINK =
  'inline-block py-1.5 text-sm text-ink-soft underline-offset-4 hover:text-ink hover:underline';

const SUPPORT = [
  ['How it works', paths.howItWorks()],
  ['Guidelines', paths.guidelines()],
  ['Transparency', paths.transparency()],
  ['Terms of Use', paths.terms()],
  ['Privacy Policy', paths.privacy()],
] as const;

export function Footer() {
  return (
    <footer id="footer" className="mt-6 md:mt-24">
      <div className="page-width">
        <div className="curb-rule grid grid-cols-[repeat(auto-fit,minmax(min(100%,8rem),1fr))] gap-x-6 gap-y-6 pt-6 pb-6 sm:grid-cols-[1fr_auto_auto] sm:gap-16 sm:pt-10 sm:pb-8">
          <div className="col-span-full max-w-80 sm:col-span-1">
            <Wordmark />
            <p className="mt-4 text-sm text-ink-soft">
              What it is like to work there, from the doctors who did.
            </p>
          </div>
          <LinkGroup title="Platform">
            <Link to={paths.reviews()} className={LINK}>
              Browse reviews
            </Link>
            <Link to={paths.employers()} className={LINK}>
              Employers
            </Link>
            <MemberLink to={paths.createReview()} className={LINK}>
              Write a review
            </MemberLink>
          </LinkGroup>
          <LinkGroup title="Support">
            {SUPPORT.map(([text, to]) => (
              <Link key={text} to={to} className={LINK}>
                {text}
              </Link>
            ))}
            {/* This link has no target yet (docs/product.md, "Layout and navigation"). */}
            <a href="#main" className={LINK}>
              Contact us
            </a>
          </LinkGroup>
        </div>
        <p className="border-t border-rule py-6 text-xs text-ink-faint">
          © {FOOTER_YEAR} Curbside. All rights reserved.
        </p>
      </div>
    </footer>
  );
}

function LinkGroup({ title, children }: { title: string; children: ReactNode }) {
  return (
    <nav aria-label={title} className="flex flex-col items-start">
      <h2 className="label-caps mb-2 text-base text-ink-faint">{title}</h2>
      {children}
    </nav>
  );
}
