import { expect, test } from 'vitest';
import { CONCERN_KEYS } from '#contract/concerns.ts';
import { testDatabase } from '#server/testing/database.ts';

async function vocabulary() {
  const { pool } = await testDatabase();
  const concernsOf = async (text: string): Promise<string[]> =>
    (await pool.query('select concerns_of($1) as found', [text])).rows[0].found;
  return { pool, concernsOf };
}

test.each([
  ['I was ON-CALL every third night.', ['call']],
  ['A broad non-compete, and tail coverage is on you.', ['contract']],
  ['Patients board in the hallway; boarding never ends.', ['boarding']],
  ['I sat for my boards here.', []],
  ['They called me a colleague.', []],
  ['H-1B and J-1 sponsorship, green card in a year.', ['visa']],
  ['RVU bonus, 401(k), and time off.', ['benefits', 'pay']],
  ['Short-staffed nights, nurses leave, épuisement.', ['nursing', 'staffing']],
  ['', []],
])('%s', async (text, concerns) => {
  const { concernsOf } = await vocabulary();
  expect(await concernsOf(text)).toEqual(concerns);
});

test('the database has exactly the concerns in the contract', async () => {
  const { pool } = await vocabulary();
  const { rows } = await pool.query('select concern from concern_vocabulary() order by 1');
  expect(rows.map(({ concern }) => concern)).toEqual([...CONCERN_KEYS]);
});
