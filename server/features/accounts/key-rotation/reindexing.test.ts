import { expect, test, vi } from 'vitest';
import { OperatorError } from '#server/operator-error.ts';
import { buildTestApp, type TestApp } from '#server/testing/app.ts';
import { newEmail } from '#server/testing/factories.ts';
import { lockAccount } from '../identity/account-queries.ts';
import { deleteAccount, updateAccount } from '../identity/account-writes.ts';
import { emailIndex, npiIndex, openIdentity, sealIdentity } from '../identity/identity.ts';
import { findProfile } from '../service.ts';
import { addAdmin, addDoctor } from '../signup/new-account.ts';
import { newDetails } from '../testing/account-flows.ts';
import { nodeAt, STEPS, waitingForLocks } from '../testing/index-keys.ts';
import { reindexAccounts } from './reindexing.ts';
import { accountIds } from './resealing.ts';

/** How long a statement may take to start on a busy machine. */
const WAIT = { timeout: 10_000 };
const person = { first_name: 'Ada', last_name: 'Example', password: null };
const newDoctor = (deps: TestApp['deps'], fields = {}) =>
  addDoctor(deps, { ...newDetails(fields), ...person });

async function reindex(
  { deps }: TestApp,
  userIds?: string[],
  signal = new AbortController().signal,
) {
  const progress: number[] = [];
  const ids = userIds ?? (await accountIds(deps.db));
  const round = await reindexAccounts(deps, ids, signal, (done) => progress.push(done));
  return { ...round, progress };
}

/** The accounts found by their address under only this step's key. */
async function foundAt({ deps }: TestApp, step: 'before' | 'after') {
  const { db, keys } = nodeAt(deps, step);
  const rows = await db
    .selectFrom('users')
    .leftJoin('doctors', 'doctors.user_id', 'users.id')
    .select(['id', 'sealed', 'email_index', 'npi_index'])
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

test('finds every account by the new key, and none by the old one', async () => {
  await using server = await buildTestApp({ config: { secrets: STEPS.before } });
  const ids = [await newDoctor(server.deps), await newDoctor(server.deps)];
  ids.push(await addAdmin(server.deps, { ...person, email: newEmail(), roles: ['owner'] }));
  server.deps.keys.replace(STEPS.rotating);
  ids.push(await newDoctor(server.deps));
  expect(await foundAt(server, 'before')).toHaveLength(3);
  expect(await reindex(server)).toEqual({ outdated: 3, changed: 3, progress: [4] });
  expect(await foundAt(server, 'before')).toEqual([]);
  expect(await foundAt(server, 'after')).toEqual(ids.toSorted());
  expect(await reindex(server)).toMatchObject({ outdated: 0, changed: 0 });
});

test('stops early when aborted, and a second run does the rest', async () => {
  await using server = await buildTestApp({ config: { secrets: STEPS.before } });
  await newDoctor(server.deps);
  server.deps.keys.replace(STEPS.rotating);
  expect(await reindex(server, undefined, AbortSignal.abort())).toEqual({
    outdated: 0,
    changed: 0,
    progress: [],
  });
  expect((await reindex(server)).changed).toBe(1);
});

test('skips an account that is changed or deleted at the same time', async () => {
  await using server = await buildTestApp({ config: { secrets: STEPS.before } });
  const { deps } = server;
  const [moved, gone, still] = [
    await newDoctor(deps),
    await newDoctor(deps),
    await newDoctor(deps),
  ];
  const ids = await accountIds(deps.db);
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
    resolve(reindex(server, ids));
    await vi.waitFor(async () => expect(await waitingForLocks(deps.db)).toBe(1), WAIT);
  });
  expect(await rekeyed).toMatchObject({ outdated: 3, changed: 1 });
  expect(await foundAt(server, 'after')).toEqual([still]);
  expect((await findProfile(deps.keys, deps.db, email))?.user.id).toBe(moved);
  expect((await reindex(server, ids)).changed).toBe(1);
  expect(await foundAt(server, 'after')).toEqual([moved, still].toSorted());
});

test('names two accounts with one address, created by a server without the new key', async () => {
  await using server = await buildTestApp({ config: { secrets: STEPS.rotating } });
  const { deps } = server;
  const email = newEmail();
  const first = await newDoctor(deps, { email });
  const second = await newDoctor(nodeAt(deps, 'before'), { email });
  const fault = await reindex(server).catch((error: unknown) => error);
  expect(fault).toBeInstanceOf(OperatorError);
  expect((fault as OperatorError).message).toBe(
    `accounts ${first} and ${second} have the same email address or NPI\n` +
      'delete one account of each pair before you remove the old key',
  );
  expect(await foundAt(server, 'before')).toEqual([second]);
});
