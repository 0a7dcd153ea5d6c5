import { randomBytes } from 'node:crypto';
import { expect } from 'vitest';
import { newRecoveryCode } from '#contract/accounts/recovery-code.ts';
import { accountEndpoints } from '#contract/endpoints/account.ts';
import { savedEndpoints } from '#contract/endpoints/saved.ts';
import { inTransaction } from '#server/db/transaction.ts';
import {
  accountIds,
  addAuthorSalts,
  reindexAccounts,
  resealIdentities,
} from '#server/features/accounts/key-rotation/key-rotation.ts';
import { TEST_CONFIG } from '#server/testing/app.ts';
import { newEmail } from '#server/testing/factories.ts';
import { newSite, type Site, testWith } from '#server/testing/site.ts';
import * as flows from '../testing/account-flows.ts';
import { besideOther } from '../testing/beside-other.ts';
import { waitingForLocks } from '../testing/index-keys.ts';
import { lock, newPoster, ownIds } from '../testing/locked-account.ts';
import { appointAccount, dismissAccount } from './staff.ts';

const { NEW_PASSWORD, PASSWORD, changeProfile, confirmEmail, linkFor, logIn, newDevice } = flows;
const { newMember, resetPassword, stopEmailChange } = flows;

const test = testWith().extend('member', ({ site }) => newPoster(site));

/** Transactions that wrote, locked, or deleted rows of these tables, as the rows show them. */
async function marks({ deps }: Site, table: string): Promise<string[]> {
  const { rows } = await deps.database.pool.query<{ marks: string[] }>(
    `select distinct unnest(array[xmin::text, xmax::text]) as marks from ${table}`,
  );
  return rows.flatMap((row) => row.marks).filter((mark) => mark !== '0');
}

async function rowOf({ deps }: Site, { id }: flows.Member) {
  const { rows } = await deps.database.pool.query(
    'select ctid::text, xmin::text, xmax::text from users where id = $1',
    [id],
  );
  return rows;
}

/** No transaction shows in both a session and an account. */
async function expectApart(site: Site) {
  const accounts = new Set(await marks(site, 'users'));
  const sessions = await marks(site, 'sessions');
  expect(sessions.length).toBeGreaterThan(0);
  expect(sessions.filter((mark) => accounts.has(mark))).toEqual([]);
}

test('a log-in and saving leave no mark in the row of the account', async ({ site, member }) => {
  const before = await rowOf(site, member);
  const device = await newDevice(site, member.email);
  const entries = ['/employers/1'];
  expect((await site.as(device).post(savedEndpoints.save, { entries })).status).toBe(200);
  expect(await rowOf(site, member)).toEqual(before);
  await expectApart(site);
});

test('no way to get a session leaves the same transaction in the account and the session', async ({
  site,
  member,
}) => {
  await newMember(site);
  await expectApart(site);
  const locked = await lock(site, member);
  await expectApart(site);
  const { body } = await site.as(locked).post(accountEndpoints.unlockReviews, {
    password: PASSWORD,
  });
  expect(body.refresh).not.toBe(locked.refresh);
  await expectApart(site);
});

/** Logs in with the old password while the change holds the account. */
async function logInBeside<T>(site: Site, { email }: flows.Member, change: () => Promise<T>) {
  let login: ReturnType<typeof logIn> | undefined;
  const answer = await besideOther(
    site,
    // Each change ends sessions, after it has locked the account.
    (client) => client.query('lock table sessions in share mode'),
    change,
    async () => {
      login = logIn(site, email);
      await expect.poll(() => waitingForLocks(site.deps.db)).toBe(2);
    },
  );
  if (!login) throw new Error('no log-in');
  return { answer, login: await login };
}

const sessionsOf = (site: Site, { id }: flows.Member) => {
  const account_key = site.deps.keys.sessionIndex('session-account', id);
  return site.rows('sessions', { account_key }, ['id']);
};

test('beside a password change, the old password starts no session', async ({ site, member }) => {
  const passwords = { current_password: PASSWORD, new_password: NEW_PASSWORD };
  const { answer, login } = await logInBeside(site, member, () =>
    site.as(member).post(accountEndpoints.changePassword, passwords),
  );
  expect([answer.status, login.status]).toEqual([200, 401]);
  expect(await sessionsOf(site, member)).toHaveLength(1);
  expect((await logIn(site, member.email, NEW_PASSWORD)).status).toBe(200);
});

test('beside a deletion, a log-in starts no session', async ({ site, member }) => {
  const { answer, login } = await logInBeside(site, member, () =>
    site.as(member).post(accountEndpoints.delete, { password: PASSWORD, reviews: 'delete' }),
  );
  expect([answer.status, login.status]).toEqual([200, 401]);
  expect(await sessionsOf(site, member)).toEqual([]);
});

