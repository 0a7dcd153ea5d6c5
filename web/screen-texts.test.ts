import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

/** Texts that no other test finds on its screen. */
test.each([
  ['routes/landing.tsx', 'Share Your Review'],
  ['routes/landing.tsx', 'My dashboard'],
  ['routes/landing.tsx', 'Join now'],
  ['features/reviews/form/review-form.tsx', 'Select healthcare system *'],
  ['features/reviews/form/review-form.tsx', 'Rate this healthcare system'],
  ['features/reviews/form/review-form.tsx', 'Write your review'],
  ['features/reviews/form/review-form.tsx', 'Tell us about you'],
  ['features/employers/directory-results.tsx', 'Try adjusting your search or filters.'],
  ['features/accounts/profile-information.tsx', "'Not provided'"],
])('%s says "%s"', (file, text) => {
  expect(readFileSync(path.join(import.meta.dirname, file), 'utf8')).toContain(text);
});
