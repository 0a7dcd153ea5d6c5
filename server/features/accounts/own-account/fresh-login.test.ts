import { decodeJwt } from 'jose';
import { expect, test, vi } from 'vitest';
import { MINUTE_MS } from '#contract/limits.ts';
import { unseal } from '#server/anonymity/seal.ts';
import { buildTestApp, type TestApp } from '#server/testing/app.ts';
import { newEmail } from '#server/testing/factories.ts';
import { lockAccount } from '../identity/account-queries.ts';
import type { SessionState } from '../session/session-state.ts';
import { endSessionsOf } from '../session/sessions.ts';
import { openRefreshToken } from '../session/tokens.ts';
import {
  bearer,
  linkFor,
  logIn,
  type Member,
  NEW_PASSWORD,
  newMember,
  PASSWORD,
  refusalOf,
  send,
  statusOf,
} from '../testing/account-flows.ts';
import { waitingForLocks } from '../testing/index-keys.ts';

const CONFIRM = {
  status: 403,
  code: 'confirm_password',
  detail: 'Please confirm your password to continue.',
};
const wrong = (field = 'password') => ({
  status: 400,
  code: 'validation_error',
  detail: 'Incorrect password.',
  errors: { [field]: ['Incorrect password.'] },
});

type Caller = Pick<Member, 'id' | 'headers'>;
const wait = (server: TestApp, minutes: number) => {
  server.time.now = new Date(server.time.now.getTime() + minutes * MINUTE_MS);
};
const patch = (server: TestApp, { id, headers }: Caller, changes: object) =>
  send(server, `/users/${id}/`, changes, { headers, method: 'PATCH' });
const download = ({ app }: TestApp, { headers }: Pick<Caller, 'headers'>) =>
  app.inject({ url: '/api/auth/export/', headers });
const downloadWith = (server: TestApp, { headers }: Pick<Caller, 'headers'>, payload: object) =>
  send(server, '/auth/export/', payload, { headers });
const refresh = async (server: TestApp, token: string) => {
  const answer = await send(server, '/auth/token/refresh/', { refresh: token });
  expect(answer.statusCode).toBe(200);
  return answer.json<{ access: string; refresh: string }>();
};

test('a stolen access token cannot take over the account', async () => {
  await using server = await buildTestApp();
  const owner = await newMember(server);
  wait(server, 11);
  const theirs = newEmail();
  expect(refusalOf(await patch(server, owner, { email: theirs }))).toEqual(CONFIRM);
  expect(refusalOf(await download(server, owner))).toEqual(CONFIRM);
  const guess = { email: theirs, password: 'Wrong-Stethoscope-1' };
  expect(refusalOf(await patch(server, owner, guess))).toEqual(wrong());
  // Nor can the refresh token.
  const { access } = await refresh(server, owner.refresh);
  const thief = { id: owner.id, headers: bearer(access) };
  expect(refusalOf(await patch(server, thief, { email: theirs }))).toEqual(CONFIRM);
  expect(refusalOf(await download(server, thief))).toEqual(CONFIRM);
  await server.jobs.idle();
  expect(server.mail.filter(({ to }) => to === theirs)).toEqual([]);
  const { user } = (await logIn(server, owner.email, PASSWORD)).json();
  expect(user).toMatchObject({ email: owner.email, pending_email: null });
});

