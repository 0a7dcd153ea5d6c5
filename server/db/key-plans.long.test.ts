import type pg from 'pg';
import { accountEndpoints } from '#contract/endpoints/account.ts';
import { castVoteEndpoints, feedbackEndpoints } from '#contract/endpoints/feedback.ts';
import { savedEndpoints } from '#contract/endpoints/saved.ts';
import {
  addMember,
  changeProfile,
  newDevice,
  newMember,
  PASSWORD,
  refreshWith,
  resetPassword,
} from '#server/features/accounts/testing/account-flows.ts';
import { lock, newPoster, ownIds } from '#server/features/accounts/testing/locked-account.ts';
import { at, expect, newSite, type Site, test } from '#server/testing/site.ts';

/** Tables of which a request reads only what belongs to one account, key, or review. */
const KEYED = [
  'users',
  'doctors',
  'sessions',
  'one_time_codes',
  'password_resets',
  'email_changes',
  'email_undos',
  'rate_limits',
  'saved_lists',
  'npi_tombstones',
  'mailbox_marks',
  'review_authors',
  'review_votes',
  'review_reports',
];
const SCAN = new RegExp(`Seq Scan on (${KEYED.join('|')})(_\\d)?\\b`);

/** Fills each of these tables with rows of nobody. */
const FILL = `
  set session_replication_role = replica;
  create temp table n as select n, sha256(n::text::bytea) as key, md5(n::text)::uuid as id
    from generate_series(1, 5000) as n;
  insert into users (id, sealed, email_index, password_hash, author_secret, recovery_secret, author_salt)
    select id, key, key, 'none', substring(key || key for 60), substring(key || key for 60), key from n;
  insert into doctors (user_id, npi_index) select id, key from n;
  insert into sessions select id, key, key, '2100-01-01' from n;
  insert into one_time_codes select key, key, key from n;
  insert into password_resets select key, key, key from n;
  insert into email_changes (account_key, confirm_hash, sealed) select key, key, key from n;
  insert into email_undos select key, key, key, key, 1, '2100-01-01' from n;
  insert into rate_limits select key, 1, null, '2100-01-01' from n;
  insert into saved_lists select id, substring(decode(repeat(md5(n::text), 300), 'hex') for 3622) from n;
  insert into npi_tombstones select key, key, 'left_reviews', '2100-01-01' from n;
  insert into mailbox_marks select key from n;
  -- As many in each partition.
  create temp table many as select sha256(n::text::bytea) as key, md5(n::text)::uuid as id
    from generate_series(1, 20000) as n;
  insert into review_authors (review_id, author_key, job)
    select id, key, substring(key for 16) from many;
  insert into review_votes select id, key, true from many;
  insert into review_reports select id, key, 'other', '', '2026-01-01' from n`;

/** What members do, except what looks for everyone, such as an office's lists. */
async function act(site: Site) {
  const others = await site.review();
  await newMember(site);
  const member = await newPoster(site);
  const me = site.as(member);
  await site.review({ by: member });
  await site.review({ by: member, publish: 'later' });
  await me.post(castVoteEndpoints.helpful, at(others.id));
  await me.post(feedbackEndpoints.report, { reason: 'other' }, at(others.id));
  await me.get(feedbackEndpoints.ownVotes, { query: { ids: others.id } });
  await me.post(savedEndpoints.save, { entries: ['/employers/1'] });
  await me.get(savedEndpoints.list);
  await ownIds(site, await lock(site, member));
  await refreshWith(site, await newDevice(site, member.email));
  await resetPassword(site, member.email, PASSWORD);
  await changeProfile(
    site,
    { ...member, ...(await newDevice(site, member.email)) },
    { email: 'new@mail.example' },
  );
  await site.jobs.idle();
  for (const reviews of ['keep', 'delete'] as const) {
    const leaver = await addMember(site);
    await site.as(leaver).post(accountEndpoints.delete, { password: PASSWORD, reviews });
  }
}

/** How PostgreSQL runs a statement whatever its values. */
async function planOf(client: pg.PoolClient, statement: string): Promise<string> {
  await client.query(`prepare asked as ${statement}`);
  const { rows } = await client.query<{ values: string | null }>(
    `select (select string_agg('null', ', ') from unnest(parameter_types)) as values
     from pg_prepared_statements where name = 'asked'`,
  );
  const values = rows[0]?.values;
  const { rows: plan } = await client.query<{ 'QUERY PLAN': string }>(
    `explain execute asked${values ? ` (${values})` : ''}`,
  );
  await client.query('deallocate asked');
  return plan.map((row) => row['QUERY PLAN']).join('\n');
}

test('every request finds accounts, keys, and hashes in an index, with and without statistics', async () => {
  const site = await newSite();
  await act(site);
  const statements = [...site.statements].filter((text) =>
    /^(select|insert|update|delete|with)\b/.test(text.trim()),
  );
  expect(statements.length).toBeGreaterThan(50);
  const client = await site.deps.database.background.pool.connect();
  await client.query(FILL);
  await client.query('set plan_cache_mode = force_generic_plan');
  expect(await planOf(client, 'select from users where password_hash = $1')).toMatch(SCAN);
  // Autovacuum may do any of it, in any partition, at any time.
  for (const upkeep of ['', 'vacuum review_votes_1, review_authors_1', 'analyze', 'vacuum']) {
    await client.query(upkeep);
    for (const statement of statements) {
      const plan = await planOf(client, statement);
      expect([statement, plan]).toEqual([statement, expect.not.stringMatching(SCAN)]);
    }
  }
  client.release(true);
});
