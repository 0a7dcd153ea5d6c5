import { employerEndpoints } from '#contract/endpoints/employers.ts';
import { moderationEndpoints } from '#contract/endpoints/moderation.ts';
import { staffEndpoints } from '#contract/endpoints/office.ts';
import { sessionEndpoints } from '#contract/endpoints/session.ts';
import { STAFF_MESSAGES } from '#contract/office/staff.ts';
import { ROLES } from '#contract/staff-roles.ts';
import { logOf, type TestAccount } from '#server/testing/factories.ts';
import { expect, type Site, testWith } from '#server/testing/site.ts';
import { setUpFactor } from '../testing/second-factor.ts';

const test = testWith();
test.beforeEach(async ({ site }) => {
  for (const table of ['users', 'cases', 'audit_log'] as const) {
    await site.deps.db.deleteFrom(table).execute();
  }
});

const { appoint, dismiss, list, resetFactor } = staffEndpoints;
const of = ({ userId }: Pick<TestAccount, 'userId'>) => ({ params: { id: userId } });

const rolesOf = async (site: Site, account: TestAccount) =>
  (await site.as(account).get(sessionEndpoints.user)).body.roles;
const readReports = async (site: Site, account: TestAccount) =>
  (await site.as(account).get(moderationEndpoints.listReports)).status;

test('the only staff account has all roles; of more, each has its own', async ({ site }) => {
  const first = await site.admin(['owner', 'curator']);
  expect(await rolesOf(site, first)).toEqual(Object.keys(ROLES));
  expect(await readReports(site, first)).toBe(200);
  const second = await site.admin(['moderator']);
  expect(await rolesOf(site, first)).toEqual(['owner', 'curator']);
  expect(await rolesOf(site, second)).toEqual(['moderator']);
  expect(await readReports(site, first)).toBe(403);
  const gone = await site.as(first).delete(dismiss, of(second));
  expect(gone.body).toEqual({ message: STAFF_MESSAGES.removed });
  expect(await rolesOf(site, first)).toEqual(Object.keys(ROLES));
  expect(await rolesOf(site, second)).toEqual([]);
});

test('an owner sees the staff and changes roles, at once and logged', async ({ site }) => {
  const [owner, other] = [await site.admin(), await site.admin(['curator'])];
  const roles = ['auditor', 'verifier'] as const;
  const changed = await site.as(owner).patch(appoint, { roles: [...roles] }, of(other));
  const { userId: id, email } = other;
  const appointed = expect.objectContaining({ id, email, roles: ['verifier', 'auditor'] });
  expect(changed.body.results).toContainEqual(appointed);
  expect(await rolesOf(site, other)).toEqual(['verifier', 'auditor']);
  const details = { roles: 'verifier,auditor' };
  const appointment = { actor: owner.userId, action: 'staff.appoint', details };
  expect(await logOf(site, id, 'actor', 'action', 'details')).toEqual([appointment]);
});

test('nobody can verify and moderate: the API and the database reject it', async ({ site }) => {
  const [owner, other] = [await site.admin(), await site.admin(['curator'])];
  for (const [roles, message] of [
    [['verifier', 'moderator'], STAFF_MESSAGES.apart],
    [[], STAFF_MESSAGES.noRole],
  ] as const) {
    const refused = await site.as(owner).patch(appoint, { roles: [...roles] }, of(other));
    expect(refused.problem).toMatchObject({ status: 400, errors: { roles: [message] } });
  }
  const users = site.deps.db.updateTable('users').where('id', '=', other.userId);
  const write = (roles: string[], is_admin = true) => users.set({ roles, is_admin }).execute();
  await expect(write(['verifier', 'moderator'])).rejects.toThrow('users_roles_apart');
  await expect(write(['king'])).rejects.toThrow('users_roles_known');
  await expect(write([])).rejects.toThrow('users_roles_staff');
  await expect(write(['curator'], false)).rejects.toThrow('users_roles_staff');
});

test('of two owners who leave at the same time, one stays', async ({ site }) => {
  const owners = [await site.admin(), await site.admin()];
  for (const role of ['curator', 'auditor'] as const) await site.admin([role]);
  const leave = (owner: TestAccount) => site.as(owner).delete(dismiss, of(owner));
  const answers = await Promise.all(owners.map(leave));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
});

test('the only account cannot dismiss itself; an unknown one is not found', async ({ site }) => {
  const only = await site.admin();
  const dismissed = (userId: string) => site.as(only).delete(dismiss, of({ userId }));
  expect((await dismissed(only.userId)).problem).toMatchObject({ code: 'last_owner' });
  expect((await dismissed(crypto.randomUUID())).problem).toMatchObject({ code: 'not_found' });
  expect(await rolesOf(site, only)).toHaveLength(5);
});

test('an owner resets the lost factor of a colleague; dismissing removes it', async ({ site }) => {
  const [owner, other] = [await site.admin(), await site.admin(['curator'])];
  const client = site.as(owner);
  const factors = () => site.rows('staff_factors', {}, ['user_id']);
  await setUpFactor(site, other);
  const shown = expect.objectContaining({ id: other.userId, has_factor: true });
  expect((await client.get(list)).body.results).toContainEqual(shown);
  const reset = await client.post(resetFactor, of(other));
  expect(reset.body).toEqual({ message: STAFF_MESSAGES.factorReset });
  expect(await factors()).toEqual([]);
  await setUpFactor(site, other);
  await client.delete(dismiss, of(other));
  expect(await factors()).toEqual([]);
});

test('a former staff member is listed, and can be appointed again', async ({ site }) => {
  const [owner, other] = [await site.admin(), await site.admin(['curator'])];
  const client = site.as(owner);
  await site.doctor();
  await site.representative(await site.employer());
  const former = async () => (await client.get(list)).body.former;
  expect(await former()).toEqual([]);
  const gone = await client.delete(dismiss, of(other));
  expect(gone.body).toEqual({ message: STAFF_MESSAGES.removed });
  const { userId: id, email } = other;
  expect(await former()).toMatchObject([{ id, email, roles: [], has_factor: false }]);
  const again = await client.patch(appoint, { roles: ['auditor'] }, of(other));
  expect(again.body.former).toEqual([]);
  const appointed = expect.objectContaining({ id, roles: ['auditor'] });
  expect(again.body.results).toContainEqual(appointed);
});

test('doctors and representatives are never appointed', async ({ site }) => {
  const client = site.as(await site.admin());
  const others = [await site.doctor(), await site.representative(await site.employer())];
  for (const other of others) {
    const answer = await client.patch(appoint, { roles: ['curator'] }, of(other));
    expect(answer.status).toBe(404);
  }
});

test('roles that nobody has are named, with their number of waiting cases', async ({ site }) => {
  const client = site.as(await site.admin(['owner', 'moderator']));
  await site.employer();
  await site.as(await site.doctor()).post(employerEndpoints.add, { name: 'Fernhill Clinic' });
  const unstaffed = async () => (await client.get(list)).body.unstaffed;
  expect(await unstaffed()).toEqual([]);
  const second = await site.admin(['owner']);
  const roles = (await unstaffed()).map(({ role, cases }) => [role, cases]);
  expect(Object.fromEntries(roles)).toEqual({ verifier: 0, curator: 1 });
  await client.patch(appoint, { roles: ['curator', 'verifier'] }, of(second));
  expect(await unstaffed()).toEqual([]);
});
