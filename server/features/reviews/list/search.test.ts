import { employerEndpoints } from '#contract/endpoints/employers.ts';
import { reviewEndpoints } from '#contract/endpoints/reviews.ts';
import { countRows } from '#server/listing/page-query.ts';
import { reviewRow } from '#server/testing/factories.ts';
import { expect, testWith } from '#server/testing/site.ts';
import { REVIEWS } from './list-query.ts';
import { countSearch, estimateMatches } from './search.ts';

const ALL = { page: 1, page_size: 20 };
/** How many of 2,048 reviews have the word. */
const WORDS = { all: 2048, half: 1024, fourth: 512, eighth: 256 };

const ODD_WORDS = ['62e198e9', '6e1f', '5e3', '5e3x6e7'];

const test = testWith()
  /** The names of employers with a review, one for each word. */
  .extend('names', { scope: 'file' }, async ({ site }) => {
    const names = ODD_WORDS.map((word) => `Quill ${word} Clinic`);
    for (const name of names) await site.review({ at: await site.employer({ name }) });
    return names;
  });

test('a sample estimates how common a search is, with and without filters', async ({ site }) => {
  const { db, database } = site.deps;
  const employer = await site.employer({ name: 'Cedar Valley Hospital', state: 'IL' });
  const rows = Array.from({ length: 2048 }, (_, at) =>
    reviewRow(employer, {
      // The sample has 8 of every 256.
      id: `${at.toString(16).padStart(4, '0').slice(2)}${at.toString(16).padStart(6, '0')}-0000-4000-8000-000000000000`,
      review_text: Object.keys(WORDS)
        .filter((_word, n) => (at >> 8) % 2 ** n === 0)
        .join(' '),
      would_recommend: at % 2 === 0,
    }),
  );
  await db.insertInto('reviews').values(rows).execute();
  for (const [word, count] of Object.entries(WORDS)) {
    const search = { match: word };
    expect([word, await estimateMatches(db, REVIEWS, ALL, search)]).toEqual([word, count]);
    const isMost = count >= 480;
    expect(await countSearch(db, REVIEWS, ALL, search, { most: 400 })).toEqual({
      count: isMost ? 400 : Math.min(count, 400),
      found: count,
    });
    const narrowed = { ...ALL, state: 'IL', would_recommend: 'true' } as const;
    expect(await estimateMatches(db, REVIEWS, narrowed, search)).toBe(count / 2);
    expect(await countRows(db, REVIEWS, narrowed, search)).toBe(count / 2);
    expect(await countRows(db, REVIEWS, { ...narrowed, state: 'WY' }, search)).toBe(0);
  }
  // Filter terms are not stored as words, so typo correction cannot match them.
  for (const step of ['select', 'select search_words_recompute(); select']) {
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
