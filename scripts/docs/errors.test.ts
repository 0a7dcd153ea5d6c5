import { expect, test } from 'vitest';
import { ERRORS } from '#contract/errors.ts';
import { codeIn, tableUnder } from './markdown.ts';

test('docs/api.md lists every error exactly as in the code', () => {
  const documented = tableUnder('docs/api.md', 'Errors').map(({ code = '', status, text }) => {
    const [name] = codeIn(code);
    return [name, { status: Number(status), text }];
  });
  expect(Object.fromEntries(documented)).toEqual(ERRORS);
  expect(documented).toHaveLength(Object.keys(ERRORS).length);
});

test('docs/api.md says when each error occurs', () => {
  const silent = tableUnder('docs/api.md', 'Errors').filter(({ when }) => !when);
  expect(silent).toEqual([]);
});
