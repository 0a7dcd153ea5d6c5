import { expect, test } from 'vitest';
import { STAFF_MESSAGES } from '#contract/staff.ts';
import { ROLES, type Role } from '#contract/staff-roles.ts';
import { buildTestApp, type TestApp } from '#server/testing/app.ts';
import { signedInAdmin, type TestAccount } from '#server/testing/factories.ts';
import { setUpFactor } from '../testing/second-factor.ts';

const call = (
  { app }: TestApp,
  { headers }: TestAccount,
  method: 'GET' | 'PATCH' | 'DELETE' | 'POST',
  path: string,
  payload?: object,
) => app.inject({ method, url: `/api${path}`, headers, ...(payload && { payload }) });

const rolesOf = async (server: TestApp, account: TestAccount): Promise<Role[]> =>
  (await call(server, account, 'GET', '/auth/user/')).json().roles;

test('the only staff account has all roles; with two or more, the appointed roles count', async () => {
  await using server = await buildTestApp();
  const first = await signedInAdmin(server, ['owner', 'curator']);
  expect(await rolesOf(server, first)).toEqual(Object.keys(ROLES));
  expect((await call(server, first, 'GET', '/admin/reports/')).statusCode).toBe(200);
  const second = await signedInAdmin(server, ['moderator']);
  expect(await rolesOf(server, first)).toEqual(['owner', 'curator']);
  expect(await rolesOf(server, second)).toEqual(['moderator']);
  expect((await call(server, first, 'GET', '/admin/reports/')).statusCode).toBe(403);
  const gone = await call(server, first, 'DELETE', `/admin/staff/${second.userId}/`);
  expect(gone.json()).toEqual({ message: STAFF_MESSAGES.removed });
  expect(await rolesOf(server, first)).toEqual(Object.keys(ROLES));
  expect(await rolesOf(server, second)).toEqual([]);
});

test('an owner sees the staff and changes roles, which takes effect immediately and is in the log', async () => {
  await using server = await buildTestApp();
  const [owner, other] = [await signedInAdmin(server), await signedInAdmin(server, ['curator'])];
  const path = `/admin/staff/${other.userId}/`;
  const changed = await call(server, owner, 'PATCH', path, { roles: ['auditor', 'verifier'] });
  expect(changed.json().results).toContainEqual(
    expect.objectContaining({
      id: other.userId,
      email: other.email,
      roles: ['verifier', 'auditor'],
    }),
  );
  expect(await rolesOf(server, other)).toEqual(['verifier', 'auditor']);
  const acts = await server.deps.db
    .selectFrom('audit_log')
    .select(['actor', 'action', 'subject', 'details'])
    .execute();
  expect(acts).toEqual([
    {
      actor: owner.userId,
      action: 'staff.appoint',
      subject: other.userId,
      details: { roles: 'verifier,auditor' },
    },
  ]);
});

test('nobody can both verify and moderate: the API and the database reject it', async () => {
  await using server = await buildTestApp();
  const [owner, other] = [await signedInAdmin(server), await signedInAdmin(server, ['curator'])];
  const path = `/admin/staff/${other.userId}/`;
  for (const [roles, message] of [
    [['verifier', 'moderator'], STAFF_MESSAGES.apart],
    [[], STAFF_MESSAGES.noRole],
  ] as const) {
    const refused = await call(server, owner, 'PATCH', path, { roles });
    expect(refused.json()).toMatchObject({ status: 400, errors: { roles: [message] } });
  }
  const write = (roles: string[], is_admin = true) =>
    server.deps.db
      .updateTable('users')
      .set({ roles, is_admin })
      .where('id', '=', other.userId)
      .execute();
  await expect(write(['verifier', 'moderator'])).rejects.toThrow('users_roles_apart');
  await expect(write(['king'])).rejects.toThrow('users_roles_known');
  await expect(write([])).rejects.toThrow('users_roles_staff');
  await expect(write(['curator'], false)).rejects.toThrow('users_roles_staff');
});

test('of two owners who leave at the same time, one stays', async () => {
  await using server = await buildTestApp();
  const owners = [await signedInAdmin(server), await signedInAdmin(server)];
  for (const role of ['curator', 'auditor'] as const) await signedInAdmin(server, [role]);
  const answers = await Promise.all(
    owners.map((owner) => call(server, owner, 'DELETE', `/admin/staff/${owner.userId}/`)),
  );
  const codes = answers.map(({ statusCode }) => statusCode).toSorted();
  expect(codes).toEqual([200, 409]);
});

test('the only account cannot dismiss itself, and an unknown one is not found', async () => {
  await using server = await buildTestApp();
  const only = await signedInAdmin(server);
  const dismiss = (id: string) => call(server, only, 'DELETE', `/admin/staff/${id}/`);
  expect((await dismiss(only.userId)).json()).toMatchObject({ code: 'last_owner' });
  expect((await dismiss(crypto.randomUUID())).json()).toMatchObject({ code: 'not_found' });
  expect(await rolesOf(server, only)).toHaveLength(5);
});

test('an owner resets the lost factor of a colleague, and dismissing removes it', async () => {
  await using server = await buildTestApp();
  const [owner, other] = [await signedInAdmin(server), await signedInAdmin(server, ['curator'])];
  const factors = () => server.deps.db.selectFrom('staff_factors').select('user_id').execute();
  await setUpFactor(server, other);
  const list = await call(server, owner, 'GET', '/admin/staff/');
  expect(list.json().results).toContainEqual(
    expect.objectContaining({ id: other.userId, has_factor: true }),
  );
  const reset = await call(server, owner, 'POST', `/admin/staff/${other.userId}/reset-factor/`);
  expect(reset.json()).toEqual({ message: STAFF_MESSAGES.factorReset });
  expect(await factors()).toEqual([]);
  await setUpFactor(server, other);
  await call(server, owner, 'DELETE', `/admin/staff/${other.userId}/`);
  expect(await factors()).toEqual([]);
});
