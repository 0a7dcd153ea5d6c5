import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildTestApp, type TestApp } from '#server/testing/app.ts';
import { signedInDoctor } from '#server/testing/factories.ts';
import { post, save, savedOf, switchMail } from './testing/saved.ts';
import { unsubscribeUrl } from './unsubscribe.ts';

let server: TestApp;
beforeAll(async () => {
  server = await buildTestApp();
});
afterAll(() => server[Symbol.asyncDispose]());

async function follower() {
  const doctor = await signedInDoctor(server);
  await save(server, doctor, '/employers/1');
  await switchMail(server, doctor, true);
  const { pathname, search, searchParams } = new URL(unsubscribeUrl(server.deps, doctor.userId));
  return { doctor, path: pathname + search, token: searchParams.get('token') ?? '' };
}
const hasMail = async (doctor: Awaited<ReturnType<typeof follower>>['doctor']) =>
  (await savedOf(server, doctor)).weekly_mail;

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
/** As a mail server sends it: no cookie, no session, no origin. */
const oneClick = (url: string, headers: Record<string, string> = FORM) =>
  server.app.inject({ method: 'POST', url, headers, payload: 'List-Unsubscribe=One-Click' });

test('one POST without a session stops the mail and keeps saved entries; so does a second one', async () => {
  const { doctor, path } = await follower();
  for (let at = 0; at < 2; at += 1) {
    const answer = await oneClick(path);
    // RFC 8058, section 3.1: no redirect.
    expect([answer.statusCode, answer.body]).toEqual([
      200,
      'You will get no more weekly emails.\n',
    ]);
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(await savedOf(server, doctor)).toEqual({
      entries: ['/employers/1'],
      weekly_mail: false,
    });
  }
});

test('accepts a form of either kind', async () => {
  const { doctor, path } = await follower();
  const boundary = 'multipart/form-data; boundary=x';
  const answer = await server.app.inject({
    method: 'POST',
    url: path,
    headers: { 'content-type': boundary },
    payload:
      '--x\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--x--\r\n',
  });
  expect(answer.statusCode).toBe(200);
  expect(await hasMail(doctor)).toBe(false);
});

test('GET changes nothing', async () => {
  const { doctor, path } = await follower();
  await server.app.inject({ url: path });
  await server.app.inject({ method: 'HEAD', url: path });
  expect(await hasMail(doctor)).toBe(true);
});

test('a token is for one account, and cannot be guessed or changed', async () => {
  const [one, other] = [await follower(), await follower()];
  expect((await oneClick(one.path)).statusCode).toBe(200);
  expect(await hasMail(other.doctor)).toBe(true);
  const { token } = other;
  const flipped = `${token.slice(0, 60)}${token[60] === 'A' ? 'B' : 'A'}${token.slice(61)}`;
  const wrong = [flipped, token.slice(1), other.doctor.userId, 'x', 'A'.repeat(127)];
  for (const value of wrong) {
    const answer = await oneClick(`/unsubscribe?token=${value}`);
    expect([answer.statusCode, answer.json().code]).toEqual([400, 'invalid_email_link']);
  }
  for (const url of ['/unsubscribe?token=', '/unsubscribe', `${other.path}&x=1`]) {
    expect((await oneClick(url)).statusCode).toBeGreaterThanOrEqual(400);
  }
  expect(await hasMail(other.doctor)).toBe(true);
  // The token contains the account, but unreadably.
  expect(Buffer.from(token, 'base64url').toString('latin1')).not.toContain(other.doctor.userId);
});

test('the response does not reveal whether the account still exists', async () => {
  const { doctor, path } = await follower();
  await server.deps.db.deleteFrom('users').where('id', '=', doctor.userId).execute();
  expect((await oneClick(path)).statusCode).toBe(200);
});

test('the page sends JSON, and both reject requests from another site', async () => {
  const { doctor, path, token } = await follower();
  const elsewhere = { origin: 'https://elsewhere.example' };
  expect((await oneClick(path, { ...FORM, ...elsewhere })).statusCode).toBe(403);
  expect(await hasMail(doctor)).toBe(true);
  expect((await post(server, '/unsubscribe/', { token: 'not a token' })).statusCode).toBe(400);
  const answer = await post(server, '/unsubscribe/', { token });
  expect(answer.json()).toEqual({ message: 'You will get no more weekly emails.' });
  expect(await hasMail(doctor)).toBe(false);
});

test('stopping the mail and saving at the same time lose nothing', async () => {
  const { doctor, path } = await follower();
  await Promise.all([
    oneClick(path),
    ...[2, 3, 4].map((id) => save(server, doctor, `/employers/${id}`)),
  ]);
  const { entries, weekly_mail } = await savedOf(server, doctor);
  expect([entries.length, weekly_mail]).toEqual([4, false]);
});
