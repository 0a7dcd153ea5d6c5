import type { Access, Endpoint } from '#contract/endpoint.ts';
import { endpoints } from '#contract/endpoints.ts';
import type { TestAccount } from '#server/testing/factories.ts';
import { expect, type Site, test } from '#server/testing/site.ts';

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

/** The error code of a request without a valid body, if the access policy rejects it. */
async function refusalOf({ app }: Site, { method, path }: Endpoint, { headers }: TestAccount) {
  const url = `/api${path.replace(':id', '00000000-0000-4000-8000-000000000000')}`;
  const answer = await app.inject({ method, url, headers });
  return answer.statusCode === 403 ? answer.json().code : null;
}

test.for(['approved', 'pending', 'refused'] as const)(
  'every endpoint allows or rejects a representative by its access level: %s',
  async (state, { site }) => {
    const account = await site.representative(await site.employer(), { state });
    for (const endpoint of ENDPOINTS) {
      const isForApproved = endpoint.access === 'representative' && state !== 'approved';
      const expected = isForApproved ? 'not_representative' : REFUSALS[endpoint.access];
      const refusal = await refusalOf(site, endpoint, account);
      expect(refusal, `${endpoint.method} ${endpoint.path}`).toBe(expected);
    }
  },
);

test('endpoints for representatives reject a doctor', async ({ site }) => {
  const doctor = await site.doctor();
  const only = ENDPOINTS.filter(({ access }) => access === 'representative');
  expect(only.length).toBeGreaterThan(3);
  for (const endpoint of only) {
    expect(await refusalOf(site, endpoint, doctor)).toBe('not_representative');
  }
});
