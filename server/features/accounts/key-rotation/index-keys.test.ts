import { expect, test } from 'vitest';
import { verifyNpi } from '#server/features/verification/registry-check.ts';
import type { RegistryAnswer } from '#server/npi-registry/registry.ts';
import { buildTestApp, type TestApp } from '#server/testing/app.ts';
import { newEmail, newNpi } from '#server/testing/factories.ts';
import { confirmEmailChange } from '../email-change/email-change.ts';
import { findProfile } from '../service.ts';
import { addAdmin, addDoctor } from '../signup/new-account.ts';
import {
  codeFor,
  lastMail,
  linkFor,
  logIn,
  type Member,
  NEW_PASSWORD,
  newDetails,
  newMember,
  PASSWORD,
  refusalOf,
  send,
  statusOf,
} from '../testing/account-flows.ts';
import { nodeAt, STEPS } from '../testing/index-keys.ts';

const buildAt = (step: keyof typeof STEPS, rateLimitFactor = 1_000_000) =>
  buildTestApp({ config: { secrets: STEPS[step], rateLimitFactor } });
const goTo = ({ deps }: TestApp, step: keyof typeof STEPS) => deps.keys.replace(STEPS[step]);

const register = (server: TestApp, payload: object, from?: string) =>
  send(server, '/auth/register/', payload, from ? { from } : {});
const ask = (server: TestApp, { id, headers }: Member, email: string) =>
  send(server, `/users/${id}/`, { email }, { headers, method: 'PATCH' });
const ADA: RegistryAnswer = {
  kind: 'person',
  active: true,
  names: [{ first: 'ADA', last: 'EXAMPLE' }],
  taxonomies: ['207R00000X'],
  practice: null,
};
const accounts = async ({ deps }: TestApp) =>
  (await deps.db.selectFrom('users').select('id').execute()).length;
const person = () => ({ first_name: 'Ada', last_name: 'Example', password: null });

test('finds an account under the old key by its address and by its NPI', async () => {
  await using server = await buildAt('before');
  const member = await newMember(server);
  goTo(server, 'rotating');
  expect((await logIn(server, member.email.toUpperCase(), PASSWORD)).statusCode).toBe(200);
  expect(await statusOf(server, member.access)).toBe(200);
  for (const who of [member.email, member.npi]) {
    const found = await findProfile(server.deps.keys, server.deps.db, who);
    expect(found?.user.id).toBe(member.id);
  }

  await register(server, { action: 'create_account', ...newDetails({ email: member.email }) });
  expect((await lastMail(server, member.email)).text).toContain('You already have an account');
  await ask(server, await newMember(server), member.email);
  expect((await lastMail(server, member.email)).text).not.toContain('token=');

  const asked = await send(server, '/auth/password/reset/', { email: member.email });
  expect(asked.statusCode).toBe(200);
  const link = await linkFor(server, member.email, '/password-reset');
  const reset = { ...link, new_password: NEW_PASSWORD };
  expect((await send(server, '/auth/password/reset/confirm/', reset)).statusCode).toBe(200);
  expect((await logIn(server, member.email, NEW_PASSWORD)).statusCode).toBe(200);
});

test('an address under the old key gets no second account', async () => {
  await using server = await buildAt('before');
  const member = await newMember(server);
  goTo(server, 'rotating');
  const details = { ...newDetails({ email: member.email.toUpperCase() }), ...person() };
  await expect(addDoctor(server.deps, details)).rejects.toThrow('already has an account');
  const admin = { ...person(), email: member.email, roles: ['owner'] as const };
  await expect(addAdmin(server.deps, admin)).rejects.toThrow('already has an account');
  expect(await accounts(server)).toBe(1);
});

test('two servers that write under different keys create one account per address', async () => {
  await using server = await buildTestApp();
  const nodes = [nodeAt(server.deps, 'announced'), nodeAt(server.deps, 'rotating')];
  for (let round = 1; round <= 10; round += 1) {
    const shared = { email: newEmail() };
    const added = await Promise.allSettled(
      [...nodes, ...nodes].map((node) => addDoctor(node, { ...newDetails(shared), ...person() })),
    );
    expect(added.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await accounts(server)).toBe(round);
  }
});

