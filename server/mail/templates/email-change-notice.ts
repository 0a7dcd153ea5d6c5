import type { ReactElement } from 'react';
import { EMAIL_UNDO_DAYS } from '#contract/limits.ts';
import { action, layout, note, paragraph, type Site } from './layout.ts';

/** To the old address, with a way to stop or undo the change. `newEmail` comes masked. */
export function emailChangeNotice(
  { undoLink, newEmail }: { readonly undoLink: string; readonly newEmail: string },
  site: Site,
): ReactElement {
  const title = 'Your e-mail address is about to change';
  return layout(site, {
    title,
    body: [
      paragraph(
        `Someone, perhaps you, asked to change the e-mail address of your account to ${newEmail}.`,
        ' It changes when the link that was sent there is opened. If it was you, there is',
        ' nothing to do here.',
      ),
      paragraph('If it was not you, open this link:'),
      action('Keep my address', undoLink),
      paragraph(
        'It stops the change. If the change has already happened, the link undoes it, for',
        ` ${EMAIL_UNDO_DAYS} days. Either way it signs out every device.`,
      ),
      note('Then choose a new password: someone else may know the one you have.'),
    ],
  });
}
