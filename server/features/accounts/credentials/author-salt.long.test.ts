import { randomBytes } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { accountEndpoints } from '#contract/endpoints/account.ts';
import { castVoteEndpoints, feedbackEndpoints } from '#contract/endpoints/feedback.ts';
import { curbside } from '#server/cli/testing/curbside.ts';
import { serverWithStoredSecrets } from '#server/cli/testing/stored-secrets.ts';
import { TEST_CONFIG } from '#server/testing/app.ts';
import { at, expect, type Site, testWith } from '#server/testing/site.ts';
import * as accounts from '../testing/account-flows.ts';
import { isLocked, lock, newPoster, ownIds } from '../testing/locked-account.ts';
import { openAuthorSalts } from './author-secret.ts';

const { NEW_PASSWORD, PASSWORD, canLogIn, logIn, newDevice, resetPassword } = accounts;

const [current, before, lost] = [randomBytes(32), randomBytes(32), randomBytes(32)];

/** Secrets with these authorship keys. */
const under = (...authorship: Buffer[]) => ({ ...TEST_CONFIG.secrets, authorship });
const goTo = ({ deps }: Site, ...authorship: Buffer[]) => deps.keys.replace(under(...authorship));

const test = testWith({ config: { secrets: under(current, before) } });

async function epochOf(site: Site, { id }: { id: string }): Promise<string> {
  const [{ author_salt } = expect.fail()] = await site.rows('users', { id });
  return openAuthorSalts(site.deps.keys, id, author_salt).epoch;
}

test('a lost authorship key locks nobody out whose reviews are not locked', async ({ site }) => {
  goTo(site, lost);
  const member = await newPoster(site);
  goTo(site, current, before);
  expect(await canLogIn(site, member.email)).toBe(true);
  expect(await curbside(site, ['authorship', 'rotate'])).toMatchObject({ code: 0 });
  // Locking creates a new salt.
  const review = await site.review({ by: await lock(site, member) });
  const again = await newDevice(site, member.email);
  expect([await isLocked(site, again), await ownIds(site, again)]).toEqual([true, [review.id]]);
});

test('if the authorship key is lost, a reset lets in a locked author', async ({ site }) => {
  goTo(site, lost);
  const { email } = await lock(site, await newPoster(site));
  goTo(site, current);
  // A session must not write as an unlocked author without the user's knowledge.
  expect((await logIn(site, email)).status).toBe(500);
  await resetPassword(site, email, NEW_PASSWORD);
  expect(await canLogIn(site, email, NEW_PASSWORD)).toBe(true);
});

/** All rows of a table, with their transactions and places. */
async function rowsOf({ deps }: Site, table: string): Promise<unknown[]> {
  const { rows } = await deps.database.pool.query(
    `select ctid, xmin, xmax, row.* from ${table} as row order by row::text`,
  );
  return rows;
}

test('the first log-in after a rotation changes only review authors', async ({ site }) => {
  goTo(site, before);
  const members = [await newPoster(site), await newPoster(site)] as const;
  const review = await site.review({ by: await lock(site, members[0]) });
  await site.as(members[1]).post(castVoteEndpoints.helpful, at(review.id));
  goTo(site, current, before);
  expect(await curbside(site, ['authorship', 'rotate'])).toMatchObject({ code: 0 });
  const [{ id: epoch }] = site.deps.keys.authorSalts;
  const quiet = ['users', 'doctors', 'reviews', 'review_votes', 'rate_limits'];
  const snapshot = () => Promise.all(quiet.map((table) => rowsOf(site, table)));
  const [rows, authors] = [await snapshot(), await rowsOf(site, 'review_authors')];
  for (const member of members) {
    expect(await epochOf(site, member)).toBe(epoch);
    const device = await newDevice(site, member.email);
    expect(await ownIds(site, device)).toEqual(member === members[0] ? [review.id] : []);
  }
  expect(await snapshot()).toEqual(rows);
  const moved = await rowsOf(site, 'review_authors');
  expect(moved).toHaveLength(authors.length);
  expect(moved.filter((row) => !authors.some((one) => isDeepStrictEqual(one, row)))).toMatchObject([
    { review_id: review.id },
  ]);
  const { rows: shared } = await site.deps.database.pool.query(
    'select from sessions join review_authors as author on author.xmin = sessions.xmin',
  );
  expect(shared).toEqual([]);
  // One log-in is enough.
  for (const member of members) await newDevice(site, member.email);
  expect(await rowsOf(site, 'review_authors')).toEqual(moved);
});

test('after rotations without a log-in, a locked author still has everything', async () => {
  const { server: site } = await serverWithStoredSecrets();
  const member = await newPoster(site);
  const others = await site.review();
  const session = await lock(site, member);
  await site.as(session).post(castVoteEndpoints.helpful, at(others.id));
  const ids = [(await site.review({ by: session })).id];
  for (let rotations = 0; rotations < 2; rotations += 1) {
    expect(await curbside(site, ['authorship', 'rotate'])).toMatchObject({ code: 0 });
    ids.push((await site.review({ by: session })).id);
  }
  const device = await newDevice(site, member.email);
  expect(await ownIds(site, device)).toEqual(ids.toSorted());
  const authors = await site.deps.db
    .selectFrom('review_authors')
    .select('author_key')
    .where('review_id', 'in', ids)
    .distinct()
    .execute();
  expect(authors).toHaveLength(1);
  const unlock = await site.as(device).post(accountEndpoints.unlockReviews, { password: PASSWORD });
  expect(unlock.status).toBe(200);
  const open = await newDevice(site, member.email);
  expect([await isLocked(site, open), await ownIds(site, open)]).toEqual([false, ids.toSorted()]);
  const marks = await site.as(open).get(feedbackEndpoints.ownVotes, { query: { ids: others.id } });
  expect(marks.body).toMatchObject({ helpful: [others.id] });
});
