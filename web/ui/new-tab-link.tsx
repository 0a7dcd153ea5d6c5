import type { ReactNode } from 'react';

/** For links out of a form, so that nothing typed is lost. */
export function NewTabLink({ to, children }: { to: string; children: ReactNode }) {
  return (
    <a href={to} target="_blank" rel="noopener" className="prose-link">
      {children}
      <span className="sr-only"> (opens in a new tab)</span>
    </a>
  );
}
