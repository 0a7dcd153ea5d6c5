import { expect, test } from 'vitest';
import { countRows } from '#server/listing/page-query.ts';
import { buildTestApp } from '#server/testing/app.ts';
import { callApi } from '#server/testing/call-api.ts';
import { newEmployer, reviewOf, signedInDoctor } from '#server/testing/factories.ts';
import { REVIEWS } from './list-query.ts';
import { countSearch, estimateMatches } from './search.ts';

const ALL = { page: 1, page_size: 20 };
/** How many of 2,048 reviews have the word. */
const WORDS = { all: 2048, half: 1024, fourth: 512, eighth: 256 };

test('a sample estimates how common a search is, with and without filters', async () => {
  await using server = await buildTestApp();
  const { db, database } = server.deps;
  const employer = await newEmployer(server, { name: 'Cedar Valley Hospital', state: 'IL' });
  const rows = Array.from({ length: 2048 }, (_, at) => ({
    // The sample has 8 of every 256.
    id: `${at.toString(16).padStart(4, '0').slice(2)}${at.toString(16).padStart(6, '0')}-0000-4000-8000-000000000000`,
    author_key: Buffer.concat([Buffer.alloc(30), Buffer.from([at >> 8, at & 255])]),
    employer_id: employer,
    created_at: new Date(Date.UTC(2024, 0, 1)),
    overall_rating: 3,
    work_life_balance_rating: 3,
    mentorship_growth_rating: 3,
    team_collaboration_rating: 3,
    compensation_benefits_rating: 3,
    review_text: Object.keys(WORDS)
      .filter((_word, n) => (at >> 8) % 2 ** n === 0)
      .join(' '),
    position_title: 'Hospitalist',
    start_year: 2020,
    is_current_employee: true,
    would_recommend: at % 2 === 0,
  }));
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

test.each(['62e198e9', '6e1f', '5e3', '5e3x6e7'])(
  'finds %s, which PostgreSQL parses as a number or as several words',
  async (word) => {
    await using server = await buildTestApp();
    const name = `Quill ${word} Clinic`;
    const employer = await newEmployer(server, { name });
    const author = await signedInDoctor(server);
    await callApi(server, 'POST', '/reviews/', author, reviewOf(employer));
    for (const list of ['reviews', 'employers']) {
      for (const search of [name, word, word.slice(0, -1)]) {
        const path = `/${list}/?${new URLSearchParams({ search })}`;
        const found = (await callApi(server, 'GET', path)).json();
        expect([list, search, found.count, found.is_closest]).toEqual([list, search, 1, undefined]);
      }
    }
  },
);
