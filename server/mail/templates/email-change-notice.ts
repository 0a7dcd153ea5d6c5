import { action, layout, type MailContent, note, paragraph, type Site } from './layout.ts';

/** To the old address, with a way to stop the change. `newEmail` comes masked. */
export function emailChangeNotice(
  { stopLink, newEmail }: { readonly stopLink: string; readonly newEmail: string },
  site: Site,
): MailContent {
  const title = 'Your e-mail address is about to change';
  return {
    subject: 'Your Curbside e-mail address is about to change',
    element: layout(site, {
      title,
      preview: 'If it was not you, stop it here.',
      body: [
        paragraph(
          `Someone, perhaps you, asked to change the e-mail address of your account to ${newEmail}.`,
          ' It changes when the link that was sent there is opened. If it was you, there is',
          ' nothing to do here.',
        ),
        paragraph('If it was not you, stop the change:'),
        action('Keep my address', stopLink),
        note('Then choose a new password: whoever asked for this knew the one you have.'),
      ],
    }),
  };
}
