import type { ReactElement } from 'react';
import { code, layout, note, paragraph, type Site } from './layout.ts';

/** The code for an institution's mailbox. Its mail system may read it, so it does not say what for. */
export function mailboxCode(
  props: { readonly code: string; readonly minutes: number },
  site: Site,
): ReactElement {
  return layout(site, {
    title: 'Your code',
    isDiscreet: true,
    body: [
      paragraph('Enter this code to continue:'),
      code(props.code),
      paragraph(`It is valid for ${props.minutes} minutes, and a newer code replaces it.`),
      note(
        'If you did not ask for it, ignore this mail: nothing happens without the code. Nobody will',
        ' ever ask you for it.',
      ),
    ],
  });
}
