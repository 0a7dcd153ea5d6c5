import { expect, test } from 'vitest';
import { testDatabase } from '#server/testing/database.ts';

const SHORT = 5_000;
/** Slack for a busy machine. Quadratic time would take seconds. */
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
  'concerns_by_part($1, $1, $1)',
];

test.each(FUNCTIONS)('%s takes linear time in PostgreSQL', async (call) => {
  const { pool } = await testDatabase();
  const cost = async (text: string) => {
    const { rows } = await pool.query(`explain (analyze, format json) select ${call}`, [text]);
    // The planner may already have called an immutable function.
    const [plan] = rows[0]['QUERY PLAN'];
    return plan['Planning Time'] + plan['Execution Time'];
  };
  for (const piece of PIECES) {
    const [short, long] = [SHORT, 4 * SHORT].map((size) => `${piece.repeat(size / piece.length)}!`);
    const [least, most]: [number[], number[]] = [[], []];
    const isLinear = () => Math.min(...most) <= 8 * Math.min(...least) + BUSY_MS;
    // Measured by the server. Other programs can only add time, so the best of five counts.
    do {
      least.push(await cost(short ?? ''));
      most.push(await cost(long ?? ''));
    } while (!isLinear() && most.length < 5);
    expect([piece, isLinear()]).toEqual([piece, true]);
  }
});
