import type { ReviewRule } from '../review-rules.ts';

interface Rejection {
  /** For the curator. */
  readonly name: string;
  /** The rule by which its reviews are hidden. */
  readonly rule: ReviewRule;
  /** What their authors read. */
  readonly note: string;
}

/**
 * Why a curator rejects an employer that a doctor added. The keys are stored. No schemas, so that
 * pages can import it.
 */
export const REJECTIONS = {
  unknown: {
    name: 'No such place',
    rule: 'general',
    note: 'We could not find this employer, so we removed it from the directory, and your review with it. Please appeal if it exists, and say where we can find it.',
  },
  person: {
    name: 'The name of a person',
    rule: 'private_persons',
    note: 'The employer that you named is a person, so we removed it from the directory, and your review with it. You can review the place where you work instead.',
  },
  advertising: {
    name: 'Advertising',
    rule: 'advertising',
    note: 'The employer that you named is an advertisement, so we removed it from the directory, and your review with it.',
  },
  not_employer: {
    name: 'Not an employer of physicians',
    rule: 'general',
    note: 'The employer that you named does not employ or train physicians, so we removed it from the directory, and your review with it. Please appeal if it does.',
  },
  abusive: {
    name: 'An insult or a joke',
    rule: 'abuse',
    note: 'The employer that you named is an insult or a joke, so we removed it from the directory, and your review with it.',
  },
} as const satisfies Readonly<Record<string, Rejection>>;
export type RejectionKey = keyof typeof REJECTIONS;
export const REJECTION_KEYS = Object.keys(REJECTIONS) as [RejectionKey, ...RejectionKey[]];

/** What the authors read once it is undone. */
export const REJECTION_UNDONE =
  'We rejected the employer by mistake. It is back in the directory, and so is your review.';
