import * as z from 'zod/mini';

/**
 * For names and titles: refuses control characters, and characters that hide or reorder others
 * (Unicode categories Cc, Cf, Zl, and Zp: line breaks, zero-width characters, bidi overrides).
 */
export const oneLine = z.regex(
  /^[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}]*$/u,
  'Must not contain control or invisible characters',
);
