import { describe, expect } from 'vitest';
import { newDetails } from '#server/features/accounts/testing/account-flows.ts';
import { reviewOf } from '#server/testing/factories.ts';
import { test as siteTest } from '#server/testing/site.ts';

type Method = 'POST' | 'PATCH';
const test = siteTest
  .extend('doctor', ({ site }) => site.doctor())
  .extend('employer', ({ site }) => site.employer())
  .extend(
    'send',
    ({ site }) =>
      (method: Method, path: string, body: object | string, headers: object = {}) =>
        site.app.inject({
          method,
          url: `/api${path}`,
          headers: { 'content-type': 'application/json', ...headers },
          payload: typeof body === 'string' ? body : JSON.stringify(body),
        }),
  );

describe('rejects a field that an endpoint does not offer', () => {
  const BODIES: [
    of: string,
    method: Method,
    path: (ids: { doctor: string; employer: number }) => string,
    body: (employer: number) => object,
    fields: object,
  ][] = [
    [
      'a sign-up',
      'POST',
      () => '/auth/register/',
      () => ({ action: 'create_account', ...newDetails() }),
      { is_admin: true, verified: true, id: '1' },
    ],
    [
      'a profile',
      'PATCH',
      (ids) => `/users/${ids.doctor}/`,
      () => ({ first_name: 'Ada' }),
      { is_admin: true, verified: true, npi: '1234567893', username: 'root', password_hash: 'x' },
    ],
    [
      'a review',
      'POST',
      () => '/reviews/',
      (employer) => reviewOf(employer),
      { id: '1', author: 'x', author_key: 'x', created_at: '2020-01-01', removed: false },
    ],
    [
      'an employer',
      'PATCH',
      (ids) => `/admin/employers/${ids.employer}/`,
      () => ({ name: 'A Hospital' }),
      { source: 'hifld' },
    ],
  ];

  test.for(BODIES)(
    'of %s',
    async ([, method, pathOf, body, fields], { site, doctor, employer, send }) => {
      const path = pathOf({ doctor: doctor.userId, employer });
      const { headers } = path.startsWith('/admin') ? await site.admin() : doctor;
      for (const [name, value] of Object.entries(fields)) {
        const answer = await send(method, path, { ...body(employer), [name]: value }, headers);
        expect(answer.statusCode, name).toBe(400);
        expect(answer.json().errors, name).toEqual({ [name]: ['Unknown field'] });
      }
    },
  );
});

test.for(['{"__proto__":{"is_admin":true}}', '{"constructor":{"prototype":{"is_admin":true}}}'])(
  'rejects a body that tries to reach a prototype: %s',
  async (body, { doctor, send }) => {
    expect((await send('POST', '/auth/login/', body)).statusCode).toBe(400);
    expect((await send('PATCH', `/users/${doctor.userId}/`, body, doctor.headers)).statusCode).toBe(
      400,
    );
    expect({}).not.toHaveProperty('is_admin');
  },
);

test.for(['__proto__', 'constructor', 'toString', 'hasOwnProperty'])(
  'rejects a field named %s as unknown',
  async (name, { site, send }) => {
    const asked = await site.app.inject(`/api/employers/?${name}=1`);
    const sent = await send('POST', '/auth/login/', `{"${name}":1}`);
    for (const answer of [asked, sent]) expect(answer.statusCode).toBe(400);
    expect(asked.json().errors[name]).toEqual(['Unknown field']);
  },
);

test('rejects a repeated parameter instead of picking one', async ({ site }) => {
  for (const query of ['page=1&page=2', 'search=a&search=b', 'ordering=name&ordering=-name']) {
    const answer = await site.app.inject(`/api/employers/?${query}`);
    expect(answer.statusCode, query).toBe(400);
  }
});

test('ignores query parameters on a request with a body', async ({ doctor, send }) => {
  const credentials = { email: doctor.email, password: 'wrong' };
  const answer = await send('POST', '/auth/login/?email=x&password=y', credentials);
  expect(answer.statusCode).toBe(401);
});

test('rejects a value of another type instead of converting it', async ({
  doctor,
  employer,
  send,
}) => {
  const path = '/auth/login/';
  for (const email of [1, true, null, [doctor.email], { $ne: '' }]) {
    const answer = await send('POST', path, { email, password: 'x' });
    expect(answer.statusCode, JSON.stringify(email)).toBe(400);
  }
  const review = { ...reviewOf(employer), overall_rating: '5' };
  expect((await send('POST', '/reviews/', review, doctor.headers)).statusCode).toBe(400);
});

test('decodes a URL only once', async ({ site, employer }) => {
  const once = encodeURIComponent(String(employer)).replace(/^./, (digit) => `%3${digit}`);
  expect((await site.app.inject(`/api/employers/${once}/`)).statusCode).toBe(200);
  const twice = once.replaceAll('%', '%25');
  expect((await site.app.inject(`/api/employers/${twice}/`)).statusCode).toBeGreaterThan(399);
});
