import { expect, test } from 'vitest';
import { NAMED_MAX, StatementNames } from './statements.ts';

test('each text has its own name', () => {
  const names = new StatementNames();
  expect(names.of('select $1')).toBe(names.of('select $1'));
  expect(names.of('select $2')).not.toBe(names.of('select $1'));
  expect(names.size).toBe(2);
});

test('a marked text gets no name, and neither does a text beyond the maximum', () => {
  const names = new StatementNames();
  expect(names.of('select $1 /* unnamed */')).toBeUndefined();
  const first = names.of('select 0');
  for (let n = 0; n < 10_000; n += 1) names.of(`select ${n}`);
  expect(names.size).toBe(NAMED_MAX);
  expect(names.of('select 9999')).toBeUndefined();
  expect(names.of('select 0')).toBe(first);
});
