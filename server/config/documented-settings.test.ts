import { expect, test } from 'vitest';
import * as z from 'zod';
import { codeIn, tableUnder } from '../../scripts/docs/markdown.ts';
import { Settings } from './settings.ts';

/** The default as shown in the table: a value, or what happens without the setting. */
function documentedDefault(schema: z.ZodType): string {
  if (schema instanceof z.ZodDefault) return `\`${schema.def.defaultValue}\``;
  return String(schema.meta()?.['unset']);
}

test('docs/operations.md lists every setting once, with its default', () => {
  const rows = tableUnder('docs/operations.md', 'Settings').flatMap(
    ({ setting = '', default: value, meaning }) =>
      codeIn(setting).map((name) => ({ name, value, meaning })),
  );
  const settings = Object.entries(Settings.shape).map(([name, schema]) => ({
    name,
    value: documentedDefault(schema),
    meaning: expect.stringMatching(/\w/),
  }));
  expect(rows).toEqual(settings);
});
