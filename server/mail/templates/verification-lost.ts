import type { ReactElement } from 'react';
import { action, layout, note, paragraph, type Site } from './layout.ts';

/** Someone else has proven to hold the NPI that this account only matched. */
export function verificationLost(
  _props: Readonly<Record<string, never>>,
  site: Site,
): ReactElement {
  const title = 'Please prove your NPI';
  return layout(site, {
    title,
    body: [
      paragraph(
        'Someone else has proven to hold the NPI of your account. Yours was only matched with the',
        ' public registry, so it is not verified any more. If the NPI is yours, you can prove it as',
        ' well, within 30 days.',
      ),
      action('See what to do', `${site.publicUrl}/verification-required`),
      note('Your reviews stay as they are for now. After that time, a moderator looks at each.'),
    ],
  });
}
