import type { ReactElement } from 'react';
import { action, layout, note, paragraph, type Site } from './layout.ts';

/** Credentials are verified, and reviews can be posted. */
export function verified(_props: Readonly<Record<string, never>>, site: Site): ReactElement {
  const title = 'You are verified';
  return layout(site, {
    title,
    body: [
      paragraph(
        'Your credentials have been verified. You can now review the places where you have',
        ' trained and worked, and help colleagues decide where to practice.',
      ),
      action('Write a review', `${site.publicUrl}/create-review`),
      note('Your name is never shown on a review.'),
    ],
  });
}
