import type pg from 'pg';
import { specialtyOfTitle } from '#contract/reviews/specialty-of-title.ts';
import { SPECIALTY_NAMES } from '#contract/specialties.ts';
import { migrate } from '#server/db/migrate.ts';
import { type BenchEmployer, benchEmployers } from './employers.ts';
import { POSITIONS, SENTENCES } from './review-texts.ts';

export interface Sizes {
  readonly employers: number;
  readonly reviews: number;
}

/** Indexes that are dropped for the bulk load and recreated at the end. */
const HEAVY_INDEXES = `
  select indexname as name, indexdef as definition from pg_indexes
  where schemaname = 'public' and tablename = 'reviews' and indexname not in (
    select conname from pg_constraint where conrelid = 'reviews'::regclass)`;

/** Fills an empty database with fictional employers and reviews, the same each time. */
export async function seedBench(pool: pg.Pool, sizes: Sizes, say: (line: string) => void) {
  await migrate(pool);
  const client = await pool.connect();
  try {
    await client.query('begin');
    await addEmployers(client, benchEmployers(sizes.employers));
    say(`${sizes.employers} employers`);
    await loadReviews(client, sizes, say);
    await client.query('commit');
    await client.query('vacuum (analyze)');
  } finally {
    client.release();
  }
}

async function addEmployers(client: pg.PoolClient, employers: BenchEmployer[]) {
  const columns = Object.keys(employers[0] ?? {}).join(', ');
  await client.query(
    `insert into employers (${columns}, created_at)
      select ${columns},
        date_trunc('minute', now()) - row_number() over () % 900 * interval '1 day'
      from json_populate_recordset(null::employers, $1)`,
    [JSON.stringify(employers)],
  );
}

async function loadReviews(client: pg.PoolClient, sizes: Sizes, say: (line: string) => void) {
  await client.query(`set local maintenance_work_mem = '512MB'`);
  await client.query('alter table reviews disable trigger user');
  const { rows: indexes } = await client.query<{ name: string; definition: string }>(HEAVY_INDEXES);
  for (const { name } of indexes) await client.query(`drop index ${name}`);
  await addReviews(client, sizes);
  say(`${sizes.reviews} reviews`);
  for (const { definition } of indexes) await client.query(definition);
  await client.query('alter table reviews enable trigger user');
  say(`${indexes.length} indexes`);
  await client.query('select employer_ratings_recompute(array(select id from employers))');
  await client.query('select words_recompute()');
  say('ratings and words');
}

/**
 * The n-th review is derived from hashes of n. Employers are picked by the square of a
 * uniform share: the first of 20,000 has 0.7% of all reviews, and the last half share 30%. Half of
 * the reviews have votes, one in six more than 20. One review in ten has a different specialty than
 * its title suggests, sometimes a rare one.
 */
async function addReviews(client: pg.PoolClient, { reviews, employers }: Sizes) {
  await client.query(
    `create function pg_temp.share(n bigint, what integer) returns float8
      language sql immutable parallel safe
      return (hashint8extended(n * 64 + what, 1) & 4294967295) / 4294967296.0`,
  );
  await client.query(
    `with ranked as (select *, row_number() over (order by id) as rank from employers),
    drawn as (
      select n, gen_random_uuid() as review_id,
        1 + floor($2 * pg_temp.share(n, 1) ^ 2)::int as rank,
        least(5, greatest(1, round(3.4 + 2.6 * (pg_temp.share(n, 2) - 0.5)
          + 2.6 * (pg_temp.share(n, 3) - 0.5))))::smallint as stars,
        1 + floor($4 * pg_temp.share(n, 4) ^ 1.6)::int as position,
        2 + floor(10 * pg_temp.share(n, 5) ^ 2)::int as sentences,
        pg_temp.share(n, 6) < 0.55 as is_current,
        (extract(year from now()) - floor(10 * pg_temp.share(n, 7)))::smallint as left_in,
        floor(60 * pg_temp.share(n, 50) ^ 6)::int as votes,
        0.7 * pg_temp.share(n, 51) ^ 2 as unhelpful
      from generate_series(1, $1::bigint) n
    ),
    owned as (
      insert into review_authors (review_id, author_key, job)
      select review_id, decode(md5((n / 3)::text) || md5('author' || n / 3), 'hex'),
        review_job(id, null, null, null, ($5::text[])[position])
      from drawn join ranked using (rank)
      on conflict on constraint review_authors_once do nothing
      returning review_id
    ),
    written as (
      select drawn.*, array(
        select replace(($3::text[])[1 + floor(cardinality($3::text[])
            * pg_temp.share(n, 20 + at))::int], '{n}', (n % 5000)::text)
          from generate_series(1, sentences + 4) at) as texts
      from drawn join owned using (review_id)
    )
    insert into reviews (id, employer_id, employer_name, employer_state, employer_city,
        created_at, overall_rating, work_life_balance_rating, mentorship_growth_rating,
        team_collaboration_rating, compensation_benefits_rating, immigration_support_rating,
        review_text, pros, cons, position_title, specialty, start_year, end_year, would_recommend,
        is_current_employee, helpful_count, not_helpful_count, removed_reason, settled)
    select review_id, id, name, state, city,
      date_trunc('minute', now()) - floor(1500 * pg_temp.share(n, 8) ^ 2 * 1440)
        * interval '1 minute',
      stars,
      least(5, greatest(1, stars + floor(3 * pg_temp.share(n, 9)) - 1)),
      least(5, greatest(1, stars + floor(3 * pg_temp.share(n, 10)) - 1)),
      least(5, greatest(1, stars + floor(3 * pg_temp.share(n, 11)) - 1)),
      least(5, greatest(1, stars + floor(3 * pg_temp.share(n, 12)) - 1)),
      case when pg_temp.share(n, 13) < 0.25
        then least(5, greatest(1, stars + floor(3 * pg_temp.share(n, 14)) - 1)) end,
      array_to_string(texts[5:], ' '),
      case when pg_temp.share(n, 15) < 0.7 then array_to_string(texts[1:2], ' ') else '' end,
      case when pg_temp.share(n, 16) < 0.7 then array_to_string(texts[3:4], ' ') else '' end,
      ($5::text[])[position],
      case when pg_temp.share(n, 52) < 0.1
        then ($7::text[])[1 + floor(cardinality($7::text[]) * pg_temp.share(n, 53) ^ 3)::int]
        else ($6::text[])[position] end,
      left_in - floor(8 * pg_temp.share(n, 17)),
      case when not is_current then left_in end,
      stars >= 4 or (stars = 3 and pg_temp.share(n, 18) < 0.4),
      is_current,
      votes - round(votes * unhelpful), round(votes * unhelpful),
      case when pg_temp.share(n, 19) < 0.002 then 'removed for the bench' end,
      true
    from written join ranked using (rank)`,
    [
      reviews,
      employers,
      SENTENCES,
      POSITIONS.length,
      POSITIONS,
      POSITIONS.map(specialtyOfTitle),
      SPECIALTY_NAMES,
    ],
  );
}
