import { CONCERN_KEYS } from '#contract/concerns.ts';
import { expect, test } from '#server/testing/site.ts';

test.for([
  ['I was ON-CALL every third night.', ['call']],
  ['A broad non-compete, and tail coverage is on you.', ['contract']],
  ['Patients board in the hallway; boarding never ends.', ['boarding']],
  ['I sat for my boards here.', []],
  ['They called me a colleague.', []],
  ['H-1B and J-1 sponsorship, green card in a year.', ['visa']],
  ['RVU bonus, 401(k), and time off.', ['benefits', 'pay']],
  ['Short-staffed nights, nurses leave, épuisement.', ['nursing', 'staffing']],
  ['', []],
] as const)('%s', async ([text, concerns], { site }) => {
  const { pool } = site.deps.database;
  const { rows } = await pool.query('select concerns_of($1) as found', [text]);
  expect(rows[0].found).toEqual(concerns);
});

test('the database has exactly the concerns in the contract', async ({ site }) => {
  const { pool } = site.deps.database;
  const { rows } = await pool.query('select concern from concern_vocabulary() order by 1');
  expect(rows.map(({ concern }) => concern)).toEqual([...CONCERN_KEYS]);
});
