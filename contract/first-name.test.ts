import { expect, test } from 'vitest';
import { FirstName } from './accounts.ts';

test.each(['Dr. Ada', 'dr Ada', 'Dr.Ada', ' Prof. Dr. Ada ', 'DR. ADA'])(
  'a first name has no title: %j',
  (typed) => expect(FirstName.parse(typed)).toMatch(/^ada$/i),
);

test.each(['Drew', 'Dr', 'Dr.', 'Prof', 'Ada Dr.'])('%s stays a first name', (typed) => {
  expect(FirstName.parse(typed)).toBe(typed);
});
