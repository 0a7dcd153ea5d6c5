import { expect, test } from 'vitest';
import { ERRORS } from '#contract/errors.ts';
import { codeIn, tableUnder } from './markdown.ts';

test('docs/api.md explains only errors that exist', () => {
  const explained = tableUnder('docs/api.md', 'Errors').flatMap(({ code = '' }) => codeIn(code));
  expect(explained.filter((code) => !(code in ERRORS))).toEqual([]);
});
