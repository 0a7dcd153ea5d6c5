import { expect, test } from 'vitest';
import { buildTestApp, type TestApp } from '#server/testing/app.ts';
import { signedInAdmin, signedInDoctor } from '#server/testing/factories.ts';
import { newMember, send } from '../testing/account-flows.ts';

interface Holder {
  headers: { authorization: string };
}

const patch = (server: TestApp, id: string, payload: object, { headers }: Holder) =>
  send(server, `/users/${id}/`, payload, { headers, method: 'PATCH' });

test('name changes appear immediately, everywhere', async () => {
  await using server = await buildTestApp();
  const member = await newMember(server);
  const sent = server.mail.length;
  const { email } = member;
  const answer = await patch(server, member.id, { email, first_name: ' Grace ' }, member);
  expect([answer.statusCode, answer.json()]).toEqual([
    200,
    expect.objectContaining({ first_name: 'Grace', last_name: 'Example', email }),
  ]);
  await patch(server, member.id, { last_name: 'Hopper' }, member);
  const doctor = await server.app.inject({ url: '/api/doctors/me/', headers: member.headers });
  expect(doctor.json().user).toMatchObject({ first_name: 'Grace', last_name: 'Hopper', email });
  await server.jobs.idle();
  expect(server.mail).toHaveLength(sent);
});

test('two simultaneous changes are both kept', async () => {
  await using server = await buildTestApp();
  const member = await newMember(server);
  await Promise.all([
    patch(server, member.id, { first_name: 'Grace' }, member),
    patch(server, member.id, { last_name: 'Hopper' }, member),
  ]);
  const user = await server.app.inject({ url: '/api/auth/user/', headers: member.headers });
  expect(user.json()).toMatchObject({ first_name: 'Grace', last_name: 'Hopper' });
});

test('puts errors where the profile page looks for them', async () => {
  await using server = await buildTestApp();
  const member = await newMember(server);
  const cases: [payload: object, faults: object][] = [
    [{ email: 'ada' }, { email: ['Invalid email address'] }],
    [{ email: '' }, { email: ['Email is required'] }],
    [{ username: 'ada' }, { username: ['Unknown field'] }],
    [{ first_name: '' }, { details: ['First name is required'] }],
    [
      { last_name: ' ', npi: '1', email: 'ada' },
      { email: ['Invalid email address'], details: ['Last name is required', 'Unknown field'] },
    ],
    [{ first_name: 'x'.repeat(101) }, { details: ['Must be at most 100 characters'] }],
  ];
  for (const [payload, faults] of cases) {
    const problem = (await patch(server, member.id, payload, member)).json();
    expect(problem).toMatchObject({ status: 400, code: 'validation_error', ...faults });
    const { email, username, details } = problem;
    expect({ email, username, details }).toEqual({
      email: undefined,
      username: undefined,
      details: undefined,
      ...faults,
    });
    expect(Object.keys(problem.errors)).toEqual(expect.arrayContaining(Object.keys(payload)));
    expect(problem.error).toBeUndefined();
  }
});

test('returns 404 for another account, even to an administrator', async () => {
  await using server = await buildTestApp();
  const [member, other] = [await newMember(server), await signedInDoctor(server)];
  const admin = await signedInAdmin(server);
  for (const caller of [other, admin]) {
    for (const id of [member.id, crypto.randomUUID(), 'me']) {
      const answer = await patch(server, id, { first_name: 'Mallory' }, caller);
      expect([answer.statusCode, answer.json().detail]).toEqual([
        404,
        'The requested resource was not found.',
      ]);
    }
  }
  const anonymous = { headers: { authorization: '' } };
  expect((await patch(server, member.id, { first_name: 'M' }, anonymous)).statusCode).toBe(401);
  const user = await server.app.inject({ url: '/api/auth/user/', headers: member.headers });
  expect(user.json().first_name).toBe('Ada');
});

test('every route that needs a login rejects requests without one', async () => {
  await using server = await buildTestApp();
  for (const [method, url] of [
    ['GET', '/api/auth/user/'],
    ['GET', '/api/doctors/me/'],
    ['GET', '/api/auth/export/'],
    ['POST', '/api/auth/password/change/'],
    ['POST', '/api/auth/delete-account/'],
  ] as const) {
    const answer = await server.app.inject({ method, url, payload: {} });
    expect([answer.statusCode, answer.json().code]).toEqual([401, 'authentication_required']);
    expect(answer.headers['cache-control']).toBe('no-store');
  }
});

test('an administrator has no doctor profile', async () => {
  await using server = await buildTestApp();
  const { headers } = await signedInAdmin(server);
  const doctor = await server.app.inject({ url: '/api/doctors/me/', headers });
  expect([doctor.statusCode, doctor.json().code]).toEqual([404, 'not_found']);
  const user = await server.app.inject({ url: '/api/auth/user/', headers });
  expect(user.json()).toMatchObject({ is_admin: true, pending_email: null });
});
