import { expect } from 'vitest';
import { doctorDecisionEndpoints, doctorEndpoints } from '#contract/endpoints/office.ts';
import { DOCTOR_MESSAGES } from '#contract/office/case-queue.ts';
import { addDoctor } from '#server/features/accounts/signup/signup.ts';
import { ban } from '#server/features/verification/administration.ts';
import { byTwo } from '#server/features/verification/testing/claimants.ts';
import { NO_EVIDENCE } from '#server/npi-registry/evidence.ts';
import { logOf, newEmail, newNpi, POSTER } from '#server/testing/factories.ts';
import { MATCHED } from '#server/testing/matched-doctor.ts';
import { test as siteTest } from '#server/testing/site.ts';

const { find, unban } = doctorEndpoints;
const { evict, verify } = doctorDecisionEndpoints;
const of = (id: string) => ({ params: { id } });
const reason = 'Not the person of this NPI.';

/** A number with two accounts, and a verifier. */
const test = siteTest
  .extend('npi', () => newNpi())
  .extend('add', ({ site, npi }) => (profile: object, evidence = NO_EVIDENCE) => {
    const name = { first_name: 'Ida', last_name: 'Example', password: null };
    return addDoctor(site.deps, { ...name, email: newEmail(), npi, profile, evidence });
  })
  .extend('holder', ({ add }) => add(POSTER))
  .extend('other', ({ add }) => add({}))
  .extend('verifier', async ({ site }) => {
    await site.admin(['owner']);
    return site.admin(['verifier']);
  })
  .extend('client', ({ site, verifier }) => site.as(verifier));

test('finds all accounts of an NPI, verified first', async ({ npi, holder, other, client }) => {
  const found = (await client.get(find, { query: { npi } })).body;
  expect(found.is_banned).toBe(false);
  expect(found.results.map(({ user }) => user.id)).toEqual([holder, other]);
  const unknown = await client.get(find, { query: { npi: newNpi() } });
  expect(unknown.body).toEqual({ is_banned: false, results: [] });
});

test('evicts an account, not its NPI', async ({ site, npi, holder, other, verifier, client }) => {
  const evicted = await client.post(evict, { reason }, of(holder));
  expect(evicted.body).toMatchObject({ verified: false, can_post_reviews: false });
  expect((await client.get(find, { query: { npi } })).body.is_banned).toBe(false);
  const verified = await client.post(verify, { reason }, of(other));
  expect(verified.body).toMatchObject({ verified: true });
  const entry = { actor: verifier.userId, action: 'doctor.evict', details: { reason } };
  expect(await logOf(site, holder, 'actor', 'action', 'details')).toEqual([entry]);
});

test('lifts a ban, and logs no NPI', async ({ site, npi, add, other, verifier, client }) => {
  const proofs = [{ kind: 'letter', on: '2026-01-02' } as const];
  const holder = await add(POSTER, { ...MATCHED, proofs, held_by: 'proof' });
  await byTwo(site, (actor) => ban(site.deps, { actor, reason }, holder));
  const isBanned = async () => (await client.get(find, { query: { npi } })).body.is_banned;
  expect(await isBanned()).toBe(true);
  const verifyOther = () => client.post(verify, { reason }, of(other));
  expect((await verifyOther()).problem.code).toBe('npi_banned');
  const lift = async () => (await client.post(unban, { npi, reason })).body;
  expect(await lift()).toEqual({ message: DOCTOR_MESSAGES.unbanned });
  expect(await lift()).toEqual({ message: DOCTOR_MESSAGES.notBanned });
  expect(await isBanned()).toBe(false);
  expect((await verifyOther()).status).toBe(200);
  const acts = await site.rows('audit_log');
  const own = acts.filter(({ actor }) => actor === verifier.userId);
  expect(own.filter(({ action }) => action === 'doctor.unban')).toHaveLength(1);
  expect(JSON.stringify(acts)).not.toContain(npi);
});
