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