test('a token stolen right after the login takes over the account only until the owner undoes it', async () => {
  await using server = await buildTestApp();
  const owner = await newMember(server);
  const [first, second, third] = [newEmail(), newEmail(), newEmail()];
  const move = async (caller: Caller, email: string) => {
    expect((await patch(server, caller, { email })).statusCode).toBe(200);
    const link = await linkFor(server, email, '/confirm-email');
    expect((await send(server, '/auth/email/confirm/', link)).statusCode).toBe(200);
  };
  await move(owner, first);
  const undo = await linkFor(server, owner.email, '/stop-email-change');
  await send(server, '/auth/password/reset/', { email: first });
  const reset = await linkFor(server, first, '/password-reset');
  await send(server, '/auth/password/reset/confirm/', { ...reset, new_password: NEW_PASSWORD });
  const session = (await logIn(server, first, NEW_PASSWORD)).json();
  const thief = { id: owner.id, headers: bearer(session.access) };
  await move(thief, second);
  const theirUndo = await linkFor(server, first, '/stop-email-change');
  await patch(server, thief, { email: third });
  const theirConfirm = await linkFor(server, third, '/confirm-email');
  await send(server, '/auth/password/reset/', { email: second });
  const theirReset = await linkFor(server, second, '/password-reset');

  wait(server, 6 * 24 * 60);
  const fresh = (await logIn(server, second, NEW_PASSWORD)).json();
  expect((await send(server, '/auth/email/stop/', undo)).statusCode).toBe(200);

  expect(await statusOf(server, fresh.access)).toBe(401);
  for (const token of [session.refresh, fresh.refresh]) {
    const answer = await send(server, '/auth/token/refresh/', { refresh: token });
    expect(answer.statusCode).toBe(401);
  }
  for (const email of [owner.email, first, second, third]) {
    expect((await logIn(server, email, NEW_PASSWORD)).statusCode).toBe(401);
  }
  for (const [path, link] of [
    ['/auth/email/stop/', theirUndo],
    ['/auth/email/confirm/', theirConfirm],
    ['/auth/password/reset/confirm/', { ...theirReset, new_password: 'Third-Stethoscope-3' }],
  ] as const) {
    expect((await send(server, path, link)).statusCode).toBe(400);
  }
  // Only the owner gets the link for a new password.
  await server.jobs.idle();
  const sent = server.mail.length;
  for (const email of [first, second, third]) {
    await send(server, '/auth/password/reset/', { email });
  }
  await server.jobs.idle();
  expect(server.mail).toHaveLength(sent);
  await send(server, '/auth/password/reset/', { email: owner.email });
  const back = await linkFor(server, owner.email, '/password-reset');
  await send(server, '/auth/password/reset/confirm/', { ...back, new_password: PASSWORD });
  const { user } = (await logIn(server, owner.email, PASSWORD)).json();
  expect(user).toMatchObject({ id: owner.id, email: owner.email, pending_email: null });
});

test('a login counts as fresh for 10 minutes, and refreshing does not extend that', async () => {
  await using server = await buildTestApp();
  const member = await newMember(server);
  wait(server, 60);
  const login = (await logIn(server, member.email, PASSWORD)).json();
  const since = Math.floor(server.time.now.getTime() / 1000);
  wait(server, 9);
  const renewed = await refresh(server, login.refresh);
  expect(decodeJwt(renewed.access)).toMatchObject({ auth_time: since });
  const caller = { id: member.id, headers: bearer(renewed.access) };
  expect((await download(server, caller)).statusCode).toBe(200);
  expect((await patch(server, caller, { email: newEmail() })).statusCode).toBe(200);
  wait(server, 1);
  expect(refusalOf(await download(server, caller))).toEqual(CONFIRM);
  const later = { id: member.id, headers: bearer((await refresh(server, renewed.refresh)).access) };
  expect(refusalOf(await patch(server, later, { email: newEmail() }))).toEqual(CONFIRM);
});

test('the password is as good as a fresh login', async () => {
  await using server = await buildTestApp();
  const member = await newMember(server);
  wait(server, 11);
  const email = newEmail();
  const changed = await patch(server, member, { email, password: PASSWORD });
  expect(changed.json()).toMatchObject({ email: member.email, pending_email: email });
  const answer = await downloadWith(server, member, { password: PASSWORD });
  expect(answer.statusCode).toBe(200);
  expect(answer.headers).toMatchObject({
    'content-disposition': 'attachment; filename="curbside-data.json"',
    'cache-control': 'no-store',
  });
  expect(answer.json()).toMatchObject({ user: { email: member.email, pending_email: email } });
  // This was not a login, so the next request needs the password again.
  expect(refusalOf(await download(server, member))).toEqual(CONFIRM);
});

