import { code, layout, type MailContent, note, paragraph, type Site } from './layout.ts';

/** The code that completes signing up. */
export function signupCode(
  props: { readonly code: string; readonly minutes: number },
  site: Site,
): MailContent {
  const title = 'Your verification code';
  return {
    subject: 'Your Curbside verification code',
    element: layout(site, {
      title,
      preview: `Valid for ${props.minutes} minutes.`,
      body: [
        paragraph('Enter this code to finish signing up:'),
        code(props.code),
        paragraph(`It is valid for ${props.minutes} minutes, and a newer code replaces it.`),
        note(
          'If you did not sign up for Curbside, ignore this mail: no account is created without',
          ' the code. Nobody at Curbside will ever ask you for it.',
        ),
      ],
    }),
  };
}