test('two servers that write under different keys verify one account per NPI', async () => {
  await using server = await buildTestApp({ npiRegistry: { lookUp: async () => ADA } });
  const nodes = [nodeAt(server.deps, 'announced'), nodeAt(server.deps, 'rotating')];
  for (let round = 1; round <= 10; round += 1) {
    const shared = { npi: newNpi() };
    const ids = await Promise.all(
      nodes.map((node) => addDoctor(node, { ...newDetails(shared), ...person() })),
    );
    await Promise.all(nodes.map((node, at) => verifyNpi(node)({ userId: ids[at] ?? '' })));
    const { rows } = await server.deps.database.pool.query('select from doctors where verified');
    expect(rows).toHaveLength(round);
  }
});

test('an email change cannot take an address that has an account under the old key', async () => {
  await using server = await buildAt('before');
  const member = await newMember(server);
  const email = newEmail();
  await ask(server, member, email);
  const link = await linkFor(server, email, '/confirm-email');
  await addDoctor(server.deps, { ...newDetails({ email }), ...person() });
  goTo(server, 'rotating');
  expect(refusalOf(await send(server, '/auth/email/confirm/', link)).code).toBe(
    'invalid_email_link',
  );
  expect((await logIn(server, member.email, PASSWORD)).statusCode).toBe(200);
});

test('when two accounts change to one address on different servers, one gets it', async () => {
  await using server = await buildAt('announced');
  const nodes = [nodeAt(server.deps, 'announced'), nodeAt(server.deps, 'rotating')] as const;
  for (let round = 0; round < 5; round += 1) {
    const members = [await newMember(server), await newMember(server)];
    const email = newEmail();
    const tokens: string[] = [];
    for (const member of members) {
      await ask(server, member, email);
      tokens.push((await linkFor(server, email, '/confirm-email')).token);
    }
    const done = await Promise.allSettled(
      tokens.map((token, at) => confirmEmailChange(nodes[at % 2] ?? server.deps, token)),
    );
    expect(done.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect((await logIn(server, email, PASSWORD)).statusCode).toBe(200);
  }
});

test('a code stays valid and gets no extra attempts', async () => {
  await using server = await buildAt('before');
  const [details, guessed] = [newDetails(), newDetails()];
  for (const one of [details, guessed])
    await register(server, { action: 'create_account', ...one });
  const codes = [await codeFor(server, details.email), await codeFor(server, guessed.email)];
  const guess = {
    action: 'verify_otp',
    ...guessed,
    otp_code: codes[1] === '000000' ? '111111' : '000000',
  };
  for (let attempt = 0; attempt < 3; attempt += 1) await register(server, guess);
  goTo(server, 'rotating');
  for (let attempt = 0; attempt < 2; attempt += 1) await register(server, guess);
  goTo(server, 'after');
  const right = { action: 'verify_otp', ...guessed, otp_code: codes[1] };
  expect(refusalOf(await register(server, right)).code).toBe('invalid_code');
  const used = { action: 'verify_otp', ...details, otp_code: codes[0] };
  expect((await register(server, used)).statusCode).toBe(200);
});

test('links sent before the rotation work until they expire', async () => {
  await using server = await buildAt('before');
  const [forgetful, moving] = [await newMember(server), await newMember(server)];
  await send(server, '/auth/password/reset/', { email: forgetful.email });
  const reset = await linkFor(server, forgetful.email, '/password-reset');
  const email = newEmail();
  await ask(server, moving, email);
  const confirm = await linkFor(server, email, '/confirm-email');
  goTo(server, 'rotating');
  const profile = await server.app.inject({ url: '/api/auth/user/', headers: moving.headers });
  expect(profile.json().pending_email).toBe(email);
  goTo(server, 'after');
  const url = '/api/auth/password/reset/validate/';
  expect((await server.app.inject({ url, query: reset })).statusCode).toBe(200);
  expect((await send(server, '/auth/email/confirm/', confirm)).statusCode).toBe(200);
});

test('limits keep their counts', async () => {
  await using server = await buildAt('before', 1);
  const email = newEmail();
  const statuses: number[] = [];
  for (const step of ['announced', 'rotating', 'after', 'after'] as const) {
    statuses.push((await send(server, '/auth/password/reset/', { email })).statusCode);
    goTo(server, step);
  }
  expect(statuses).toEqual([200, 200, 200, 429]);
});
