import type { Endpoint, OfficeAccess } from '#contract/endpoint.ts';
import { endpoints } from '#contract/endpoints.ts';
import { ROLES, type Role } from '#contract/staff-roles.ts';
import { isOffice } from '#server/plugins/access.ts';
import type { TestAccount } from '#server/testing/factories.ts';
import { expect, type Site, test as siteTest } from '#server/testing/site.ts';
import { setUpFactor } from './testing/second-factor.ts';

/** Who may call each endpoint of the office. A new one fails until it has a row. */
const EXPECTED: Readonly<Record<string, OfficeAccess>> = {
  'GET /admin/employers/submitted/': 'curator',
  'GET /admin/employers/:id/': 'curator',
  'PATCH /admin/employers/:id/': 'curator',
  'GET /admin/employers/:id/merge/': 'curator',
  'POST /admin/employers/:id/merge/': 'curator',
  'POST /admin/employers/:id/unmerge/': 'curator',
  'POST /admin/employers/:id/accept/': 'curator',
  'POST /admin/employers/:id/reject/': 'curator',
  'POST /admin/employers/:id/unreject/': 'curator',
  'POST /admin/employers/:id/corrections/accept/': 'curator',
  'POST /admin/employers/:id/corrections/refuse/': 'curator',
  'POST /admin/replies/:id/keep/': 'moderator',
  'POST /admin/replies/:id/remove/': 'moderator',
  'POST /admin/representatives/:id/approve/': 'curator',
  'POST /admin/representatives/:id/refuse/': 'curator',
  'GET /admin/cases/': 'staff',
  'GET /admin/cases/changes/': 'staff',
  'GET /admin/cases/:id/': 'staff',
  'GET /admin/history/': 'staff',
  'GET /admin/reviews/:id/': 'moderator',
  'GET /admin/representatives/': 'curator',
  'POST /admin/cases/:id/prolong/': 'staff',
  'POST /admin/cases/:id/ask/': 'staff',
  'POST /admin/cases/:id/notes/': 'staff',
  'POST /admin/cases/:id/claim/': 'staff',
  'POST /admin/cases/:id/release/': 'staff',
  'POST /admin/doctors/:id/verify/': 'verifier',
  'POST /admin/doctors/:id/refuse/': 'verifier',
  'POST /admin/doctors/:id/allow-posting/': 'verifier',
  'POST /admin/doctors/:id/deny-posting/': 'verifier',
  'GET /admin/doctors/': 'verifier',
  'POST /admin/doctors/unban/': 'verifier',
  'POST /admin/doctors/:id/evict/': 'verifier',
  'POST /admin/doctors/:id/ban/': 'verifier',
  'POST /admin/doctors/:id/dismiss/': 'verifier',
  'POST /admin/reviews/:id/hold/': 'moderator',
  'POST /admin/reviews/:id/appeal/': 'moderator',
  'POST /admin/reviews/:id/second-look/': 'moderator',
  'GET /admin/reports/': 'moderator',
  'POST /admin/reviews/:id/remove/': 'moderator',
  'POST /admin/reviews/:id/restore/': 'moderator',
  'POST /admin/reviews/:id/keep/': 'moderator',
  'GET /admin/legal-demands/': 'owner',
  'POST /admin/legal-demands/': 'owner',
  'GET /admin/legal-demands/:id/document/': 'owner',
  'POST /admin/legal-demands/:id/document/': 'owner',
  'POST /admin/legal-demands/:id/decide/': 'owner',
  'POST /admin/legal-demands/:id/correct/': 'owner',
  'POST /admin/legal-demands/:id/lift-gag/': 'owner',
  'GET /admin/log/': 'auditor',
  'GET /admin/log/csv/': 'auditor',
  'GET /admin/log/reviews/:id/': 'auditor',
  'GET /admin/staff/': 'owner',
  'PATCH /admin/staff/:id/': 'owner',
  'DELETE /admin/staff/:id/': 'owner',
  'POST /admin/staff/:id/reset-factor/': 'owner',
  'GET /admin/digest/': 'staff',
  'POST /admin/digest/': 'staff',
  'GET /admin/factor/': 'staff',
  'POST /admin/factor/setup/': 'staff',
  'POST /admin/factor/': 'staff',
  'POST /admin/factor/enter/': 'staff',
  'POST /admin/factor/recovery-codes/': 'staff',
  'POST /admin/factor/remove/': 'staff',
};

