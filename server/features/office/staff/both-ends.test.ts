import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { ERRORS } from '#contract/errors.ts';
import { ROLE_SWITCH_DAYS } from '#contract/limits.ts';
import type { Role } from '#contract/staff-roles.ts';
import { buildTestApp, type TestApp } from '#server/testing/app.ts';
import { signedInAdmin, type TestAccount } from '#server/testing/factories.ts';

const appoint = ({ app }: TestApp, owner: TestAccount, { userId }: TestAccount, roles: Role[]) =>
  app.inject({
    method: 'PATCH',
    url: `/api/admin/staff/${userId}/`,
    headers: owner.headers,
    payload: { roles },
  });

/** Lets days pass on the database's clock. */
const pass = ({ deps }: TestApp, days: number) =>
  deps.db
    .updateTable('users')
    .set({ end_left_on: sql`end_left_on - ${days}::int` })
    .where('is_admin', '=', true)
    .execute();

const refusal = (code: 'own_roles' | 'role_wait') => ({
  status: 409,
  code,
  detail: ERRORS[code].text,
});

test('nobody changes their own roles while there is another owner', async () => {
  await using server = await buildTestApp();
  const [owner, other] = [await signedInAdmin(server), await signedInAdmin(server, ['owner'])];
  const own = await appoint(server, owner, owner, ['owner', 'moderator']);
  expect(own.json()).toMatchObject(refusal('own_roles'));
  expect((await appoint(server, other, owner, ['owner', 'curator'])).statusCode).toBe(200);
});

test('the only owner changes their own roles', async () => {
  await using server = await buildTestApp();
  const owner = await signedInAdmin(server, ['owner', 'curator']);
  await signedInAdmin(server, ['moderator']);
  expect((await appoint(server, owner, owner, ['owner', 'verifier'])).statusCode).toBe(200);
});

test.each([
  ['moderator', 'verifier'],
  ['verifier', 'moderator'],
  ['auditor', 'verifier'],
  ['verifier', 'auditor'],
] as const)('a former %s must wait before becoming a %s, by any path', async (from, to) => {
  await using server = await buildTestApp();
  const [owner, other] = [
    await signedInAdmin(server, ['owner']),
    await signedInAdmin(server, [from]),
  ];
  expect((await appoint(server, owner, other, [to])).json()).toMatchObject(refusal('role_wait'));
  expect((await appoint(server, owner, other, ['curator'])).statusCode).toBe(200);
  await pass(server, ROLE_SWITCH_DAYS - 1);
  expect((await appoint(server, owner, other, [to])).json()).toMatchObject(refusal('role_wait'));
  await server.app.inject({
    method: 'DELETE',
    url: `/api/admin/staff/${other.userId}/`,
    headers: owner.headers,
  });
  await server.deps.db
    .updateTable('users')
    .set({ is_admin: true, roles: ['owner'] })
    .execute();
  expect((await appoint(server, owner, other, [to])).json()).toMatchObject(refusal('role_wait'));
  expect((await appoint(server, owner, other, [from])).statusCode).toBe(200);
  await appoint(server, owner, other, ['curator']);
  await pass(server, ROLE_SWITCH_DAYS);
  expect((await appoint(server, owner, other, [to])).statusCode).toBe(200);
});

test('an office of one switches freely: it has all roles anyway', async () => {
  await using server = await buildTestApp();
  const only = await signedInAdmin(server, ['owner', 'moderator']);
  expect((await appoint(server, only, only, ['owner', 'verifier'])).statusCode).toBe(200);
  await signedInAdmin(server, ['moderator']);
  const back = await appoint(server, only, only, ['owner', 'moderator']);
  expect(back.json()).toMatchObject(refusal('role_wait'));
});

test('staff who stay on one end do not wait for other changes', async () => {
  await using server = await buildTestApp();
  const switched = await signedInAdmin(server, ['owner', 'moderator']);
  expect((await appoint(server, switched, switched, ['owner', 'verifier'])).statusCode).toBe(200);
  const owner = await signedInAdmin(server, ['owner']);
  expect((await appoint(server, owner, switched, ['verifier', 'curator'])).statusCode).toBe(200);
  const back = await appoint(server, owner, switched, ['moderator']);
  expect(back.json()).toMatchObject(refusal('role_wait'));
});

test('an auditor who verifies doctors must wait before reading about reviews', async () => {
  await using server = await buildTestApp();
  const owner = await signedInAdmin(server, ['owner']);
  const both = await signedInAdmin(server, ['verifier']);
  expect((await appoint(server, owner, both, ['verifier', 'auditor'])).statusCode).toBe(200);
  const alone = await appoint(server, owner, both, ['auditor']);
  expect(alone.json()).toMatchObject(refusal('role_wait'));
  await pass(server, ROLE_SWITCH_DAYS);
  expect((await appoint(server, owner, both, ['curator'])).statusCode).toBe(200);
  await pass(server, ROLE_SWITCH_DAYS);
  expect((await appoint(server, owner, both, ['auditor'])).statusCode).toBe(200);
});
