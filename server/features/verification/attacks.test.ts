import { expect } from 'vitest';
import { DAY_MS } from '#contract/limits.ts';
import { inTransaction } from '#server/db/transaction.ts';
import { nodeAt } from '#server/features/accounts/testing/index-keys.ts';
import { newNpi } from '#server/testing/factories.ts';
import { registryOf, signedInAgain } from '#server/testing/matched-doctor.ts';
import { type Site, testWith } from '#server/testing/site.ts';
import { ban, setPermission } from './administration.ts';
import { holdClaim } from './claims.ts';
import * as claimants from './testing/claimants.ts';
import { banNpi, leaveTombstone, tombstoneOf } from './tombstones.ts';

const { ADA, checkAgain, claim, doctorOf, leave, post, prove, rename } = claimants;
const { rivals, standing, stepsOf } = claimants;
const npiRegistry = registryOf(ADA);
const proofTest = testWith({ config: { verification: 'proof' }, npiRegistry });
const registryTest = testWith({ config: { verification: 'registry' }, npiRegistry });

const DECISION = { actor: 'cli', reason: 'a test' };
const tombstone = ({ deps }: Site, npi: string) => tombstoneOf(deps.keys, deps.db, npi, 'weak');

proofTest('no proof counts for a new name that the registry lacks', async ({ site }) => {
  const mallory = await claim(site);
  await rename(site, mallory, { first_name: 'Grace', last_name: 'Hopper' });
  await expect(prove(site, mallory)).rejects.toMatchObject({ code: 'nothing_to_prove' });
  const unmatched = standing('needs_review', { checks: { name_matches: false } });
  expect(await doctorOf(site, mallory)).toMatchObject(unmatched);
  await rename(site, mallory, { first_name: 'Ada', last_name: 'Example' });
  await prove(site, mallory);
  expect(await doctorOf(site, mallory)).toMatchObject({ verified: true });
});

registryTest('a decision about posting outlasts a tombstone and a proof', async ({ site }) => {
  const npi = newNpi();
  const first = await claim(site, npi);
  await post(site, first);
  await leave(site, first, 'keep');
  const again = await claim(site, npi);
  const postingFrom = async () => (await doctorOf(site, again)).verification.posting_from;
  expect(await postingFrom()).toBeDefined();
  await setPermission(site.deps, DECISION, again.userId, 'can_post_reviews', false);
  expect(await postingFrom()).toBeUndefined();
  await prove(site, again);
  expect(await doctorOf(site, again)).toMatchObject({ verified: true, can_post_reviews: false });
  expect(await postingFrom()).toBeUndefined();
});

proofTest('banning an account that proved an NPI bans no holder', async ({ site }) => {
  const npi = newNpi();
  const [owner, impostor] = await rivals(site, npi);
  await prove(site, owner);
  await prove(site, impostor);
  expect(await ban(site.deps, DECISION, impostor.userId)).toEqual({ npi: false });
  expect(await tombstone(site, npi)).toBeNull();
  await checkAgain(site, impostor);
  expect(await doctorOf(site, impostor)).toMatchObject(standing('needs_review'));
  await rename(site, owner, { first_name: 'Ada', last_name: 'Exampel' });
  await rename(site, owner, { first_name: 'Ada', last_name: 'Example' });
  expect(await doctorOf(site, owner)).toMatchObject({ verified: true });
});

for (const state of ['lost', 'lost, and proven again']) {
  registryTest(`leaves no tombstone for an NPI that another proved: ${state}`, async ({ site }) => {
    const npi = newNpi();
    const [impostor, owner] = await rivals(site, npi);
    await post(site, impostor);
    await prove(site, owner);
    if (state !== 'lost') await prove(site, impostor);
    expect((await leave(site, impostor, 'keep')).status).toBe(200);
    expect(await tombstone(site, npi)).toBeNull();
  });
}

proofTest('a later proof does not verify while the first account renames', async ({ site }) => {
  const npi = newNpi();
  const joined = await claim(site, npi);
  await prove(site, joined);
  site.pass(DAY_MS);
  const owner = await signedInAgain(site, joined);
  const impostor = await claim(site, npi);
  await prove(site, impostor);
  await rename(site, owner, { last_name: 'Newlywed' });
  expect(await doctorOf(site, owner)).toMatchObject({ verified: false });
  await checkAgain(site, impostor);
  expect(await doctorOf(site, impostor)).toMatchObject(standing('needs_review'));
  // The first account keeps its precedence.
  await rename(site, owner, { last_name: 'Example' });
  expect(await doctorOf(site, owner)).toMatchObject({ verified: true });
  expect(await doctorOf(site, impostor)).toMatchObject({ verified: false });
});

proofTest('where proof is required, a match leaves no tombstone', async ({ site }) => {
  const npi = newNpi();
  const impostor = await claim(site, npi);
  // As the mode `registry` left it.
  const passed = { verified: true, can_post_reviews: true, verification_status: 'passed' };
  await site.change('doctors', { user_id: impostor.userId }, passed);
  expect(await post(site, impostor)).toBe(201);
  expect((await leave(site, impostor, 'keep')).status).toBe(200);
  expect(await tombstone(site, npi)).toBeNull();
});

proofTest('reading the steps does not wait for decisions about the NPI', async ({ site }) => {
  const [ada, other] = await rivals(site);
  await inTransaction(site.deps.db, async (trx) => {
    await holdClaim(site.deps.keys, trx, other.userId);
    await holdClaim(site.deps.keys, trx, ada.userId);
    expect(await stepsOf(site, ada)).toMatchObject({ letter_from: expect.any(String) });
  });
});

proofTest('of two tombstones under two index keys, the ban wins', async ({ site: { deps } }) => {
  for (const [left, banned] of [['before', 'after'] as const, ['after', 'before'] as const]) {
    const npi = newNpi();
    await leaveTombstone(nodeAt(deps, left), deps.db, { npi, strength: 'strong' }, 'keep');
    await banNpi(nodeAt(deps, banned).keys, deps.db, npi, 'strong');
    const found = await tombstoneOf(nodeAt(deps, 'rotating').keys, deps.db, npi, 'strong');
    expect(found?.kind, left).toBe('banned');
  }
});
