import type { VerificationMode } from '#contract/verification.ts';
import { VERIFICATION_TEXTS } from './verification-texts.ts';

export interface TrustPoint {
  readonly title: string;
  /** The number of its footnote. */
  readonly note: number | null;
  readonly text: string;
}

/** What the landing page claims. Only the server reads this file. */
export function landingTexts(mode: VerificationMode) {
  const { claim, footnote, steps } = VERIFICATION_TEXTS[mode];
  const points: TrustPoint[] = [
    {
      title: 'Posted anonymously',
      note: 1,
      text: 'Your name and NPI never appear on a review, and a copy of our database would not tell which account wrote which one.',
    },
    {
      title: 'Practitioners only',
      note: 2,
      text: `This site is for healthcare practitioners only. ${claim}`,
    },
    {
      title: 'Protected data',
      note: null,
      text: 'Names, e-mail addresses and NPIs are stored encrypted. There are no advertisements, and nothing is sold.',
    },
  ];
  const footnotes = [
    'Anonymity cannot be guaranteed: what you write may tell more than your name would.',
    `Verification does not guarantee current licensure or status. ${footnote}`,
  ];
  return { points, footnotes, steps };
}
