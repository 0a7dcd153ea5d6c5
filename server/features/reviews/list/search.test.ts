import { employerEndpoints } from '#contract/endpoints/employers.ts';
import { reviewEndpoints } from '#contract/endpoints/reviews.ts';
import { expect, testWith } from '#server/testing/site.ts';

const ODD_WORDS = ['62e198e9', '6e1f', '5e3', '5e3x6e7'];

const test = testWith()
  /** The names of employers with a review, one for each word. */
  .extend('names', { scope: 'file' }, async ({ site }) => {
    const names = ODD_WORDS.map((word) => `Quill ${word} Clinic`);
    for (const name of names) await site.review({ at: await site.employer({ name }) });
    return names;
  });

test('filter terms are not words, so no search is corrected to one', async ({ site }) => {
  const { database } = site.deps;
  await site.review();
  for (const step of ['select', 'select words_recompute(); select']) {
    const found = await database.pool.query(`${step} from search_words where word like '=%'`);
    expect([found].flat().at(-1)?.rowCount).toBe(0);
  }
});

test.for(ODD_WORDS)(
  'finds %s, which PostgreSQL parses as a number or as several words',
  async (word, { site, names }) => {
    const visitor = site.visitor();
    for (const search of [`Quill ${word} Clinic`, word, word.slice(0, -1)]) {
      const query = { search };
      const reviews = (await visitor.get(reviewEndpoints.list, { query })).body;
      const employers = (await visitor.get(employerEndpoints.list, { query })).body;
      const start = search.split(' ')[1] ?? search;
      const expected = names.filter((name) => name.includes(` ${start}`));
      expect(reviews.results.map(({ employer }) => employer.name).sort()).toEqual(expected);
      expect(employers.results.map(({ name }) => name).sort()).toEqual(expected);
      expect([reviews.is_closest, employers.is_closest]).toEqual([undefined, undefined]);
    }
  },
);

test('after a change to thousands of reviews, one change still reads few words', async ({
  site,
}) => {
  const employer = await site.employer();
  const client = await site.deps.database.background.pool.connect();
  const word = (n: string) => `translate(md5(${n}::text), '0123456789', 'ghijklmnop')`;
  const write = (count: number) =>
    client.query(
      `insert into reviews (employer_id, created_at, overall_rating, work_life_balance_rating,
        mentorship_growth_rating, team_collaboration_rating, compensation_benefits_rating,
        review_text, position_title, start_year, is_current_employee, would_recommend)
      select ${employer}, '2026-01-01', 4, 3, 3, 3, 3, ${word('n')} || ' ' || ${word('(-n)')},
        'Hospitalist', 2020, true, true from generate_series(1, ${count}) n`,
    );
  const read = async () => {
    const { rows } = await client.query(
      "select pg_stat_get_xact_tuples_returned('search_words'::regclass)::int as tuples",
    );
    return rows[0].tuples as number;
  };
  try {
    await client.query('begin');
    await client.query(
      `insert into search_words (word) select ${word('(n + 0.5)')} from generate_series(1, 5000) n`,
    );
    await client.query('analyze search_words');
    await write(2000);
    await client.query('update employers set city = $2 where id = $1', [employer, 'Quillport']);
    const before = await read();
    await write(1);
    await client.query(
      `update reviews set review_text = 'Quite anew' where id = (
        select id from reviews where employer_id = $1 limit 1)`,
      [employer],
    );
    expect((await read()) - before).toBeLessThan(100);
  } finally {
    await client.query('rollback');
    client.release();
  }
});
