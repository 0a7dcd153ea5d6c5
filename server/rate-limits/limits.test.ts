import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { LIMITS, type Limit } from './limits.ts';

const DOCS = new URL('../../docs/operations.md', import.meta.url);

function rowOf({ counts, by, points, per, backsOff }: Limit): string {
  const then = backsOff ? ', then one after each wait' : '';
  return `| ${counts} | ${by} | ${points} a${per === 'hour' ? 'n' : ''} ${per}${then} |`;
}

test('the table in docs/operations.md says what the code does', async () => {
  const docs = await readFile(DOCS, 'utf8');
  const section = docs.slice(docs.indexOf('## Rate limits'), docs.indexOf('## Backups'));
  const [, , ...rows] = section.split('\n').filter((line) => line.startsWith('|'));
  expect(rows).toEqual(Object.values(LIMITS).map(rowOf));
});
