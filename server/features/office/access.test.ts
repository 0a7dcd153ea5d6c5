import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Endpoint, OfficeAccess } from '#contract/endpoint.ts';
import { endpoints } from '#contract/endpoints.ts';
import { ROLES, type Role } from '#contract/staff-roles.ts';
import { isOffice } from '#server/plugins/access.ts';
import { buildTestApp, type TestApp } from '#server/testing/app.ts';
import {
  POSTER,
  signedInAdmin,
  signedInDoctor,
  type TestAccount,
} from '#server/testing/factories.ts';
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
  'POST /admin/employers/:id/corrections/accept/': 'curator',
  'POST /admin/employers/:id/corrections/refuse/': 'curator',
  'POST /admin/replies/:id/keep/': 'moderator',
  'POST /admin/replies/:id/remove/': 'moderator',
  'POST /admin/representatives/:id/approve/': 'curator',
  'POST /admin/representatives/:id/refuse/': 'curator',
  'GET /admin/cases/': 'staff',
  'GET /admin/cases/:id/': 'staff',
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
  'POST /admin/legal-demands/:id/decide/': 'owner',
  'POST /admin/legal-demands/:id/correct/': 'owner',
  'POST /admin/legal-demands/:id/lift-gag/': 'owner',
  'GET /admin/log/': 'auditor',
  'GET /admin/staff/': 'owner',
  'PATCH /admin/staff/:id/': 'owner',
  'DELETE /admin/staff/:id/': 'owner',
  'POST /admin/staff/:id/reset-factor/': 'owner',
  'GET /admin/factor/': 'staff',
  'POST /admin/factor/setup/': 'staff',
  'POST /admin/factor/': 'staff',
  'POST /admin/factor/enter/': 'staff',
  'POST /admin/factor/recovery-codes/': 'staff',
  'POST /admin/factor/remove/': 'staff',
};

/** Endpoints that need a code within the last 5 minutes, and those for entering one. */
const FRESH = [
  'POST /admin/employers/:id/merge/',
  'POST /admin/employers/:id/unmerge/',
  'POST /admin/doctors/unban/',
  'POST /admin/doctors/:id/evict/',
  'POST /admin/doctors/:id/ban/',
  'POST /admin/legal-demands/:id/correct/',
  'POST /admin/legal-demands/:id/lift-gag/',
  'PATCH /admin/staff/:id/',
  'DELETE /admin/staff/:id/',
  'POST /admin/staff/:id/reset-factor/',
  'POST /admin/factor/recovery-codes/',
  'POST /admin/factor/remove/',
];
const WITHOUT = [
  'GET /admin/factor/',
  'POST /admin/factor/setup/',
  'POST /admin/factor/',
  'POST /admin/factor/enter/',
];

const OFFICE = Object.values(endpoints)
  .flatMap((group) => Object.values<Endpoint>(group))
  .filter(({ path, access }) => path.startsWith('/admin/') || isOffice(access));
const nameOf = ({ method, path }: Endpoint) => `${method} ${path}`;

const roles = Object.keys(ROLES) as Role[];
const admits = (access: OfficeAccess, role: Role) => access === 'staff' || access === role;

let server: TestApp;
const accounts = new Map<Role | 'doctor', TestAccount>();
beforeAll(async () => {
  server = await buildTestApp();
  // The owner first: once there are two accounts, one must be an owner.
  for (const role of roles) accounts.set(role, await signedInAdmin(server, [role]));
  accounts.set('doctor', await signedInDoctor(server, POSTER));
});
afterAll(() => server[Symbol.asyncDispose]());

/** A request without a valid body, which the access policy rejects before anyone reads it. */
const ask = ({ method, path }: Endpoint, who: Role | 'doctor' | null, cookies = {}) =>
  server.app.inject({
    method,
    url: `/api${path.replace(':id', '00000000-0000-4000-8000-000000000000')}`,
    headers: who === null ? {} : { ...accounts.get(who)?.headers },
    cookies,
  });

test('every endpoint of the office has an expected access, and no others', () => {
  const declared = OFFICE.map((endpoint) => [nameOf(endpoint), endpoint.access]);
  expect(Object.fromEntries(declared)).toEqual(EXPECTED);
  const factorOf = (kind: 'fresh' | 'none') =>
    OFFICE.filter(({ factor }) => factor === kind).map(nameOf);
  expect(factorOf('fresh').toSorted()).toEqual(FRESH.toSorted());
  expect(factorOf('none').toSorted()).toEqual(WITHOUT.toSorted());
});

describe.each(OFFICE.map((endpoint) => [nameOf(endpoint), endpoint] as const))(
  '%s',
  (name, endpoint) => {
    test('rejects anyone signed out, and a doctor', async () => {
      expect((await ask(endpoint, null)).json()).toMatchObject({ code: 'authentication_required' });
      expect((await ask(endpoint, 'doctor')).json()).toMatchObject({ code: 'permission_denied' });
    });

    test.each(roles)('%s', async (role) => {
      const answer = await ask(endpoint, role);
      const isAdmitted = admits(EXPECTED[name] ?? 'owner', role);
      expect(answer.statusCode === 403, `${answer.statusCode} ${answer.body}`).toBe(!isAdmitted);
    });
  },
);

test('requires the second factor exactly where it is needed', async () => {
  const owner = await signedInAdmin(server, ['owner', 'moderator', 'curator', 'auditor']);
  await setUpFactor(server, owner);
  accounts.set('owner', owner);
  for (const endpoint of OFFICE.filter(({ access }) => access !== 'verifier')) {
    const isAsked = (await ask(endpoint, 'owner')).body.includes('factor_required');
    expect(isAsked, nameOf(endpoint)).toBe(endpoint.factor !== 'none');
  }
});
