import type { ReactElement } from 'react';
import { layout, note, paragraph, type Site } from './layout.ts';

/** To the address that an account has lost, because its previous one took the change back. */
export function emailChangeUndone(
  _props: Readonly<Record<string, never>>,
  site: Site,
): ReactElement {
  const title = 'A change of your e-mail address was undone';
  return layout(site, {
    title,
    body: [
      paragraph(
        'Someone opened the link that we sent to the previous e-mail address of your account.',
        ' The account uses that address again, and every device has been signed out.',
      ),
      note('To use this address, log in and change the address again.'),
    ],
  });
}
