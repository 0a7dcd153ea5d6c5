import { sql } from 'kysely';
import type pg from 'pg';
import { openAuthor } from '#server/anonymity/author.ts';
import type { Clock } from '#server/anonymity/coarse-time.ts';
import type { Keys } from '#server/anonymity/keys.ts';
import type { Db } from '#server/db/open.ts';
import { lockAccount } from '#server/features/accounts/identity/account-queries.ts';
import { eraseAccount } from '#server/features/member/account-data.ts';
import { disownByAuthor } from '#server/features/reviews/rows/review-authors.ts';
import { removeUnmarked } from '#server/features/saved/saved.ts';
import { discardJobs } from '#server/jobs/queue.ts';

interface Replay {
  readonly keys: Keys;
  readonly clock: Clock;
}

/**
 * Deletes from restored tables what the loaded inventory does not have, and withdraws rights and
 * visibility that were withdrawn since the backup. Grants nothing that the inventory grants, except
 * staff roles, which follow it both ways.
 */
export async function replayDeletions(
  client: pg.ClientBase,
  trx: Db,
  { keys, clock }: Replay,
): Promise<{ accounts: number; reviews: number }> {
  await followStaff(client);
  // A review is deleted before the rows that refer to it, as in production.
  await client.query('set constraints all deferred');
  const reviews = await deleteReviews(client);
  const departed = await departedAccounts(client);
  await disownDeparted(trx, keys, departed);
  const discard = (db: Db, isMeant: Parameters<typeof discardJobs>[2]) =>
    discardJobs(db, keys, isMeant);
  for (const id of departed) {
    const account = await lockAccount(trx, id);
    if (account) await eraseAccount({ keys, clock, jobs: { discard } }, trx, account);
  }
  for (const statement of WITHDRAWALS) await client.query(statement);
  await removeUnmarked(trx, keys, (marks) => knownMarks(client, marks));
  await client.query('set constraints all immediate');
  return { accounts: departed.length, reviews };
}

/** Their triggers check each single change of roles. This is the result of several. */
async function followStaff(client: pg.ClientBase) {
  await client.query('alter table users disable trigger user');
  await client.query(`
    update users set is_admin = coalesce(now.is_admin, false), roles = coalesce(now.roles, '{}'),
      end_left = now.end_left, end_left_on = now.end_left_on
    from users as restored left join pg_temp.inventory_staff as now using (id)
    where users.id = restored.id
      and (now.id is not null or restored.is_admin or restored.end_left is not null)`);
  await client.query('alter table users enable trigger user');
}

async function deleteReviews(client: pg.ClientBase): Promise<number> {
  const { rowCount } = await client.query(`
    delete from reviews
    where not exists (select from pg_temp.inventory_reviews as now where now.id = reviews.id)`);
  // A review that was published since then is published again, at its minute.
  await client.query(`
    delete from scheduled_reviews as restored
    where not exists (select from pg_temp.inventory_scheduled_reviews as now where now.id = restored.id)
      and not exists (select from pg_temp.inventory_reviews as now where now.id = restored.id)`);
  return rowCount ?? 0;
}

async function departedAccounts(client: pg.ClientBase): Promise<string[]> {
  const { rows } = await client.query<{ id: string }>(`
    select id from users
    where not exists (select from pg_temp.inventory_users as now where now.id = users.id)
    order by id`);
  return rows.map(({ id }) => id);
}

/**
 * Gives random author keys to what departed authors left behind. Nobody can compute the author keys
 * of those who had locked their reviews. But reviews that shared a key in the backup, and no longer
 * share a tag in the inventory, have been left behind: any other change of keys moves them
 * together.
 */
async function disownDeparted(trx: Db, keys: Keys, departed: readonly string[]) {
  for (const id of departed) await disownByAuthor(trx, openAuthor(keys, id).keys);
  const { rows: separated } = await sql<{ author_key: Buffer }>`
    with now as (
      select id, author from pg_temp.inventory_reviews
      union all select id, author from pg_temp.inventory_scheduled_reviews
    )
    select author_key from review_authors join now on id = review_id
    group by author_key having count(*) > 1 and count(distinct author) = count(*)`.execute(trx);
  await disownByAuthor(
    trx,
    separated.map(({ author_key }) => author_key),
  );
}

/** Other withdrawals since the backup, in the lock order of docs/architecture.md. */
const WITHDRAWALS = [
  // A review that is public again stays hidden: a moderator may have required another text.
  `update reviews set removed_reason = now.removed_reason
    from pg_temp.inventory_reviews as now
    where now.id = reviews.id and now.removed_reason is not null and reviews.removed_reason is null`,
  `insert into departing_reviews (review_id, leaves_at)
    select review_id, leaves_at from pg_temp.inventory_departing_reviews
    where review_id in (select id from reviews)
    on conflict do nothing`,
  `delete from review_replies as restored where not exists (
    select from pg_temp.inventory_review_replies as now where now.review_id = restored.review_id)`,
  `update review_replies as restored set deleted = true
    from pg_temp.inventory_review_replies as now
    where now.review_id = restored.review_id and now.deleted and not restored.deleted`,
  `update review_replies as restored
    set removed = true, decided_on = now.decided_on, rule = now.rule, note = now.note
    from pg_temp.inventory_review_replies as now
    where now.review_id = restored.review_id and now.removed and not restored.removed`,
  `update doctors as restored set
      verified = restored.verified and now.verified,
      can_post_reviews = restored.can_post_reviews and now.can_post_reviews,
      posting_from = coalesce(now.posting_from, restored.posting_from),
      verification_status = case when restored.verified and not now.verified
        then 'needs_review' else restored.verification_status end
    from pg_temp.inventory_doctors as now
    where now.user_id = restored.user_id`,
  `update representatives as restored set state = now.state, reason = now.reason
    from pg_temp.inventory_representatives as now
    where now.user_id = restored.user_id and restored.state <> 'refused'`,
  // These name no account, and no other rows refer to them.
  'delete from npi_tombstones',
  `insert into npi_tombstones (npi_index, sealed, kind, ends_on)
    select npi_index, sealed, kind, ends_on from pg_temp.inventory_npi_tombstones`,
  'delete from saved_mailings',
  `insert into saved_mailings (week, done_to, is_done)
    select week, done_to, is_done from pg_temp.inventory_saved_mailings`,
];

async function knownMarks(
  client: pg.ClientBase,
  marks: readonly Buffer[],
): Promise<ReadonlySet<string>> {
  const { rows } = await client.query<{ mark: string }>(
    `select encode(mark, 'hex') as mark from pg_temp.inventory_saved where mark = any($1::bytea[])`,
    [marks],
  );
  return new Set(rows.map(({ mark }) => mark));
}
