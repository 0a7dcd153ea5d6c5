import type { ReactElement } from 'react';
import { action, layout, note, paragraph, type Site } from './layout.ts';

/** Tells someone who asked for a new code that there is no sign-up left to use it for. */
export function signupOver(_: Readonly<Record<string, never>>, site: Site): ReactElement {
  const title = 'Please sign up again';
  return layout(site, {
    title,
    body: [
      paragraph(
        'Someone, perhaps you, asked for a new sign-up code for this e-mail address. There is no sign-up waiting for one. It may have expired.',
      ),
      paragraph('If it was you, start again:'),
      action('Sign up', `${site.publicUrl}/signup`),
      note('If it was not you, there is nothing to do.'),
    ],
  });
}