test('beside a lock, a log-in starts a session of the locked author', async ({ site, member }) => {
  const { id } = await site.review({ by: member });
  const { answer, login } = await logInBeside(site, member, () =>
    site.as(member).post(accountEndpoints.lockReviews, {
      password: PASSWORD,
      recovery_code: newRecoveryCode(),
    }),
  );
  expect([answer.status, login.status]).toEqual([200, 200]);
  const device = { headers: { authorization: `Bearer ${login.body.access}` } };
  expect(await ownIds(site, device)).toEqual([id]);
});

test('beside a deletion, saving keeps nothing', async ({ site, member }) => {
  const other = await newDevice(site, member.email);
  let saving: Promise<{ status: number }> | undefined;
  await besideOther(
    site,
    (client) => client.query('lock table sessions in share mode'),
    () => site.as(member).post(accountEndpoints.delete, { password: PASSWORD, reviews: 'delete' }),
    async () => {
      saving = site.as(other).post(savedEndpoints.save, { entries: ['/employers/1'] });
      await expect.poll(() => waitingForLocks(site.deps.db)).toBe(2);
    },
  );
  expect((await saving)?.status).toBe(401);
  const { rows } = await site.deps.database.pool.query(
    'select from saved_lists where user_id = $1',
    [member.id],
  );
  expect(rows).toEqual([]);
});

/** Rejects a change of an account whose transaction does not hold the account's lock. */
const WATCH = `
  create function watch_lock() returns trigger language plpgsql as $$
  declare
    lock constant bigint := ('x' || left(replace(old.id::text, '-', ''), 16))::bit(64)::bigint;
  begin
    if not exists (select from pg_locks where locktype = 'advisory' and pid = pg_backend_pid()
      and mode = 'ExclusiveLock' and classid = ((lock >> 32) & 4294967295)::oid
      and objid = (lock & 4294967295)::oid)
    then
      raise exception 'changed without a lock: %', tg_op;
    end if;
    return coalesce(new, old);
  end $$;
  create trigger watch_lock before update or delete on users
    for each row execute function watch_lock()`;

test('every change to an account holds its lock', async () => {
  const site = await newSite();
  const { deps } = site;
  await deps.database.pool.query(WATCH);
  await expect(deps.database.pool.query('update users set sealed = sealed')).resolves.toBeTruthy();
  const member = await newPoster(site);
  await expect(deps.database.pool.query('update users set sealed = sealed')).rejects.toThrow(
    'changed without a lock',
  );

  const email = newEmail();
  expect((await changeProfile(site, member, { email })).status).toBe(200);
  const undo = await linkFor(site, member.email, '/stop-email-change');
  expect((await confirmEmail(site, await linkFor(site, email, '/confirm-email'))).status).toBe(200);
  expect((await stopEmailChange(site, undo)).status).toBe(200);
  expect((await resetPassword(site, member.email, PASSWORD)).status).toBe(200);
  const device = await newDevice(site, member.email);
  const { headers } = await lock(site, { ...member, ...device });
  const unlocking = { password: PASSWORD };
  expect((await site.as({ headers }).post(accountEndpoints.unlockReviews, unlocking)).status).toBe(
    200,
  );

  const { userId } = await site.admin();
  const other = await site.admin();
  await inTransaction(deps.db, (trx) => appointAccount(trx, userId, ['curator']));
  await inTransaction(deps.db, (trx) => dismissAccount(trx, userId));
  expect(other.userId).not.toBe(userId);

  const { sealing, index, authorship, session } = TEST_CONFIG.secrets;
  deps.keys.replace({
    sealing: [{ id: 'k2', key: randomBytes(32) }, ...sealing],
    index: [randomBytes(32), ...index],
    authorship: [randomBytes(32), ...authorship],
    session,
  });
  const ids = await accountIds(deps.db);
  expect(await resealIdentities(deps, ids, () => {})).toBe(3);
  expect(await addAuthorSalts(deps, ids, () => {})).toBe(3);
  const never = new AbortController().signal;
  expect(await reindexAccounts(deps, ids, never, () => {})).toEqual({ outdated: 3, changed: 3 });

  const last = await newDevice(site, member.email);
  expect((await changeProfile(site, { ...member, ...last }, { first_name: 'Grace' })).status).toBe(
    200,
  );
  const leaving = { password: PASSWORD, reviews: 'delete' } as const;
  expect((await site.as(last).post(accountEndpoints.delete, leaving)).status).toBe(200);
});
