import { layout, type MailContent, note, paragraph, type Site } from './layout.ts';

/** To the address that an account has lost, because its previous one took the change back. */
export function emailChangeUndone(
  _props: Readonly<Record<string, never>>,
  site: Site,
): MailContent {
  const title = 'A change of your e-mail address was undone';
  return {
    subject: 'Your Curbside e-mail address was changed back',
    element: layout(site, {
      title,
      preview: 'Every device has been signed out.',
      body: [
        paragraph(
          'Someone opened the link that we sent to the previous e-mail address of your account.',
          ' The account uses that address again, and every device has been signed out.',
        ),
        note('To use this address, log in and change the address again.'),
      ],
    }),
  };
}
