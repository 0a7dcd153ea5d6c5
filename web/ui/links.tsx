import type { ReactNode } from 'react';

const SUPPORT_EMAIL = 'support@curbside.example';

/** The email address of the people who run the site. */
export function SupportLink() {
  return (
    <a href={`mailto:${SUPPORT_EMAIL}`} className="prose-link wrap-anywhere">
      {SUPPORT_EMAIL}
    </a>
  );
}

/** For links out of a form, so that nothing typed is lost. */
export function NewTabLink({ to, children }: { to: string; children: ReactNode }) {
  return (
    <a href={to} target="_blank" rel="noopener" className="prose-link">
      {children}
      <span className="sr-only"> (opens in a new tab)</span>
    </a>
  );
}
