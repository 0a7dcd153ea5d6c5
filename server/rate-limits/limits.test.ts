import { expect, test } from 'vitest';
import { tableUnder } from '../../scripts/docs/markdown.ts';
import { LIMITS, type Limit } from './limits.ts';

const rowOf = ({ counts, by, points, per, backsOff }: Limit) => ({
  'what is counted': counts,
  'for each': by,
  limit: `${points} a${per === 'hour' ? 'n' : ''} ${per}${backsOff ? ', then one after each wait' : ''}`,
});

test('the table in docs/operations.md matches the code', () => {
  expect(tableUnder('docs/operations.md', 'Rate limits')).toEqual(Object.values(LIMITS).map(rowOf));
});
