import type { ReactElement } from 'react';
import { action, layout, note, paragraph, type Site } from './layout.ts';

/** To the new address: the change takes effect when the link is opened. */
export function emailChangeConfirm(
  { link, newEmail }: { readonly link: string; readonly newEmail: string },
  site: Site,
): ReactElement {
  const title = 'Confirm your new e-mail address';
  return layout(site, {
    title,
    body: [
      paragraph(
        `Open this link to make ${newEmail} the e-mail address of your account. It works once,`,
        ' within 24 hours. Until then your old address stays in use.',
      ),
      action('Confirm this address', link),
      note('If you did not ask for this, ignore this mail: nothing changes.'),
    ],
  });
}
