import type { ReactElement } from 'react';
import { RESET_TTL_MS } from '#contract/limits.ts';
import { action, layout, note, paragraph, type Site } from './layout.ts';

const HOURS = RESET_TTL_MS / 3_600_000;

/** The link that sets a new password. */
export function passwordReset({ link }: { readonly link: string }, site: Site): ReactElement {
  const title = 'Choose a new password';
  return layout(site, {
    title,
    body: [
      paragraph(
        'Someone, perhaps you, asked for a new password for your account. Open this link to',
        ` choose one. It works once, within ${HOURS} hours.`,
      ),
      action('Choose a new password', link),
      note('If it was not you, ignore this mail: your password stays as it is.'),
    ],
  });
}
