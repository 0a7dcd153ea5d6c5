import { sql } from 'kysely';
import { feedbackEndpoints } from '#contract/endpoints/feedback.ts';
import { REPORT_ANSWERS_SEARCHED } from '#contract/limits.ts';
import { TurnWatch } from '#server/testing/fuzz/stalls.ts';
import { expect, testWith } from '#server/testing/site.ts';

// The answers of other tests would also be searched.
const test = testWith();

/** Of the CPU time of one search. A search in one turn takes most of it, one in parts a tenth. */
const SHARE = 0.4;
/** Collecting garbage may lengthen a turn, but not every time. */
const ROUNDS = 5;

test('searching the most answers never blocks others, however often', async ({ site }) => {
  const employer = await site.employer();
  const today = site.time.now.toISOString().slice(0, 10);
  const answered = sql`
    with review as (
      insert into reviews (employer_id, created_at, overall_rating,
        work_life_balance_rating, mentorship_growth_rating, team_collaboration_rating,
        compensation_benefits_rating, review_text, position_title, start_year,
        is_current_employee, would_recommend)
      select ${employer}, ${today}, 4, 4, 4, 4, 4, 'Calm.', 'Resident',
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
  `;
  // Without the time limit of a request's statements.
  await site.deps.database.background.db.transaction().execute(async (trx) => {
    // Without triggers, which would count and index every review.
    await sql`set local session_replication_role = replica`.execute(trx);
    await answered.execute(trx);
  });
  const accounts = await Promise.all(Array.from({ length: 4 }, () => site.doctor()));
  const ask = (account: (typeof accounts)[number]) =>
    site.as(account).get(feedbackEndpoints.answeredReports);
  await Promise.all(accounts.map(ask));

  using watch = new TurnWatch();
  let share = 1;
  for (let round = 0; round < ROUNDS && share >= SHARE; round += 1) {
    const before = process.threadCpuUsage();
    watch.reset();
    const answers = await Promise.all([...accounts, ...accounts, ...accounts].map(ask));
    const { user, system } = process.threadCpuUsage(before);
    expect(answers.map(({ body }) => body)).toEqual(answers.map(() => []));
    share = watch.longest() / ((user + system) / 1000 / accounts.length);
  }
  expect(share).toBeLessThan(SHARE);
});
