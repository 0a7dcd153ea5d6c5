import { randomBytes, randomUUID } from 'node:crypto';
import { expect, test, vi } from 'vitest';
import { deriveKeys } from '#server/anonymity/keys.ts';
import { lockAccount } from '#server/features/accounts/identity/account-queries.ts';
import {
  unlockedColumns,
  updateAccount,
} from '#server/features/accounts/identity/account-writes.ts';
import {
  emailIndex,
  npiIndex,
  openIdentity,
  sealIdentity,
} from '#server/features/accounts/identity/identity.ts';
import {
  lastMail,
  linkFor,
  logIn,
  newDetails,
  newMember,
  PASSWORD,
  send,
  statusOf,
} from '#server/features/accounts/testing/account-flows.ts';
import { STEPS, waitingForLocks } from '#server/features/accounts/testing/index-keys.ts';
import { changeStoredSecrets, storedSecrets, watchStoredSecrets } from '#server/stored-secrets.ts';
import { buildTestApp, type TestApp } from '#server/testing/app.ts';
import { newEmail, signUp } from '#server/testing/factories.ts';
import { curbside } from './testing/curbside.ts';
import { serverWithStoredSecrets } from './testing/stored-secrets.ts';

vi.setConfig({ testTimeout: 60_000 });

/** Generous, for a busy machine. */
const WAIT = { timeout: 10_000 };

/** Counts the accounts that are found with the first of the given keys. */
async function foundBy({ deps }: TestApp, index: readonly Buffer[]): Promise<number> {
  const keys = deriveKeys({ ...deps.config.secrets, index });
  const rows = await deps.db
    .selectFrom('users')
    .leftJoin('doctors', 'doctors.user_id', 'users.id')
    .select(['id', 'sealed', 'email_index', 'npi_index'])
    .execute();
  return rows.filter(({ id, sealed, email_index, npi_index }) => {
    const { email, npi } = openIdentity(deps.keys, id, sealed);
    return (
      emailIndex(keys, email).equals(email_index) || npi_index?.equals(npiIndex(keys, npi ?? ''))
    );
  }).length;
}

test('rotates the index key while doctors sign up, log in, change their email, and request links', async () => {
  const { server, dataDir } = await serverWithStoredSecrets();
  const { index: before } = storedSecrets(dataDir);
  const [member, waiting] = [await newMember(server), await newMember(server)];
  await send(server, '/auth/password/reset/', { email: waiting.email });
  const reset = await linkFor(server, waiting.email, '/password-reset');

  let accounts = 2;
  let { email } = member;
  let rotating = true;
  const rotation = curbside(server, ['index', 'rotate']).finally(() => {
    rotating = false;
  });
  while (rotating) {
    await signUp(server, newDetails());
    accounts += 1;
    expect((await logIn(server, email, PASSWORD)).statusCode).toBe(200);
    const taken = newDetails({ email: waiting.email });
    await send(server, '/auth/register/', { action: 'create_account', ...taken });
    expect((await lastMail(server, waiting.email)).text).toContain('already have');
    const moved = newEmail();
    const { headers, id } = member;
    await send(server, `/users/${id}/`, { email: moved }, { headers, method: 'PATCH' });
    const link = await linkFor(server, moved, '/confirm-email');
    expect((await send(server, '/auth/email/confirm/', link)).statusCode).toBe(200);
    expect((await logIn(server, email, PASSWORD)).statusCode).toBe(401);
    email = moved;
  }
  expect(await rotation).toMatchObject({
    code: 0,
    output: expect.stringMatching(
      /^All accounts are found with the new key: \d+ were changed\.\n$/,
    ),
  });

  const { index: after } = storedSecrets(dataDir);
  expect(after).toHaveLength(1);
  expect(after).not.toEqual(before);
  expect(await foundBy(server, before)).toBe(0);
  expect(await foundBy(server, after)).toBe(accounts);
  expect((await logIn(server, email, PASSWORD)).statusCode).toBe(200);
  expect(await statusOf(server, member.access)).toBe(200);
  const url = '/api/auth/password/reset/validate/';
  expect((await server.app.inject({ url, query: reset })).statusCode).toBe(200);
});

/** Adds many accounts at once, which nobody signs in to. */
async function addMany({ deps }: TestApp, count: number) {
  const rows = Array.from({ length: count }, () => {
    const id = randomUUID();
    const { password: _, ...person } = newDetails();
    const identity = { ...person, npi: null, username: id, joined_on: '2025-08-12' };
    const sealed = sealIdentity(deps.keys, id, identity);
    const password = { hash: '', wrappingKey: randomBytes(32) };
    const columns = unlockedColumns(deps.keys, id, password);
    return { id, sealed, email_index: emailIndex(deps.keys, identity.email), ...columns };
  });
  await deps.db.insertInto('users').values(rows).execute();
}

