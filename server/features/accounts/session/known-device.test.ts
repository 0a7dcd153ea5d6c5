import { expect, test } from 'vitest';
import { buildTestApp, type TestApp } from '#server/testing/app.ts';
import {
  linkFor,
  logIn,
  type Member,
  newMember,
  PASSWORD,
  send,
} from '../testing/account-flows.ts';

const WRONG = 'Wrong-Stethoscope-1';
/** A twentieth of the limits: 5 wrong logins an hour per account, one per network. */
const TIGHT = { config: { rateLimitFactor: 0.05 } };

/** Guesses from one network after another, until the account rejects all unknown devices. */
async function besiege(server: TestApp, email: string): Promise<number> {
  let evaluated = 0;
  for (let network = 1; network <= 8; network += 1) {
    const { statusCode } = await logIn(server, email, WRONG, `198.51.${network}.7`);
    if (statusCode === 401) evaluated += 1;
  }
  return evaluated;
}

const cookieOf = (headers: Record<string, unknown>) =>
  [headers['set-cookie']]
    .flat()
    .map(String)
    .find((cookie) => cookie.startsWith('known_device=')) ?? '';

const logInWith = ({ app }: TestApp, { email }: Member, password: string, cookie: string) =>
  app.inject({
    method: 'POST',
    url: '/api/auth/login/',
    payload: { email, password },
    headers: { cookie: cookie.split(';')[0] ?? '' },
    // This network has used up its guesses, so only the device lets its owner in.
    remoteAddress: '198.51.1.7',
  });

test('guesses from many networks are limited, and the owner gets in from a known device', async () => {
  await using server = await buildTestApp(TIGHT);
  const member = await newMember(server);
  const cookie = cookieOf((await logIn(server, member.email, PASSWORD)).headers);
  expect(await besiege(server, member.email)).toBe(5);
  expect((await logIn(server, member.email, PASSWORD, '192.0.2.99')).statusCode).toBe(429);
  expect((await logInWith(server, member, PASSWORD, cookie)).statusCode).toBe(200);
});

test('a password reset by mail lets the owner in immediately', async () => {
  await using server = await buildTestApp(TIGHT);
  const member = await newMember(server);
  await besiege(server, member.email);
  await send(server, '/auth/password/reset/', { email: member.email });
  const link = await linkFor(server, member.email, '/password-reset');
  const new_password = 'New-Stethoscope-2';
  const reset = await send(server, '/auth/password/reset/confirm/', { ...link, new_password });
  const cookie = cookieOf(reset.headers);
  expect((await logInWith(server, member, new_password, cookie)).statusCode).toBe(200);
});

test('a device has its own limit of wrong logins, only for its own account', async () => {
  await using server = await buildTestApp({ config: { rateLimitFactor: 0.1 } });
  const [member, other] = [await newMember(server), await newMember(server)];
  const cookie = cookieOf((await logIn(server, member.email, PASSWORD)).headers);
  const statusOf = async (who: Member, password: string) =>
    (await logInWith(server, who, password, cookie)).statusCode;
  // A tenth of ten is one.
  expect(await statusOf(member, WRONG)).toBe(401);
  expect(await statusOf(member, PASSWORD)).toBe(429);
  await logIn(server, other.email, WRONG, '198.51.1.7');
  expect(await statusOf(other, PASSWORD)).toBe(429);
});

test('every visitor has the cookie, and all look alike', async () => {
  await using server = await buildTestApp();
  const { email } = await newMember(server);
  const visitor = cookieOf((await server.app.inject('/api/csrf/')).headers);
  const member = cookieOf((await logIn(server, email, PASSWORD)).headers);
  const shape = (cookie: string) => cookie.replace(/=[\w-]+;/, ({ length }) => `=${length};`);
  expect(shape(visitor)).toMatch(
    /^known_device=\d+; Max-Age=7776000; Path=\/api; HttpOnly; SameSite=Strict$/,
  );
  expect(shape(member)).toBe(shape(visitor));
  const kept = await server.app.inject({
    url: '/api/csrf/',
    headers: { cookie: member.split(';')[0] ?? '' },
  });
  expect(cookieOf(kept.headers)).toBe('');
  // A visitor's cookie means nothing, and neither does a forged one.
  for (const cookie of [visitor, 'known_device=made-up']) {
    const answer = await server.app.inject({
      method: 'POST',
      url: '/api/auth/login/',
      payload: { email, password: PASSWORD },
      headers: { cookie: cookie.split(';')[0] ?? '' },
    });
    expect(answer.statusCode).toBe(200);
  }
});
