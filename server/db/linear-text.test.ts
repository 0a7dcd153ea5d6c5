import { expect, test } from 'vitest';
import { testDatabase } from '#server/testing/database.ts';

const SHORT = 5_000;
/** Slack for a busy machine, on the best of five. Quadratic time would take seconds. */
const BUSY_MS = 200;
const PIECES = [
  'a',
  ' ',
  'ß',
  "'",
  '-',
  'a ',
  'the ',
  'of the ',
  'non compete ',
  'a-',
  "o'c ",
  '1.',
  'é, ',
  '\n',
];

/** The functions that read text, each with its arguments. */
const FUNCTIONS = [
  'fold($1)',
  'name_key($1)',
  'plain_words($1)',
  'name_initials(plain_words($1))',
  'concerns_of($1)',
];

test.each(FUNCTIONS)('%s takes linear time in PostgreSQL', async (call) => {
  const { pool } = await testDatabase();
  // The best of five, measured by the server: other programs can only add time.
  const cost = async (text: string) => {
    const times: number[] = [];
    for (let run = 0; run < 5; run += 1) {
      const { rows } = await pool.query(`explain (analyze, format json) select ${call}`, [text]);
      // The planner may already have called an immutable function.
      const [plan] = rows[0]['QUERY PLAN'];
      times.push(plan['Planning Time'] + plan['Execution Time']);
    }
    return Math.min(...times);
  };
  for (const piece of PIECES) {
    const [short, long] = [SHORT, 4 * SHORT].map((size) => piece.repeat(size / piece.length));
    const allowed = 8 * (await cost(`${short}!`)) + BUSY_MS;
    expect(await cost(`${long}!`), JSON.stringify(piece)).toBeLessThan(allowed);
  }
});