test('rejects a wrong password at its field, even where none is needed', async () => {
  await using server = await buildTestApp();
  const member = await newMember(server);
  for (const minutes of [0, 11]) {
    wait(server, minutes);
    for (const [password, message] of [
      ['Wrong-Stethoscope-1', 'Incorrect password.'],
      ['', 'Password is required'],
      ['x'.repeat(129), 'Incorrect password.'],
    ]) {
      const refusal = { ...wrong(), detail: message, errors: { password: [message] } };
      for (const changes of [{ email: newEmail() }, { first_name: 'Grace' }, {}]) {
        const answer = await patch(server, member, { ...changes, password });
        expect(refusalOf(answer)).toEqual(refusal);
      }
      expect(refusalOf(await downloadWith(server, member, { password }))).toEqual(refusal);
    }
  }
  expect((await downloadWith(server, member, {})).json().errors).toEqual({
    password: ['Password is required'],
  });
  const { user } = (await logIn(server, member.email, PASSWORD)).json();
  expect(user).toMatchObject({ first_name: 'Ada', email: member.email, pending_email: null });
});

test('changing names or sending the same address needs no password', async () => {
  await using server = await buildTestApp();
  const member = await newMember(server);
  wait(server, 11);
  const email = member.email.toUpperCase();
  const answer = await patch(server, member, { email, first_name: 'Grace' });
  expect(answer.json()).toMatchObject({ email, first_name: 'Grace', pending_email: null });
  // All or nothing.
  const refused = await patch(server, member, { email: newEmail(), first_name: 'Ada' });
  expect(refusalOf(refused)).toEqual(CONFIRM);
  const { user } = (await logIn(server, member.email, PASSWORD)).json();
  expect(user.first_name).toBe('Grace');
});

test('all requests that ask for the password share one limit', async () => {
  await using server = await buildTestApp({ config: { rateLimitFactor: 1 } });
  const member = await newMember(server);
  const password = 'Wrong-Stethoscope-1';
  for (let guess = 0; guess < 5; guess += 1) {
    expect((await patch(server, member, { password })).statusCode).toBe(400);
    expect((await downloadWith(server, member, { password })).statusCode).toBe(400);
  }
  expect((await patch(server, member, { password: PASSWORD })).statusCode).toBe(429);
  expect((await downloadWith(server, member, { password: PASSWORD })).statusCode).toBe(429);
  const deletion = { password: PASSWORD, reviews: 'keep' };
  const answer = await send(server, '/auth/delete-account/', deletion, member);
  expect(answer.statusCode).toBe(429);
});

test('rejects a change if its session ends while it waits', async () => {
  await using server = await buildTestApp();
  const { db, keys } = server.deps;
  const member = await newMember(server);
  let asked: ReturnType<typeof patch> | undefined;
  await db.transaction().execute(async (trx) => {
    await lockAccount(trx, member.id);
    asked = patch(server, member, { email: newEmail() });
    await vi.waitFor(async () => expect(await waitingForLocks(db)).toBe(1), { timeout: 10_000 });
    await endSessionsOf(keys, trx, member.id);
  });
  expect((await asked)?.statusCode).toBe(401);
  const { user } = (await logIn(server, member.email, PASSWORD)).json();
  expect(user.pending_email).toBeNull();
});

test('neither a session nor its key shows when it was used, or the next token', async () => {
  await using server = await buildTestApp();
  const { keys, db } = server.deps;
  server.time.now = new Date('2026-03-04T05:06:07.891Z');
  const member = await newMember(server);
  const stateOf = async () => {
    const { id, sealed } = await db.selectFrom('sessions').selectAll().executeTakeFirstOrThrow();
    const key = { id: 's', key: keys.sessionKey('session-seal') };
    return { state: unseal<SessionState>([key], id, sealed), length: sealed.length };
  };
  const first = await stateOf();
  server.time.now = new Date(server.time.now.getTime() + 10_000);
  const next = openRefreshToken(keys, (await refresh(server, member.refresh)).refresh);
  const second = await stateOf();
  expect(second.length).toBe(first.length);
  expect(Object.keys(second.state).toSorted()).toEqual(['current', 'issued']);
  const text = JSON.stringify([first, second]) + Buffer.from(second.state.issued, 'base64');
  expect(text).not.toContain(next?.secret);
  for (const time of [String(Math.floor(server.time.now.getTime() / 1e6)), '2026-03']) {
    expect(text).not.toContain(time);
  }
});
