import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Access, Endpoint } from '#contract/endpoint.ts';
import { endpoints } from '#contract/endpoints.ts';
import type { RepresentativeState } from '#contract/representatives.ts';
import { buildTestApp, type TestApp } from '#server/testing/app.ts';
import {
  newEmployer,
  signedInDoctor,
  signedInRepresentative,
  type TestAccount,
} from '#server/testing/factories.ts';

/** Why each access level rejects a representative; null if it allows one. */
const REFUSALS: Readonly<Record<Access, string | null>> = {
  public: null,
  'signed-in': null,
  reader: 'representative_account',
  representative: null,
  verified: 'representative_account',
  poster: 'representative_account',
  staff: 'permission_denied',
  owner: 'permission_denied',
  moderator: 'permission_denied',
  verifier: 'permission_denied',
  curator: 'permission_denied',
  auditor: 'permission_denied',
};

const ENDPOINTS = Object.values(endpoints)
  .flatMap((group) => Object.values<Endpoint>(group))
  // Logging out would end the session that the tests use.
  .filter(({ path }) => path !== '/auth/logout/');

let server: TestApp;
let doctor: TestAccount;
const representatives = new Map<RepresentativeState, TestAccount>();
beforeAll(async () => {
  server = await buildTestApp();
  doctor = await signedInDoctor(server);
  const employer = await newEmployer(server);
  for (const state of ['pending', 'approved', 'refused'] as const) {
    representatives.set(state, await signedInRepresentative(server, employer, { state }));
  }
});
afterAll(() => server[Symbol.asyncDispose]());

/** The error code of a request without a valid body, if the access policy rejects it. */
async function refusalOf({ method, path }: Endpoint, account?: TestAccount) {
  const answer = await server.app.inject({
    method,
    url: `/api${path.replace(':id', '00000000-0000-4000-8000-000000000000')}`,
    ...(account && { headers: account.headers }),
  });
  return answer.statusCode === 403 ? answer.json().code : null;
}

test('every endpoint allows or rejects a representative by its access level', async () => {
  for (const endpoint of ENDPOINTS) {
    const expected = REFUSALS[endpoint.access];
    const name = `${endpoint.method} ${endpoint.path}`;
    expect([name, await refusalOf(endpoint, representatives.get('approved'))]).toEqual([
      name,
      expected,
    ]);
    const isForApproved = endpoint.access === 'representative';
    for (const state of ['pending', 'refused'] as const) {
      const refused = isForApproved ? 'not_representative' : expected;
      expect([name, await refusalOf(endpoint, representatives.get(state))]).toEqual([
        name,
        refused,
      ]);
    }
  }
});

test('endpoints for representatives reject a doctor', async () => {
  const only = ENDPOINTS.filter(({ access }) => access === 'representative');
  expect(only.length).toBeGreaterThan(3);
  for (const endpoint of only) {
    expect(await refusalOf(endpoint, doctor)).toBe('not_representative');
  }
});
