import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { markdownTable } from '../../scripts/markdown-table.ts';
import { Settings } from './settings.ts';

const README = readFileSync(path.resolve(import.meta.dirname, '../../README.md'), 'utf8');

/** The default as the table has it: a value, or what happens without the setting. */
function documentedDefault(schema: z.ZodType): string {
  if (schema instanceof z.ZodDefault) return `\`${schema.def.defaultValue}\``;
  return String(schema.meta()?.['unset']);
}

test("the README's table has each setting once, with its default, and no other", () => {
  const rows = markdownTable(README, 'Settings').flatMap(([names = '', value, meaning]) =>
    names.split(', ').map((name) => ({ name: name.replaceAll('`', ''), value, meaning })),
  );
  const settings = Object.entries(Settings.shape).map(([name, schema]) => ({
    name,
    value: documentedDefault(schema),
    meaning: expect.stringMatching(/\w/),
  }));
  expect(rows).toEqual(settings);
});
