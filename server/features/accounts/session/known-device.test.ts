import { expect } from 'vitest';
import { sessionEndpoints } from '#contract/endpoints/session.ts';
import { invalid, type Reply, type Site, testWith } from '#server/testing/site.ts';
import * as accounts from '../testing/account-flows.ts';

const { NEW_PASSWORD, PASSWORD, addMember, canLogIn, logIn, resetPassword } = accounts;

const WRONG = 'Wrong-Stethoscope-1';

// A twentieth of the limits: 5 wrong logins per account, 10 per network; one for both, or a device.
const test = testWith({ config: { rateLimitFactor: 0.05 } }).extend('member', ({ site }) =>
  addMember(site),
);

/** Guesses from one network after another, until the account rejects all unknown devices. */
async function besiege(site: Site, email: string): Promise<number> {
  let evaluated = 0;
  for (let network = 1; network <= 8; network += 1) {
    const { status } = await logIn(site, email, WRONG, { from: `198.51.${network}.7` });
    if (status === 401) evaluated += 1;
  }
  return evaluated;
}

/** As the server sets it, with its attributes. */
const cookieOf = ({ headers }: Pick<Reply<typeof sessionEndpoints.login>, 'headers'>) =>
  [headers['set-cookie']]
    .flat()
    .map(String)
    .find((cookie) => cookie.startsWith('known_device=')) ?? '';

/** Logs in with a cookie, from a network that has used up its guesses. */
const logInWith = (site: Site, email: string, password: string, cookie: string) =>
  logIn(site, email, password, {
    from: '198.51.1.7',
    headers: { cookie: cookie.split(';')[0] ?? '' },
  });

test('guesses from many networks are limited, and the owner gets in from a known device', async ({
  site,
  member: { email },
}) => {
  const cookie = cookieOf(await logIn(site, email));
  expect(await besiege(site, email)).toBe(5);
  expect((await logIn(site, email, PASSWORD, { from: '192.0.2.99' })).status).toBe(429);
  expect((await logInWith(site, email, PASSWORD, cookie)).status).toBe(200);
});

test('a password reset by mail lets the owner in at once', async ({ site, member: { email } }) => {
  await besiege(site, email);
  const cookie = cookieOf(await resetPassword(site, email, NEW_PASSWORD));
  expect((await logInWith(site, email, NEW_PASSWORD, cookie)).status).toBe(200);
});

test('a device has its own limit of wrong logins, for its account', async ({ site, member }) => {
  const other = await addMember(site);
  const cookie = cookieOf(await logIn(site, member.email));
  expect((await logInWith(site, member.email, WRONG, cookie)).status).toBe(401);
  expect((await logInWith(site, member.email, PASSWORD, cookie)).status).toBe(429);
  await logIn(site, other.email, WRONG, { from: '198.51.1.7' });
  expect((await logInWith(site, other.email, PASSWORD, cookie)).status).toBe(429);
});

test('every visitor has the cookie, and all look alike', async ({ site, member: { email } }) => {
  const visitor = cookieOf(await site.visitor().get(sessionEndpoints.csrf));
  const member = cookieOf(await logIn(site, email));
  const shape = (cookie: string) => cookie.replace(/=[\w-]+;/, ({ length }) => `=${length};`);
  expect(shape(visitor)).toMatch(
    /^known_device=\d+; Max-Age=7776000; Path=\/api; HttpOnly; SameSite=Strict$/,
  );
  expect(shape(member)).toBe(shape(visitor));
  const headers = { cookie: member.split(';')[0] ?? '' };
  expect(cookieOf(await site.visitor({ headers }).get(sessionEndpoints.csrf))).toBe('');
  // A visitor's cookie means nothing, and neither does a forged one.
  for (const cookie of [visitor, 'known_device=made-up']) {
    expect((await logInWith(site, email, PASSWORD, cookie)).status).toBe(200);
  }
});

test('malformed logins, or a hospital at one address, do not count', async ({ site, member }) => {
  const { email } = member;
  for (let time = 0; time < 60; time += 1) {
    const { problem } = await site.visitor().post(sessionEndpoints.login, invalid({ email }));
    expect(problem.status).toBe(400);
  }
  const other = await addMember(site);
  for (let time = 0; time < 15; time += 1) {
    for (const one of [member, other]) expect(await canLogIn(site, one.email)).toBe(true);
  }
});
