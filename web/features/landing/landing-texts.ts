import type { VerificationMode } from '#contract/verification.ts';
import { VERIFICATION_TEXTS } from './verification-texts.ts';

export interface TrustPoint {
  readonly title: string;
  /** The number of its footnote. */
  readonly note: number | null;
  readonly text: string;
}

/** The claims on the landing page. Only the server reads this file. */
export function landingTexts(mode: VerificationMode) {
  const { claim, footnote, steps } = VERIFICATION_TEXTS[mode];
  const points: TrustPoint[] = [
    {
      title: 'Posted anonymously',
      note: 1,
      text: 'Your name and NPI never appear on a review, and a copy of our database would not reveal which account wrote which review.',
    },
    {
      title: 'Practitioners only',
      note: 2,
      text: `This site is for healthcare practitioners only. ${claim}`,
    },
    {
      title: 'Protected data',
      note: null,
      text: 'Names, email addresses, and NPIs are stored encrypted. There are no ads, and we sell no data.',
    },
  ];
  const footnotes = [
    'Anonymity cannot be guaranteed: what you write may identify you.',
    `Verification does not guarantee current licensure or status. ${footnote}`,
  ];
  return { points, footnotes, steps };
}
