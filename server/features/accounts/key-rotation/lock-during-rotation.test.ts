import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type pg from 'pg';
import { newRecoveryCode } from '#contract/accounts/recovery-code.ts';
import { accountEndpoints } from '#contract/endpoints/account.ts';
import { castVoteEndpoints } from '#contract/endpoints/feedback.ts';
import { PASSWORD } from '#server/features/accounts/testing/account-flows.ts';
import { besideOther } from '#server/features/accounts/testing/beside-other.ts';
import { newPoster } from '#server/features/accounts/testing/locked-account.ts';
import { rotateAuthorKeys } from '#server/features/reviews/author-keys.ts';
import { TEST_CONFIG } from '#server/testing/app.ts';
import { expect, testWith } from '#server/testing/site.ts';

/** The secrets during a rotation of the authorship key. */
const rotating = { ...TEST_CONFIG.secrets, authorship: [randomBytes(32), randomBytes(32)] };

const test = testWith({ config: { secrets: rotating } })
  .extend('member', ({ site }) => newPoster(site))
  .extend('review', ({ site }) => site.review());

test('also locks a vote that a rotation is moving', async ({ site, member, review: { id } }) => {
  const { keys, db } = site.deps;
  keys.replace({ ...rotating, authorship: rotating.authorship.slice(1) });
  await site.as(member).post(castVoteEndpoints.helpful, { params: { id } });
  keys.replace(rotating);
  const [current, old] = keys.deedKeys('vote', member.id, id);
  const lock = { password: PASSWORD, recovery_code: newRecoveryCode() };
  const answer = await besideOther(
    site,
    (client) =>
      client.query('update review_votes set voter_key = $1 where voter_key = $2', [current, old]),
    () => site.as(member).post(accountEndpoints.lockReviews, lock),
  );
  expect(answer.status).toBe(200);
  const votes = db.selectFrom('review_votes').select('voter_key').where('review_id', '=', id);
  const { voter_key } = await votes.executeTakeFirstOrThrow();
  expect([current, old]).not.toContainEqual(voter_key);
});

test('also locks a review that a rotation is moving at the same time', async ({ site, member }) => {
  const { keys, db } = site.deps;
  keys.replace({ ...rotating, authorship: rotating.authorship.slice(1) });
  const { id } = await site.review({ by: member });
  keys.replace(rotating);
  const [current, old] = keys.authorKeys(member.id);
  const lock = { password: PASSWORD, recovery_code: newRecoveryCode() };
  const answer = await besideOther(
    site,
    (client) =>
      client.query('update review_authors set author_key = $1 where author_key = $2', [
        current,
        old,
      ]),
    () => site.as(member).post(accountEndpoints.lockReviews, lock),
  );
  expect(answer.status).toBe(200);
  const authors = db.selectFrom('review_authors').select('author_key').where('review_id', '=', id);
  const { author_key } = await authors.executeTakeFirstOrThrow();
  expect([current, old]).not.toContainEqual(author_key);
});

test("a vote locks an author's keys in the order of all else", async ({ site, review: { id } }) => {
  const asNumber = (key: Buffer) => key.readBigInt64BE();
  // As text, the numbers sort the other way around.
  for (;;) {
    const member = await newPoster(site);
    const keys = site.deps.keys.authorKeys(member.id).toSorted(Buffer.compare);
    const [first = 0n, second = 0n] = keys.map(asNumber);
    if (String(first) < String(second)) continue;
    const answer = await besideOther(
      site,
      (client) => client.query('select pg_advisory_xact_lock($1)', [String(first)]),
      () => site.as(member).post(castVoteEndpoints.helpful, { params: { id } }),
      async (client) => {
        const { rows } = await client.query('select pg_try_advisory_xact_lock($1) as free', [
          String(second),
        ]);
        expect(rows).toEqual([{ free: true }]);
      },
    );
    expect(answer.status).toBe(200);
    return;
  }
});

test('also moves a review while its author edits its position', async ({ site, member }) => {
  const { keys, db } = site.deps;
  keys.replace({ ...rotating, authorship: rotating.authorship.slice(1) });
  const { id } = await site.review({ by: member });
  keys.replace(rotating);
  const [current] = keys.authorKeys(member.id);
  const row = db
    .selectFrom('review_authors')
    .select(['author_key', sql<string>`tableoid::regclass::text`.as('partition')])
    .where('review_id', '=', id);
  const before = await row.executeTakeFirstOrThrow();
  const changed = await besideOther(
    site,
    async (client) => {
      // Until it is in another partition: a row that moves there is no longer found where it was.
      for (let n = 0; (await partitionIn(client)) === before.partition; n += 1)
        await client.query(
          'update review_authors set job = substring(sha256(int4send($1)) for 16) where review_id = $2',
          [n, id],
        );
    },
    () => rotateAuthorKeys(site.deps, [member.id]),
  );
  expect(changed).toBe(1);
  const after = await row.executeTakeFirstOrThrow();
  expect(after.author_key).toEqual(current);
  expect(after.partition).not.toBe(before.partition);

  async function partitionIn(client: pg.PoolClient): Promise<unknown> {
    const { rows } = await client.query(
      'select tableoid::regclass::text as name from review_authors where review_id = $1',
      [id],
    );
    return rows[0]?.name;
  }
});
