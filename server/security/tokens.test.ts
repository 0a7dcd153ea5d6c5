import { createHmac } from 'node:crypto';
import { SignJWT } from 'jose';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildTestApp, type TestApp } from '#server/testing/app.ts';
import { signedInAdmin, signedInDoctor, type TestAccount } from '#server/testing/factories.ts';

let server: TestApp;
let doctor: TestAccount;
let admin: TestAccount;
beforeAll(async () => {
  server = await buildTestApp();
  doctor = await signedInDoctor(server);
  admin = await signedInAdmin(server);
});
afterAll(() => server[Symbol.asyncDispose]());

const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');
const decode = (part = '') => JSON.parse(Buffer.from(part, 'base64url').toString());

/** The parts of a valid access token. */
function partsOf({ headers }: TestAccount) {
  const [header, payload, signature = ''] = headers.authorization
    .slice('Bearer '.length)
    .split('.');
  return { header: decode(header), payload: decode(payload), signature };
}

const statusOf = async (token: string) =>
  (
    await server.app.inject({
      url: '/api/auth/user/',
      headers: { authorization: `Bearer ${token}` },
    })
  ).statusCode;

/** Signed with our key, so only the token's content is wrong. */
const signed = (header: object, payload: object) => {
  const key = server.deps.keys.sessionKey('access-token');
  const text = `${encode(header)}.${encode(payload)}`;
  return `${text}.${createHmac('sha256', key).update(text).digest('base64url')}`;
};

test('rejects a token whose user was replaced', async () => {
  const { header, payload, signature } = partsOf(doctor);
  expect(await statusOf(signed(header, payload))).toBe(200);
  const { sub } = partsOf(admin).payload;
  expect(await statusOf(`${encode(header)}.${encode({ ...payload, sub })}.${signature}`)).toBe(401);
  // Not even with a valid signature, since the session belongs to another account.
  expect(await statusOf(signed(header, { ...payload, sub }))).toBe(401);
});

test.each(['none', 'None', 'HS512', 'RS256', ''])('rejects the algorithm %j', async (alg) => {
  const { payload, signature } = partsOf(doctor);
  const unsigned = `${encode({ alg })}.${encode(payload)}`;
  for (const end of ['', signature]) expect(await statusOf(`${unsigned}.${end}`)).toBe(401);
});

test.each([
  { kid: '../../dev/null' },
  { jku: 'http://127.0.0.1/keys' },
  { jwk: { kty: 'oct', k: '' } },
])('does not use a key that comes with the token: %j', async (claims) => {
  const { header, payload } = partsOf(doctor);
  const forged = await new SignJWT(payload)
    .setProtectedHeader({ ...header, ...claims })
    .sign(new Uint8Array(32));
  expect(await statusOf(forged)).toBe(401);
});

test('rejects an expired token, one that is not yet valid, and one of another issuer or kind', async () => {
  const { header, payload } = partsOf(doctor);
  expect(await statusOf(signed(header, { ...payload, exp: payload.iat - 1 }))).toBe(401);
  expect(await statusOf(signed(header, { ...payload, iss: 'elsewhere' }))).toBe(401);
  expect(await statusOf(signed(header, { ...payload, nbf: payload.exp - 1 }))).toBe(401);
  expect(await statusOf(doctor.refresh)).toBe(401);
});
