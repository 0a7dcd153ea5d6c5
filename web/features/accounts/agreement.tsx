import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { paths } from '#web/lib/paths.ts';
import { VisuallyHidden } from '#web/ui/visually-hidden.tsx';

/** What one agrees to by `doing` so; the texts open beside the form. */
export function Agreement({ doing }: { doing: string }) {
  return (
    <p className="text-xs text-ink-faint">
      By {doing}, you agree to our <NewTabLink to={paths.terms()}>Terms of Use</NewTabLink> and{' '}
      <NewTabLink to={paths.privacy()}>Privacy Policy</NewTabLink>.
    </p>
  );
}

function NewTabLink({ to, children }: { to: string; children: ReactNode }) {
  return (
    <Link to={to} target="_blank" rel="noopener" className="prose-link">
      {children}
      <VisuallyHidden> (opens in a new tab)</VisuallyHidden>
    </Link>
  );
}