test('after a stopped rotation, all accounts can be found, and the next one finishes it', async () => {
  const { server, dataDir } = await serverWithStoredSecrets();
  const { index: before } = storedSecrets(dataDir);
  const members = [await newMember(server), await newMember(server)];
  await addMany(server, 1200);
  const stopped = await curbside(server, ['index', 'rotate'], { stopAt: '500 of 1202' });
  expect(stopped).toMatchObject({ code: 1, output: '' });
  expect(stopped.errors).toContain('curbside: stopped: run it again to finish');
  const { index: half } = storedSecrets(dataDir);
  expect(half).toEqual([expect.any(Buffer), ...before]);
  expect(await foundBy(server, before)).toBeGreaterThan(0);
  expect(await foundBy(server, half)).toBeGreaterThan(0);
  for (const { email } of members) {
    expect((await logIn(server, email, PASSWORD)).statusCode).toBe(200);
  }

  expect((await curbside(server, ['index', 'rotate'])).code).toBe(0);
  const { index: after } = storedSecrets(dataDir);
  expect(after).toHaveLength(1);
  expect(await foundBy(server, before)).toBe(0);
  expect(await foundBy(server, after)).toBe(1202);
  for (const { email } of members) {
    expect((await logIn(server, email, PASSWORD)).statusCode).toBe(200);
  }
});

test('does not run two rotations at the same time', async () => {
  const { server, dataDir } = await serverWithStoredSecrets();
  const member = await newMember(server);
  const done = await Promise.all([
    curbside(server, ['index', 'rotate']),
    curbside(server, ['keys', 'rotate']),
  ]);
  expect(done.map(({ code }) => code).toSorted()).toEqual([0, 1]);
  expect(done.find(({ code }) => code === 1)?.errors).toBe(
    'curbside: keys are already being rotated: try again later\n',
  );
  expect(storedSecrets(dataDir)).toMatchObject({ index: { length: 1 }, sealing: { length: 1 } });
  expect((await logIn(server, member.email, PASSWORD)).statusCode).toBe(200);
});

test('a server that was starting during the rotation uses the new keys', async () => {
  const { dataDir } = await serverWithStoredSecrets();
  const starting = deriveKeys(storedSecrets(dataDir));
  const { index } = STEPS.after;
  const changed = changeStoredSecrets(dataDir, (secrets) => ({ ...secrets, index }));
  watchStoredSecrets(dataDir, starting.replace)();
  expect(starting.index('email', 'a')).toEqual(deriveKeys(changed).index('email', 'a'));
});

test('with keys set by the operator, accounts move to the first one and the old one can be removed', async () => {
  await using server = await buildTestApp({ config: { secrets: STEPS.rotating } });
  server.deps.keys.replace(STEPS.announced);
  const member = await newMember(server);
  server.deps.keys.replace(STEPS.rotating);
  const all = 'All accounts are found with the new key';
  const next = 'Now remove the old key and restart every server.';
  expect((await curbside(server, ['index', 'rotate'])).output).toBe(
    `${all}: 1 were changed.\n${next}\n`,
  );
  expect((await curbside(server, ['index', 'rotate'])).output).toBe(
    `${all}: 0 were changed.\n${next}\n`,
  );
  server.deps.keys.replace(STEPS.after);
  expect((await logIn(server, member.email, PASSWORD)).statusCode).toBe(200);
});

test('does not miss an account whose name changes during the rotation', async () => {
  await using server = await buildTestApp({ config: { secrets: STEPS.before } });
  const { deps } = server;
  const { id, email } = await newMember(server);
  deps.keys.replace(STEPS.rotating);
  const command = { deps: { ...deps, config: { ...deps.config, secrets: STEPS.rotating } } };
  const { promise: rotation, resolve } = Promise.withResolvers<ReturnType<typeof curbside>>();
  await deps.db.transaction().execute(async (trx) => {
    const account = await lockAccount(trx, id);
    if (!account) throw new Error('no account');
    resolve(curbside(command, ['index', 'rotate']));
    await vi.waitFor(async () => expect(await waitingForLocks(deps.db)).toBe(1), WAIT);
    const identity = { ...openIdentity(deps.keys, id, account.sealed), first_name: 'Grace' };
    await updateAccount(trx, id, { sealed: sealIdentity(deps.keys, id, identity) });
  });
  expect(await rotation).toMatchObject({ code: 0, output: expect.stringContaining(': 1 were') });
  deps.keys.replace(STEPS.after);
  const { user } = (await logIn(server, email, PASSWORD)).json();
  expect(user).toMatchObject({ id, first_name: 'Grace' });
});

test('with only one key set, explains what to do first, unless the previous key was lost', async () => {
  await using server = await buildTestApp({ config: { secrets: STEPS.after } });
  expect(await curbside(server, ['index', 'rotate'])).toMatchObject({
    code: 1,
    errors: expect.stringContaining('INDEX_KEY has one key'),
  });
  server.deps.keys.replace(STEPS.before);
  const member = await newMember(server);
  server.deps.keys.replace(STEPS.after);
  expect((await logIn(server, member.email, PASSWORD)).statusCode).toBe(401);
  expect((await curbside(server, ['index', 'rotate'])).code).toBe(0);
  expect((await logIn(server, member.email, PASSWORD)).statusCode).toBe(200);
});
