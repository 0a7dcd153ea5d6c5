import { moderationEndpoints } from '#contract/endpoints/moderation.ts';
import { positionTitleEndpoints, reviewEndpoints } from '#contract/endpoints/reviews.ts';
import { reviewOf, type TestAccount } from '#server/testing/factories.ts';
import { at, expect, type Site, testWith } from '#server/testing/site.ts';

/** The nightly job changes the suggestions for everyone. */
const test = testWith();

const lettersOf = (title: string) => title.toLowerCase().replaceAll(/[^a-z]/g, '');

/** How the public endpoint spells a title; empty if it does not suggest it. */
async function suggested(site: Site, search: string): Promise<string[]> {
  const { body } = await site.visitor().get(positionTitleEndpoints.list, { query: { search } });
  const titles = body.results.map(({ title }) => title);
  return titles.filter((title) => lettersOf(title) === lettersOf(search));
}

/** A review with this title, by default by a new doctor. */
async function post(site: Site, position_title: string, account?: TestAccount) {
  const author = account ?? (await site.doctor());
  const { id } = await site.review({ by: author, position_title });
  return { id, author };
}

test('posting, editing, and deleting do not change suggestions, so nobody learns who wrote two reviews', async ({
  site,
}) => {
  // Two reviews by one author with one title, and by two authors with another.
  const { author } = await post(site, 'Quarry Medic');
  await post(site, 'Quarry Medic', author);
  await post(site, 'Glacier Physician');
  await post(site, 'Glacier Physician');
  for (const title of ['Quarry Medic', 'Glacier Physician']) {
    const { id, author } = await post(site, title);
    const attacker = site.as(author);
    expect(await suggested(site, title), title).toEqual([]);
    const change = reviewOf(0, { position_title: `${title} II` });
    expect((await attacker.patch(reviewEndpoints.edit, change, at(id))).status).toBe(200);
    expect(await suggested(site, title), title).toEqual([]);
    expect((await attacker.delete(reviewEndpoints.delete, at(id))).status).toBe(204);
    expect(await suggested(site, title), title).toEqual([]);
  }
});

test('the nightly job decides only by public counts, so adding reviews reveals nothing about authors', async ({
  site,
}) => {
  const { author } = await post(site, 'Canyon Physician');
  await post(site, 'Canyon Physician', author);
  await post(site, 'Tundra Medic');
  await post(site, 'Tundra Medic');
  for (let uses = 2; uses <= 11; uses += 1) {
    await site.run('refresh-titles');
    // The commit's notification may arrive after the next request.
    site.deps.cache.changed(['position_titles']);
    for (const position_title of ['Canyon Physician', 'Tundra Medic']) {
      const query = { position_title };
      expect((await site.visitor().get(reviewEndpoints.list, { query })).body.count).toBe(uses);
      const expected = uses < 10 ? [] : [position_title];
      expect(await suggested(site, position_title), `${uses}`).toEqual(expected);
      await post(site, position_title);
    }
  }
});

test('titles change only at night, in their most common spelling', async ({ site }) => {
  const last = await post(site, 'harbour-doctor');
  for (let number = 1; number < 10; number += 1) {
    await post(site, number % 3 === 0 ? 'harbour-doctor' : 'Harbour Doctor');
  }
  expect(await suggested(site, 'harbour doctor')).toEqual([]);
  await site.run('refresh-titles');
  await expect.poll(() => suggested(site, 'harbour doctor')).toEqual(['Harbour Doctor']);

  const deleted = await site.as(last.author).delete(reviewEndpoints.delete, at(last.id));
  expect(deleted.status).toBe(204);
  expect(await suggested(site, 'harbour doctor')).toEqual(['Harbour Doctor']);
  await site.run('refresh-titles');
  await expect.poll(() => suggested(site, 'harbour doctor')).toEqual([]);
});

test('a removed review does not count, and curated titles always stay', async ({ site }) => {
  const { id } = await post(site, 'Lighthouse Physician');
  for (let number = 1; number < 10; number += 1) await post(site, 'Lighthouse Physician');
  await post(site, 'HOSPITALIST');
  const admin = site.as(await site.admin());
  const removed = await admin.post(moderationEndpoints.remove, { reason: 'Not a review' }, at(id));
  expect(removed.status).toBe(200);
  await site.run('refresh-titles');
  expect(await suggested(site, 'Lighthouse Physician')).toEqual([]);
  expect(await suggested(site, 'hospitalist')).toEqual(['Hospitalist']);
});

test('the refresh and writers do not block each other', async ({ site }) => {
  const writer = await site.deps.database.background.pool.connect();
  try {
    // A transaction that writes a review and stays open.
    await writer.query('begin; lock table reviews in row exclusive mode');
    await site.run('refresh-titles');
    await writer.query('rollback');
    await writer.query('begin; lock table position_titles in access exclusive mode');
    await post(site, 'Hospitalist');
  } finally {
    await writer.query('rollback');
    writer.release();
  }
});
