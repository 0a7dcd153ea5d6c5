import { randomBytes, randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { accountEndpoints } from '#contract/endpoints/account.ts';
import { sessionEndpoints } from '#contract/endpoints/session.ts';
import { deriveKeys } from '#server/anonymity/keys.ts';
import {
  changeStoredSecrets,
  storedSecrets,
  watchStoredSecrets,
} from '#server/config/stored-secrets.ts';
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
  addMember,
  lastMail,
  linkFor,
  logIn,
  newDetails,
} from '#server/features/accounts/testing/account-flows.ts';
import { STEPS, waitingForLocks } from '#server/features/accounts/testing/index-keys.ts';
import { newEmail, signUp } from '#server/testing/factories.ts';
import { type Site, testWith } from '#server/testing/site.ts';
import { curbside } from './testing/curbside.ts';
import { folderWithSecrets, serverWithStoredSecrets } from './testing/stored-secrets.ts';

const { register, user } = sessionEndpoints;
const { requestPasswordReset, checkResetLink, update, confirmEmail } = accountEndpoints;

/** Counts the accounts that are found with the first of the given keys. */
async function foundBy({ deps }: Site, index: readonly Buffer[]): Promise<number> {
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
  const [member, waiting] = [await addMember(server), await addMember(server)];
  const visitor = server.visitor();
  await visitor.post(requestPasswordReset, { email: waiting.email });
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
    expect((await logIn(server, email)).status).toBe(200);
    const taken = newDetails({ email: waiting.email });
    await visitor.post(register, { action: 'create_account', ...taken });
    expect((await lastMail(server, waiting.email)).text).toContain('already have');
    const moved = newEmail();
    await server.as(member).patch(update, { email: moved }, { params: { id: member.id } });
    const link = await linkFor(server, moved, '/confirm-email');
    expect((await visitor.post(confirmEmail, link)).status).toBe(200);
    expect((await logIn(server, email)).status).toBe(401);
    email = moved;
  }
  const told = /^All accounts are found with the new key: \d+ were changed\.\n$/;
  expect(await rotation).toMatchObject({ code: 0, output: expect.stringMatching(told) });

  const { index: after } = storedSecrets(dataDir);
  expect(after).toHaveLength(1);
  expect(after).not.toEqual(before);
  expect(await foundBy(server, before)).toBe(0);
  expect(await foundBy(server, after)).toBe(accounts);
  expect((await logIn(server, email)).status).toBe(200);
  expect((await server.as(member).get(user)).status).toBe(200);
  expect((await visitor.get(checkResetLink, { query: reset })).status).toBe(200);
});

/** Adds many accounts at once, which nobody signs in to. */
async function addMany({ deps }: Site, count: number) {
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
  const members = [await addMember(server), await addMember(server)];
  const allCanLogIn = async () => {
    for (const { email } of members) expect((await logIn(server, email)).status).toBe(200);
  };
  // Three batches: the stop takes effect after the second one.
  await addMany(server, 1000);
  const stopped = await curbside(server, ['index', 'rotate'], { stopAt: '500 of 1002' });
  expect(stopped).toMatchObject({ code: 1, output: '' });
  expect(stopped.errors).toContain('curbside: stopped: run it again to finish');
  const { index: half } = storedSecrets(dataDir);
  expect(half).toEqual([expect.any(Buffer), ...before]);
  expect(await foundBy(server, before)).toBeGreaterThan(0);
  expect(await foundBy(server, half)).toBeGreaterThan(0);
  await allCanLogIn();

  expect((await curbside(server, ['index', 'rotate'])).code).toBe(0);
  const { index: after } = storedSecrets(dataDir);
  expect(after).toHaveLength(1);
  expect(await foundBy(server, before)).toBe(0);
  expect(await foundBy(server, after)).toBe(1002);
  await allCanLogIn();
});

test('does not run two rotations at the same time', async () => {
  const { server, dataDir } = await serverWithStoredSecrets();
  const { email } = await addMember(server);
  const done = await Promise.all(
    ['index', 'keys'].map((keys) => curbside(server, [keys, 'rotate'])),
  );
  expect(done.map(({ code }) => code).toSorted()).toEqual([0, 1]);
  const fault = 'curbside: keys are already being rotated: try again later\n';
  expect(done.find(({ code }) => code === 1)?.errors).toBe(fault);
  expect(storedSecrets(dataDir)).toMatchObject({ index: { length: 1 }, sealing: { length: 1 } });
  expect((await logIn(server, email)).status).toBe(200);
});

test('a server that was starting during the rotation uses the new keys', () => {
  const { dataDir, secrets } = folderWithSecrets();
  const starting = deriveKeys(secrets);
  const { index } = STEPS.after;
  const changed = changeStoredSecrets(dataDir, (stored) => ({ ...stored, index }));
  watchStoredSecrets(dataDir, starting.replace)();
  expect(starting.index('email', 'a')).toEqual(deriveKeys(changed).index('email', 'a'));
});

/** Each test leaves its accounts under the key of the last step. */
const testOfSteps = testWith({ config: { secrets: STEPS.before } });

/** Rotates with the keys that the operator has set at this step. */
function rotate({ deps }: Site, step: keyof typeof STEPS) {
  const config = { ...deps.config, secrets: STEPS[step] };
  return curbside({ deps: { ...deps, config } }, ['index', 'rotate']);
}

testOfSteps('with set keys, accounts move to the first, and the old can go', async ({ site }) => {
  const { keys } = site.deps;
  keys.replace(STEPS.announced);
  const { email } = await addMember(site);
  keys.replace(STEPS.rotating);
  for (const changed of [1, 0]) {
    expect((await rotate(site, 'rotating')).output).toBe(
      `All accounts are found with the new key: ${changed} were changed.\n` +
        'Now remove the old key and restart every server.\n',
    );
  }
  keys.replace(STEPS.after);
  expect((await logIn(site, email)).status).toBe(200);
});

testOfSteps('does not miss an account whose name changes during the rotation', async ({ site }) => {
  const { keys, db } = site.deps;
  keys.replace(STEPS.before);
  const { id, email } = await addMember(site);
  keys.replace(STEPS.rotating);
  const { promise: rotation, resolve } = Promise.withResolvers<ReturnType<typeof curbside>>();
  await db.transaction().execute(async (trx) => {
    const account = await lockAccount(trx, id);
    if (!account) throw new Error('no account');
    resolve(rotate(site, 'rotating'));
    await expect.poll(() => waitingForLocks(db)).toBe(1);
    const identity = { ...openIdentity(keys, id, account.sealed), first_name: 'Grace' };
    await updateAccount(trx, id, { sealed: sealIdentity(keys, id, identity) });
  });
  expect(await rotation).toMatchObject({ code: 0, output: expect.stringContaining(': 1 were') });
  keys.replace(STEPS.after);
  expect((await logIn(site, email)).body.user).toMatchObject({ id, first_name: 'Grace' });
});

testOfSteps('with one key set, says what to do first, unless one was lost', async ({ site }) => {
  const { keys } = site.deps;
  keys.replace(STEPS.after);
  const errors = expect.stringContaining('INDEX_KEY has one key');
  expect(await rotate(site, 'after')).toMatchObject({ code: 1, errors });
  keys.replace(STEPS.before);
  const { email } = await addMember(site);
  keys.replace(STEPS.after);
  expect((await logIn(site, email)).status).toBe(401);
  expect((await rotate(site, 'after')).code).toBe(0);
  expect((await logIn(site, email)).status).toBe(200);
});
