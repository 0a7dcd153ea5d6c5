import { createHmac } from 'node:crypto';
import { SignJWT } from 'jose';
import { sessionEndpoints } from '#contract/endpoints/session.ts';
import type { TestAccount } from '#server/testing/factories.ts';
import { expect, test as siteTest } from '#server/testing/site.ts';

const test = siteTest
  .extend('doctor', ({ site }) => site.doctor())
  .extend('statusOf', ({ site }) => async (token: string) => {
    const headers = { authorization: `Bearer ${token}` };
    return (await site.visitor({ headers }).get(sessionEndpoints.user)).status;
  })
  /** Signed with our key, so only the token's content is wrong. */
  .extend('signed', ({ site }) => (header: object, payload: object) => {
    const key = site.deps.keys.sessionKey('access-token');
    const text = `${encode(header)}.${encode(payload)}`;
    return `${text}.${createHmac('sha256', key).update(text).digest('base64url')}`;
  });

const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');
const decode = (part = '') => JSON.parse(Buffer.from(part, 'base64url').toString());

/** The parts of a valid access token. */
function partsOf({ headers }: TestAccount) {
  const [header, payload, signature = ''] = headers.authorization
    .slice('Bearer '.length)
    .split('.');
  return { header: decode(header), payload: decode(payload), signature };
}

test('rejects a token whose user was replaced', async ({ site, doctor, statusOf, signed }) => {
  const { header, payload, signature } = partsOf(doctor);
  expect(await statusOf(signed(header, payload))).toBe(200);
  const { sub } = partsOf(await site.admin()).payload;
  expect(await statusOf(`${encode(header)}.${encode({ ...payload, sub })}.${signature}`)).toBe(401);
  // Not even with a valid signature, since the session belongs to another account.
  expect(await statusOf(signed(header, { ...payload, sub }))).toBe(401);
});

test.for(['none', 'None', 'HS512', 'RS256', ''])(
  'rejects the algorithm %j',
  async (alg, { doctor, statusOf }) => {
    const { payload, signature } = partsOf(doctor);
    const unsigned = `${encode({ alg })}.${encode(payload)}`;
    for (const end of ['', signature]) expect(await statusOf(`${unsigned}.${end}`)).toBe(401);
  },
);

test.for([
  { kid: '../../dev/null' },
  { jku: 'http://127.0.0.1/keys' },
  { jwk: { kty: 'oct', k: '' } },
])('does not use a key that comes with the token: %j', async (claims, { doctor, statusOf }) => {
  const { header, payload } = partsOf(doctor);
  const forged = await new SignJWT(payload)
    .setProtectedHeader({ ...header, ...claims })
    .sign(new Uint8Array(32));
  expect(await statusOf(forged)).toBe(401);
});

test('rejects an expired token, one that is not yet valid, and one of another issuer or kind', async ({
  doctor,
  statusOf,
  signed,
}) => {
  const { header, payload } = partsOf(doctor);
  expect(await statusOf(signed(header, { ...payload, exp: payload.iat - 1 }))).toBe(401);
  expect(await statusOf(signed(header, { ...payload, iss: 'elsewhere' }))).toBe(401);
  expect(await statusOf(signed(header, { ...payload, nbf: payload.exp - 1 }))).toBe(401);
  expect(await statusOf(doctor.refresh)).toBe(401);
});
