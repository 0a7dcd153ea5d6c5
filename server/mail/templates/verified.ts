import { action, layout, type MailContent, note, paragraph, type Site } from './layout.ts';

/** Credentials are verified, and reviews can be posted. */
export function verified(_props: Readonly<Record<string, never>>, site: Site): MailContent {
  const title = 'You are verified';
  return {
    subject: 'You are verified on Curbside',
    element: layout(site, {
      title,
      preview: 'You can now post reviews.',
      body: [
        paragraph(
          'Your credentials have been verified. You can now review the places where you have',
          ' trained and worked, and help colleagues decide where to practise.',
        ),
        action('Write a review', `${site.publicUrl}/create-review`),
        note('Your name is never shown on a review.'),
      ],
    }),
  };
}
