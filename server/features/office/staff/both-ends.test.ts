import { sql } from 'kysely';
import { staffEndpoints } from '#contract/endpoints/office.ts';
import { ERRORS } from '#contract/errors.ts';
import { ROLE_SWITCH_DAYS } from '#contract/limits.ts';
import type { Role } from '#contract/staff-roles.ts';
import type { TestAccount } from '#server/testing/factories.ts';
import { expect, type Site, testWith } from '#server/testing/site.ts';
import { emptyOffice } from '../testing/empty-office.ts';

const test = testWith();
test.beforeEach(({ site }) => emptyOffice(site));

const appoint = (site: Site, owner: TestAccount, { userId }: TestAccount, roles: Role[]) =>
  site.as(owner).patch(staffEndpoints.appoint, { roles }, { params: { id: userId } });

/** Lets days pass on the database's clock. */
const pass = ({ deps }: Site, days: number) =>
  sql`update users set end_left_on = end_left_on - ${days}::int where is_admin`.execute(deps.db);

const refusal = (code: 'own_roles' | 'role_wait') => {
  return { status: 409, code, detail: ERRORS[code].text };
};

test('nobody changes their own roles while there is another owner', async ({ site }) => {
  const [owner, other] = [await site.admin(), await site.admin(['owner'])];
  const own = await appoint(site, owner, owner, ['owner', 'moderator']);
  expect(own.problem).toMatchObject(refusal('own_roles'));
  expect((await appoint(site, other, owner, ['owner', 'curator'])).status).toBe(200);
});

test('the only owner changes their own roles', async ({ site }) => {
  const owner = await site.admin(['owner', 'curator']);
  await site.admin(['moderator']);
  expect((await appoint(site, owner, owner, ['owner', 'verifier'])).status).toBe(200);
});

test.for([
  ['moderator', 'verifier'],
  ['verifier', 'moderator'],
  ['auditor', 'verifier'],
  ['verifier', 'auditor'],
] as const)('a former %s waits before becoming a %s, by any path', async ([from, to], { site }) => {
  const [owner, other] = [await site.admin(['owner']), await site.admin([from])];
  expect((await appoint(site, owner, other, [to])).problem).toMatchObject(refusal('role_wait'));
  expect((await appoint(site, owner, other, ['curator'])).status).toBe(200);
  await pass(site, ROLE_SWITCH_DAYS - 1);
  expect((await appoint(site, owner, other, [to])).problem).toMatchObject(refusal('role_wait'));
  const { userId } = other;
  await site.as(owner).delete(staffEndpoints.dismiss, { params: { id: userId } });
  const row = { is_admin: true, roles: ['owner'] };
  await site.change('users', { id: userId }, row);
  expect((await appoint(site, owner, other, [to])).problem).toMatchObject(refusal('role_wait'));
  expect((await appoint(site, owner, other, [from])).status).toBe(200);
  await appoint(site, owner, other, ['curator']);
  await pass(site, ROLE_SWITCH_DAYS);
  expect((await appoint(site, owner, other, [to])).status).toBe(200);
});

test('an office of one switches freely: it has all roles anyway', async ({ site }) => {
  const only = await site.admin(['owner', 'moderator']);
  expect((await appoint(site, only, only, ['owner', 'verifier'])).status).toBe(200);
  await site.admin(['moderator']);
  const back = await appoint(site, only, only, ['owner', 'moderator']);
  expect(back.problem).toMatchObject(refusal('role_wait'));
});

test('staff who stay on one end do not wait for other changes', async ({ site }) => {
  const switched = await site.admin(['owner', 'moderator']);
  expect((await appoint(site, switched, switched, ['owner', 'verifier'])).status).toBe(200);
  const owner = await site.admin(['owner']);
  expect((await appoint(site, owner, switched, ['verifier', 'curator'])).status).toBe(200);
  const back = await appoint(site, owner, switched, ['moderator']);
  expect(back.problem).toMatchObject(refusal('role_wait'));
});

test('an auditor who verifies doctors must wait before reading about reviews', async ({ site }) => {
  const [owner, both] = [await site.admin(['owner']), await site.admin(['verifier'])];
  expect((await appoint(site, owner, both, ['verifier', 'auditor'])).status).toBe(200);
  const alone = await appoint(site, owner, both, ['auditor']);
  expect(alone.problem).toMatchObject(refusal('role_wait'));
  await pass(site, ROLE_SWITCH_DAYS);
  expect((await appoint(site, owner, both, ['curator'])).status).toBe(200);
  await pass(site, ROLE_SWITCH_DAYS);
  expect((await appoint(site, owner, both, ['auditor'])).status).toBe(200);
});
