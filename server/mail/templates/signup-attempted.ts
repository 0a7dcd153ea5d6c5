import type { ReactElement } from 'react';
import { action, layout, note, paragraph, type Site, textLink } from './layout.ts';

const HAPPENED = {
  email:
    'Someone, perhaps you, tried to sign up for Curbside with this e-mail address. It has an account already, so nothing was created and nothing has changed.',
  'former-email':
    'Someone, perhaps you, tried to use this e-mail address for Curbside. Your account had it until a few days ago, so nothing was created and nothing has changed. If you did not change the address of your account, open the link in the mail that we sent you about the change.',
} as const;

/** Tells the owner of an account what the sign-up form tells nobody: that there is one. */
export function signupAttempted(
  { what }: { readonly what: keyof typeof HAPPENED },
  site: Site,
): ReactElement {
  const title = 'You already have an account';
  return layout(site, {
    title,
    body: [
      paragraph(HAPPENED[what]),
      paragraph('If it was you, log in:'),
      action('Log in', `${site.publicUrl}/login`),
      paragraph(
        'Password forgotten? ',
        textLink('Choose a new one', `${site.publicUrl}/forgot-password`),
      ),
      note('If it was not you, there is nothing to do. They were not told that you are here.'),
    ],
  });
}
