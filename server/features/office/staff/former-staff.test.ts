import { employerEndpoints } from '#contract/endpoints/employers.ts';
import { staffEndpoints } from '#contract/endpoints/staff.ts';
import { STAFF_MESSAGES } from '#contract/staff.ts';
import { expect, testWith } from '#server/testing/site.ts';

const { appoint, dismiss, list } = staffEndpoints;
const of = ({ userId }: { userId: string }) => ({ params: { id: userId } });

/** Each test begins without accounts and cases. */
const test = testWith();
test.beforeEach(async ({ site }) => {
  await site.deps.db.deleteFrom('users').execute();
  await site.deps.db.deleteFrom('cases').execute();
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