/** Endpoints that need a code within the last 5 minutes, and those for entering one. */
const FRESH = [
  ...['POST /admin/employers/:id/merge/', 'POST /admin/employers/:id/unmerge/'],
  ...['POST /admin/doctors/unban/', 'POST /admin/doctors/:id/evict/'],
  'POST /admin/doctors/:id/ban/',
  ...['POST /admin/legal-demands/:id/correct/', 'POST /admin/legal-demands/:id/lift-gag/'],
  ...['PATCH /admin/staff/:id/', 'DELETE /admin/staff/:id/'],
  'POST /admin/staff/:id/reset-factor/',
  ...['POST /admin/factor/recovery-codes/', 'POST /admin/factor/remove/'],
];
const FACTOR = ['GET /admin/factor/', 'POST /admin/factor/', 'POST /admin/factor/setup/'];
const WITHOUT = [...FACTOR, 'POST /admin/factor/enter/', 'GET /admin/digest/'];

const OFFICE = Object.values(endpoints)
  .flatMap((group) => Object.values<Endpoint>(group))
  .filter(({ path, access }) => path.startsWith('/admin/') || isOffice(access));
const nameOf = ({ method, path }: Endpoint) => `${method} ${path}`;

const roles = Object.keys(ROLES) as Role[];
const admits = (access: OfficeAccess, role: Role) => access === 'staff' || access === role;

const test = siteTest.extend('accounts', { scope: 'file' }, async ({ site }) => {
  const accounts = new Map<Role, TestAccount>();
  // The owner first: once there are two accounts, one must be an owner.
  for (const role of roles) accounts.set(role, await site.admin([role]));
  return accounts;
});

/** A request without a valid body, which the access policy rejects before anyone reads it. */
const ask = ({ app }: Site, { method, path }: Endpoint, account?: TestAccount) =>
  app.inject({
    method,
    url: `/api${path.replace(':id', '00000000-0000-4000-8000-000000000000')}`,
    headers: account?.headers ?? {},
  });

test('every endpoint of the office has an expected access, and no others', () => {
  const declared = OFFICE.map((endpoint) => [nameOf(endpoint), endpoint.access]);
  expect(Object.fromEntries(declared)).toEqual(EXPECTED);
  const factorOf = (kind: 'fresh' | 'none') =>
    OFFICE.filter(({ factor }) => factor === kind).map(nameOf);
  expect(factorOf('fresh').toSorted()).toEqual(FRESH.toSorted());
  expect(factorOf('none').toSorted()).toEqual(WITHOUT.toSorted());
});

for (const endpoint of OFFICE) {
  const name = nameOf(endpoint);
  test(`${name} admits its roles, and nobody else`, async ({ site, accounts }) => {
    expect((await ask(site, endpoint)).json()).toMatchObject({ code: 'authentication_required' });
    const doctor = await ask(site, endpoint, await site.doctor());
    expect(doctor.json()).toMatchObject({ code: 'permission_denied' });
    for (const [role, account] of accounts) {
      const { statusCode, body } = await ask(site, endpoint, account);
      const isAdmitted = admits(EXPECTED[name] ?? 'owner', role);
      expect(statusCode === 403, `${role}: ${statusCode} ${body}`).toBe(!isAdmitted);
    }
  });
}

test('requires the second factor exactly where it is needed', async ({ site, accounts: _ }) => {
  const owner = await site.admin(['owner', 'moderator', 'curator', 'auditor']);
  await setUpFactor(site, owner);
  for (const endpoint of OFFICE.filter(({ access }) => access !== 'verifier')) {
    const isAsked = (await ask(site, endpoint, owner)).body.includes('factor_required');
    expect(isAsked, nameOf(endpoint)).toBe(endpoint.factor !== 'none');
  }
});
