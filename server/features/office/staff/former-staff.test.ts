import { expect, test } from 'vitest';
import { STAFF_MESSAGES } from '#contract/staff.ts';
import { buildTestApp, type TestApp } from '#server/testing/app.ts';
import {
  newEmployer,
  signedInAdmin,
  signedInDoctor,
  signedInRepresentative,
  type TestAccount,
} from '#server/testing/factories.ts';

const call = (
  { app }: TestApp,
  { headers }: TestAccount,
  method: 'GET' | 'PATCH' | 'DELETE',
  path: string,
  payload?: object,
) => app.inject({ method, url: `/api/admin/staff/${path}`, headers, ...(payload && { payload }) });

test('a former staff member is listed, and can be appointed again', async () => {
  await using server = await buildTestApp();
  const [owner, other] = [await signedInAdmin(server), await signedInAdmin(server, ['curator'])];
  await signedInDoctor(server);
  await signedInRepresentative(server, await newEmployer(server));
  const list = async () => (await call(server, owner, 'GET', '')).json();
  expect((await list()).former).toEqual([]);
  const gone = await call(server, owner, 'DELETE', `${other.userId}/`);
  expect(gone.json()).toEqual({ message: STAFF_MESSAGES.removed });
  expect((await list()).former).toEqual([
    expect.objectContaining({ id: other.userId, email: other.email, roles: [], has_factor: false }),
  ]);
  const again = await call(server, owner, 'PATCH', `${other.userId}/`, { roles: ['auditor'] });
  expect(again.json().former).toEqual([]);
  expect(again.json().results).toContainEqual(
    expect.objectContaining({ id: other.userId, roles: ['auditor'] }),
  );
});

test('doctors and representatives are never appointed', async () => {
  await using server = await buildTestApp();
  const owner = await signedInAdmin(server);
  const others = [
    await signedInDoctor(server),
    await signedInRepresentative(server, await newEmployer(server)),
  ];
  for (const { userId } of others) {
    const answer = await call(server, owner, 'PATCH', `${userId}/`, { roles: ['curator'] });
    expect(answer.statusCode).toBe(404);
  }
});

test('roles that nobody has are named, with the number of cases waiting for them', async () => {
  await using server = await buildTestApp();
  const owner = await signedInAdmin(server, ['owner', 'moderator']);
  await newEmployer(server);
  const doctor = await signedInDoctor(server);
  await server.app.inject({
    method: 'POST',
    url: '/api/employers/custom/',
    headers: doctor.headers,
    payload: { name: 'Fernhill Clinic' },
  });
  const unstaffed = async () => (await call(server, owner, 'GET', '')).json().unstaffed;
  expect(await unstaffed()).toEqual([]);
  const second = await signedInAdmin(server, ['owner']);
  expect(await unstaffed()).toEqual([
    { role: 'verifier', cases: 0 },
    { role: 'curator', cases: 1 },
  ]);
  await call(server, owner, 'PATCH', `${second.userId}/`, { roles: ['curator', 'verifier'] });
  expect(await unstaffed()).toEqual([]);
});
