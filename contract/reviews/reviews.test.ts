import { expect, test } from 'vitest';
import { REVIEW_CHECKS, ReviewRequest } from './reviews.ts';

/** Variation selectors, a joiner, blank letters, and marks without a letter. */
const INVISIBLE = ['\ufe0f', '\u034f', '\u17b4', '\u180b', '\u{e0100}', ' \u0301'];

const messages = (fields: object) =>
  ReviewRequest.safeParse(fields).error?.issues.map(({ message }) => message);

const BLANK = ['', '   ', '\u200b\u200b', '\u3164', '\u2800 \u00ad', '\n\t', ...INVISIBLE];
test.each(BLANK)('invisible text counts as blank: %j', (blank) => {
  for (const field of ['review_text', 'position_title'] as const) {
    expect(messages({ [field]: blank })).toContain(REVIEW_CHECKS[field]);
    expect(messages({ [field]: `${blank}é` })).not.toContain(REVIEW_CHECKS[field]);
  }
});
