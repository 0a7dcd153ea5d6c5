import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { REPORT_ANSWERS_SEARCHED } from '#contract/limits.ts';
import { buildTestApp } from '#server/testing/app.ts';
import { newEmployer, signedInDoctor } from '#server/testing/factories.ts';
import { TurnWatch } from '#server/testing/fuzz/stalls.ts';

/** CPU time. Searching everything in one turn takes 40 ms, and with 5,000 answers 120 ms. */
const TURN_MS = 30;

test('searching the maximum number of answers never blocks others, however often it is requested', async () => {
  await using server = await buildTestApp();
  const { db } = server.deps;
  const employer = await newEmployer(server);
  const today = server.time.now.toISOString().slice(0, 10);
  await sql`
    with review as (
      insert into reviews (author_key, employer_id, created_at, overall_rating,
        work_life_balance_rating, mentorship_growth_rating, team_collaboration_rating,
        compensation_benefits_rating, review_text, position_title, start_year,
        is_current_employee, would_recommend)
      select sha256(n::text::bytea), ${employer}, ${today}, 4, 4, 4, 4, 4, 'Calm.', 'Resident',
        2020, true, true
      from generate_series(1, ${sql.lit(REPORT_ANSWERS_SEARCHED)}) as n
      returning id
    ), decision as (
      insert into review_decisions (review_id, number, decided_on, outcome, rule, source)
      select id, 1, ${today}, 'keep', 'general', 'report' from review
    )
    insert into review_reports
      (review_id, reporter_key, reason, reported_on, closed, closed_on, decision)
    select id, sha256(uuid_send(id)), 'abusive', ${today}, true, ${today}, 1 from review
  `.execute(db);
  const accounts = await Promise.all(Array.from({ length: 4 }, () => signedInDoctor(server)));
  const ask = ({ headers }: (typeof accounts)[number]) =>
    server.app.inject({ url: '/api/reviews/reports/', headers });
  await Promise.all(accounts.map(ask));

  using watch = new TurnWatch();
  const answers = await Promise.all([...accounts, ...accounts, ...accounts].map(ask));
  expect(answers.map((answer) => answer.json())).toEqual(answers.map(() => []));
  expect(watch.longest()).toBeLessThan(TURN_MS);
});
