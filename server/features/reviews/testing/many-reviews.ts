import { type RawBuilder, sql } from 'kysely';
import type { TestApp } from '#server/testing/app.ts';
import { newEmployer } from '#server/testing/factories.ts';

type Sql = RawBuilder<unknown>;

/** How review `n` differs from the others. */
interface Varied {
  readonly createdAt: Sql;
  readonly stars: Sql;
  readonly text: Sql;
  readonly helpfulCount?: Sql;
  readonly notHelpfulCount?: Sql;
}

/**
 * Inserts numbered reviews in one statement: a third of an employer in Texas, the others of one in
 * Maine. Their ids are the same every time.
 */
export async function insertReviews(
  server: TestApp,
  count: number,
  { createdAt, stars, text, helpfulCount = sql`0`, notHelpfulCount = sql`0` }: Varied,
): Promise<void> {
  // Without the time limit of a request's statements.
  const { db } = server.deps.database.background;
  const texas = await newEmployer(server, { name: 'Cedar Valley Hospital', state: 'TX' });
  const maine = await newEmployer(server, { name: 'Lakeside Clinic', state: 'ME' });
  await sql`
    insert into reviews (id, employer_id, created_at, overall_rating,
      work_life_balance_rating, mentorship_growth_rating, team_collaboration_rating,
      compensation_benefits_rating, review_text, position_title, start_year, is_current_employee,
      would_recommend, helpful_count, not_helpful_count, settled)
    select md5(n::text)::uuid,
      case when n % 3 = 0 then ${texas}::integer else ${maine} end, ${createdAt}, ${stars},
      3, 3, 3, 3, ${text}, 'Hospitalist', 2020, true, n % 2 = 0, ${helpfulCount},
      ${notHelpfulCount}, true
    from generate_series(1, ${count}) as n`.execute(db);
  await sql`vacuum (analyze) reviews`.execute(db);
}
