import type { ReactElement } from 'react';
import { action, layout, paragraph, type Site } from './layout.ts';

/** Told after the fact, so that a change by somebody else is noticed. */
export function passwordChanged(_props: Readonly<Record<string, never>>, site: Site): ReactElement {
  const title = 'Your password was changed';
  return layout(site, {
    title,
    body: [
      paragraph(
        'The password of your account was changed, and every device that was signed in has been',
        ' signed out. If it was you, there is nothing to do.',
      ),
      paragraph('If it was not you, choose a new password now:'),
      action('Reset your password', `${site.publicUrl}/forgot-password`),
    ],
  });
}
