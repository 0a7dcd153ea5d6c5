import { expect } from 'vitest';
import { DAY_MS } from '#contract/limits.ts';
import { inTransaction } from '#server/db/transaction.ts';
import { nodeAt } from '#server/features/accounts/testing/index-keys.ts';
import { newNpi } from '#server/testing/factories.ts';
import { registryOf, signedInAgain } from '#server/testing/matched-doctor.ts';
import { testWith } from '#server/testing/site.ts';
import { ban, setPermission } from './administration.ts';
import { holdClaim } from './claims.ts';
import {
  ADA,
  checkAgain,
  claim,
  doctorOf,
  leave,
  post,
  prove,
  rename,
  stepsOf,
} from './testing/claimants.ts';
import { banNpi, leaveTombstone, tombstoneOf } from './tombstones.ts';

const npiRegistry = registryOf(ADA);
const proofTest = testWith({ config: { verification: 'proof' }, npiRegistry });
const registryTest = testWith({ config: { verification: 'registry' }, npiRegistry });

const DECISION = { actor: 'cli', reason: 'a test' };

proofTest(
  'a proof after a name change does not count for a name that is not in the registry',
  async ({ site }) => {
    const mallory = await claim(site);
    await rename(site, mallory, { first_name: 'Grace', last_name: 'Hopper' });
    await expect(prove(site, mallory)).rejects.toMatchObject({ code: 'nothing_to_prove' });
    expect(await doctorOf(site, mallory)).toMatchObject({
      verified: false,
      verification: { status: 'needs_review', checks: { name_matches: false } },
    });
    await rename(site, mallory, { first_name: 'Ada', last_name: 'Example' });
    await prove(site, mallory);
    expect(await doctorOf(site, mallory)).toMatchObject({ verified: true });
  },
);

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

proofTest(
  'banning an account that also proved an NPI does not ban the NPI of its holder',
  async ({ site }) => {
    const npi = newNpi();
    const [owner, impostor] = [await claim(site, npi), await claim(site, npi)];
    await prove(site, owner);
    await prove(site, impostor);
    expect(await ban(site.deps, DECISION, impostor.userId)).toEqual({ npi: false });
    expect(await tombstoneOf(site.deps.keys, site.deps.db, npi, 'weak')).toBeNull();
    await checkAgain(site, impostor);
    expect(await doctorOf(site, impostor)).toMatchObject({
      verified: false,
      verification: { status: 'needs_review' },
    });
    await rename(site, owner, { first_name: 'Ada', last_name: 'Exampel' });
    await rename(site, owner, { first_name: 'Ada', last_name: 'Example' });
    expect(await doctorOf(site, owner)).toMatchObject({ verified: true });
  },
);

registryTest.for(['lost', 'lost, and proven again'] as const)(
  'an account leaves no tombstone for an NPI that another account has proven: %s',
  async (state, { site }) => {
    const npi = newNpi();
    const [impostor, owner] = [await claim(site, npi), await claim(site, npi)];
    await post(site, impostor);
    await prove(site, owner);
    if (state !== 'lost') await prove(site, impostor);
    expect((await leave(site, impostor, 'keep')).status).toBe(200);
    expect(await tombstoneOf(site.deps.keys, site.deps.db, npi, 'weak')).toBeNull();
  },
);

proofTest(
  'of two accounts that proved an NPI, the later one is not verified while the first changes names',
  async ({ site }) => {
    const npi = newNpi();
    const joined = await claim(site, npi);
    await prove(site, joined);
    site.time.now = new Date(site.time.now.getTime() + DAY_MS);
    const owner = await signedInAgain(site, joined);
    const impostor = await claim(site, npi);
    await prove(site, impostor);
    await rename(site, owner, { last_name: 'Newlywed' });
    expect(await doctorOf(site, owner)).toMatchObject({ verified: false });
    await checkAgain(site, impostor);
    expect(await doctorOf(site, impostor)).toMatchObject({
      verified: false,
      verification: { status: 'needs_review' },
    });
    // The first account keeps its precedence.
    await rename(site, owner, { last_name: 'Example' });
    expect(await doctorOf(site, owner)).toMatchObject({ verified: true });
    expect(await doctorOf(site, impostor)).toMatchObject({ verified: false });
  },
);

proofTest(
  'with proof required, an account that was only matched leaves no tombstone',
  async ({ site }) => {
    const npi = newNpi();
    const impostor = await claim(site, npi);
    // As the mode `registry` left it.
    await site.deps.db
      .updateTable('doctors')
      .set({ verified: true, can_post_reviews: true, verification_status: 'passed' })
      .where('user_id', '=', impostor.userId)
      .execute();
    expect(await post(site, impostor)).toBe(201);
    expect((await leave(site, impostor, 'keep')).status).toBe(200);
    expect(await tombstoneOf(site.deps.keys, site.deps.db, npi, 'weak')).toBeNull();
  },
);

proofTest('reading the steps does not wait for decisions about the NPI', async ({ site }) => {
  const npi = newNpi();
  const [ada, other] = [await claim(site, npi), await claim(site, npi)];
  await inTransaction(site.deps.db, async (trx) => {
    await holdClaim(site.deps.keys, trx, other.userId);
    await holdClaim(site.deps.keys, trx, ada.userId);
    expect(await stepsOf(site, ada)).toMatchObject({ letter_from: expect.any(String) });
  });
});

proofTest.for([
  ['before', 'after'],
  ['after', 'before'],
] as const)(
  'of two tombstones under two index keys, the ban takes precedence: %s, %s',
  async ([left, banned], { site: { deps } }) => {
    const npi = newNpi();
    await leaveTombstone(nodeAt(deps, left), deps.db, { npi, strength: 'strong' }, 'keep');
    await banNpi(nodeAt(deps, banned).keys, deps.db, npi, 'strong');
    const found = await tombstoneOf(nodeAt(deps, 'rotating').keys, deps.db, npi, 'strong');
    expect(found?.kind).toBe('banned');
  },
);
