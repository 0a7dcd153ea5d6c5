import { Worker } from 'node:worker_threads';
import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { testDatabase } from '#server/testing/database.ts';

/** Keeps processors busy, so that statements are interrupted anywhere. */
function burn(workers: number) {
  const code = 'const end = Date.now() + 120_000; while (Date.now() < end);';
  const burners = Array.from({ length: workers }, () => new Worker(code, { eval: true }));
  onTestFinished(async () => {
    await Promise.all(burners.map((burner) => burner.terminate()));
  });
}

const ROUNDS = 200;
const WRITERS = 10;

test('statements that write several reviews of several employers do not deadlock, 200 times on a busy processor', async () => {
  const { db } = await testDatabase();
  await db
    .insertInto('employers')
    .values(['A', 'B', 'C'].map((name) => ({ source: 'demo', name, employer_type: 'hospital' })))
    .execute();
  burn(1);
  // Each word is new to all writers of a round, in either order. Not through inTransaction, because
  // nothing should be retried.
  const writeAll = (round: number, who: number) =>
    sql`
      insert into reviews (employer_id, created_at, overall_rating,
        work_life_balance_rating, mentorship_growth_rating, team_collaboration_rating,
        compensation_benefits_rating, review_text, position_title, start_year, would_recommend,
        is_current_employee)
      select id, '2026-11-20', 3, 3, 3,
        3, 3, 'word' || ${round}::integer || name, 'Hospitalist', 2020, true, true
      from employers order by id * ${who % 2 === 0 ? 1 : -1}::integer
    `.execute(db);
  for (let round = 0; round < ROUNDS; round += 1) {
    await Promise.all(Array.from({ length: WRITERS }, (_, who) => writeAll(round, who)));
  }
  const kept = await db.selectFrom('employer_ratings').select('total_reviews').execute();
  expect(kept.map(({ total_reviews }) => total_reviews)).toEqual(Array(3).fill(ROUNDS * WRITERS));
});
