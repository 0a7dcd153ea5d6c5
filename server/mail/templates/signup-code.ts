import type { ReactElement } from 'react';
import { code, layout, note, paragraph, type Site } from './layout.ts';

/** The code that completes signing up. */
export function signupCode(
  props: { readonly code: string; readonly minutes: number },
  site: Site,
): ReactElement {
  const title = 'Your verification code';
  return layout(site, {
    title,
    body: [
      paragraph('Enter this code to finish signing up:'),
      code(props.code),
      paragraph(`It is valid for ${props.minutes} minutes, and a newer code replaces it.`),
      note(
        'If you did not sign up for Curbside, ignore this mail: no account is created without',
        ' the code. Nobody at Curbside will ever ask you for it.',
      ),
    ],
  });
}
