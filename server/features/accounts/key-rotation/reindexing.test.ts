import { OperatorError } from '#server/errors/operator-error.ts';
import { lockAccount } from '#server/features/accounts/identity/account-queries.ts';
import { deleteAccount, updateAccount } from '#server/features/accounts/identity/account-writes.ts';
import {
  emailIndex,
  npiIndex,
  openIdentity,
  sealIdentity,
} from '#server/features/accounts/identity/identity.ts';
import { findProfile } from '#server/features/accounts/identity/profiles.ts';
import { addAdmin, addDoctor } from '#server/features/accounts/signup/signup.ts';
import { newDetails } from '#server/features/accounts/testing/account-flows.ts';
import { nodeAt, STEPS, waitingForLocks } from '#server/features/accounts/testing/index-keys.ts';
import { newEmail } from '#server/testing/factories.ts';
import { expect, type Site, testWith } from '#server/testing/site.ts';
import { accountIds, reindexAccounts } from './key-rotation.ts';

const test = testWith({ config: { secrets: STEPS.before } }).extend(
  'start',
  { auto: true },
  ({ site }) => site.deps.keys.replace(STEPS.before),
);

const newDoctor = (deps: Site['deps'], fields = {}) =>
  addDoctor(deps, { ...newDetails(fields), password: null });

async function reindex(
  { deps }: Site,
  userIds: readonly string[],
  signal = new AbortController().signal,
) {
  const progress: number[] = [];
  const round = await reindexAccounts(deps, userIds, signal, (done) => progress.push(done));
  return { ...round, progress };
}

/** Those of the accounts that are found by their address under only this step's key. */
async function foundAt({ deps }: Site, step: 'before' | 'after', ids: readonly string[]) {
  const { db, keys } = nodeAt(deps, step);
  const rows = await db
    .selectFrom('users')
    .leftJoin('doctors', 'doctors.user_id', 'users.id')
    .select(['id', 'sealed', 'email_index', 'npi_index'])
    .where('id', 'in', ids)
    .execute();
  return rows
    .filter((row) => {
      const { email, npi } = openIdentity(keys, row.id, row.sealed);
      const isNpi = npi === null || row.npi_index?.equals(npiIndex(keys, npi));
      return row.email_index.equals(emailIndex(keys, email)) && isNpi;
    })
    .map(({ id }) => id)
    .toSorted();
}

test('finds every account by the new key, and none by the old one', async ({ site }) => {
  const { deps } = site;
  const ids = [await newDoctor(deps), await newDoctor(deps)];
  const admin = { ...newDetails(), password: null, roles: ['owner'] as const };
  ids.push(await addAdmin(deps, admin));
  deps.keys.replace(STEPS.rotating);
  ids.push(await newDoctor(deps));
  expect(await accountIds(deps.db)).toEqual(expect.arrayContaining(ids));
  expect(await foundAt(site, 'before', ids)).toHaveLength(3);
  expect(await reindex(site, ids)).toEqual({ outdated: 3, changed: 3, progress: [4] });
  expect(await foundAt(site, 'before', ids)).toEqual([]);
  expect(await foundAt(site, 'after', ids)).toEqual(ids.toSorted());
  expect(await reindex(site, ids)).toMatchObject({ outdated: 0, changed: 0 });
});

test('stops early when aborted, and a second run does the rest', async ({ site }) => {
  const ids = [await newDoctor(site.deps)];
  site.deps.keys.replace(STEPS.rotating);
  expect(await reindex(site, ids, AbortSignal.abort())).toEqual({
    outdated: 0,
    changed: 0,
    progress: [],
  });
  expect((await reindex(site, ids)).changed).toBe(1);
});

test('skips an account that is changed or deleted at the same time', async ({ site }) => {
  const { deps } = site;
  const [moved, gone, still] = [
    await newDoctor(deps),
    await newDoctor(deps),
    await newDoctor(deps),
  ];
  const ids = [moved, gone, still];
  deps.keys.replace(STEPS.rotating);
  // A server that still writes under the old key.
  const { keys } = nodeAt(deps, 'announced');
  const email = newEmail();
  const { promise: rekeyed, resolve } = Promise.withResolvers<ReturnType<typeof reindex>>();
  await deps.db.transaction().execute(async (trx) => {
    const account = await lockAccount(trx, moved);
    if (!account) throw new Error('no account');
    const identity = { ...openIdentity(keys, moved, account.sealed), email };
    const sealed = sealIdentity(keys, moved, identity);
    await updateAccount(trx, moved, { sealed, email_index: emailIndex(keys, email) });
    await deleteAccount(trx, gone);
    resolve(reindex(site, ids));
    await expect.poll(() => waitingForLocks(deps.db)).toBe(1);
  });
  expect(await rekeyed).toMatchObject({ outdated: 3, changed: 1 });
  expect(await foundAt(site, 'after', ids)).toEqual([still]);
  expect((await findProfile(deps.keys, deps.db, email))?.user.id).toBe(moved);
  expect((await reindex(site, ids)).changed).toBe(1);
  expect(await foundAt(site, 'after', ids)).toEqual([moved, still].toSorted());
});

test('names two accounts with one address, made by a server without the key', async ({ site }) => {
  const { deps } = site;
  deps.keys.replace(STEPS.rotating);
  const email = newEmail();
  const first = await newDoctor(deps, { email });
  const second = await newDoctor(nodeAt(deps, 'before'), { email });
  const fault = await reindex(site, [first, second]).catch((error: unknown) => error);
  expect(fault).toBeInstanceOf(OperatorError);
  expect((fault as OperatorError).message).toBe(
    `accounts ${first} and ${second} have the same email address or NPI\n` +
      'delete one account of each pair before you remove the old key',
  );
  expect(await foundAt(site, 'before', [first, second])).toEqual([second]);
});
