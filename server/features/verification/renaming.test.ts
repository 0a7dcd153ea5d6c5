import { expect } from 'vitest';
import { openIdentity, sealIdentity } from '#server/features/accounts/identity/identity.ts';
import type { RegistryAnswer } from '#server/npi-registry/registry.ts';
import { newNpi, type TestAccount } from '#server/testing/factories.ts';
import { registryOf } from '#server/testing/matched-doctor.ts';
import { newSite, type Site, testWith } from '#server/testing/site.ts';
import { setPermission } from './administration.ts';
import { verifyNpi } from './registry-check.ts';
import { claim, doctorOf, ADA as EXAMPLE, join, rename, standing } from './testing/claimants.ts';

const ADA = { ...EXAMPLE, names: [...EXAMPLE.names, { first: 'ADA', last: 'LOVELACE' }] };
const npiRegistry = registryOf(ADA);
const test = testWith({ npiRegistry });

const VERIFIED = { verified: true, can_post_reviews: true };

/** An administrator's decision. */
const decide = (
  { deps }: Site,
  { userId }: TestAccount,
  permission: keyof typeof VERIFIED,
  granted: boolean,
) => setPermission(deps, { actor: 'test' }, userId, permission, granted);

test('another spelling keeps the verification, but another name loses it', async ({ site }) => {
  const verified_name = { first_name: 'Zoé', last_name: "O'Neill-Example" };
  const member = await claim(site, newNpi(), verified_name);
  await decide(site, member, 'verified', true);
  await decide(site, member, 'can_post_reviews', true);
  for (const name of [
    { first_name: 'ZOE', last_name: 'ONeill Example' },
    { first_name: 'Zoe B.', last_name: 'O Neill-Example, M.D.' },
    { first_name: 'Zoé' },
    {},
  ]) {
    await rename(site, member, name);
    expect(await doctorOf(site, member)).toMatchObject({ ...VERIFIED, user: name });
  }
  const { verification } = await doctorOf(site, member);
  expect(verification).toMatchObject({ status: 'passed', verified_name });

  expect((await rename(site, member, { first_name: 'Grace' })).first_name).toBe('Grace');
  const doctor = await doctorOf(site, member);
  expect(doctor).toMatchObject(standing('needs_review'));
  expect(doctor.verification.verified_name).toBeUndefined();
});

test('many small changes cannot lead to another name', async ({ site }) => {
  const member = await claim(site);
  for (const first_name of ['A da', 'A d a']) {
    await rename(site, member, { first_name });
    expect(await doctorOf(site, member)).toMatchObject(VERIFIED);
  }
  // Each is another spelling of the previous one.
  await rename(site, member, { first_name: 'A' });
  expect(await doctorOf(site, member)).toMatchObject(standing('needs_review'));
});

test('a new name that the registry also has is verified again within seconds', async ({ site }) => {
  const member = await claim(site);
  expect(await doctorOf(site, member)).toMatchObject(VERIFIED);
  await rename(site, member, { last_name: 'Lovelace' });
  expect(await doctorOf(site, member)).toMatchObject({
    ...VERIFIED,
    user: { last_name: 'Lovelace' },
    verification: { status: 'passed', verified_name: { first_name: 'Ada', last_name: 'Lovelace' } },
  });
});

test('the account is pending until the registry has answered', async ({ site }) => {
  let answer = Promise.resolve<RegistryAnswer>(ADA);
  const npi = npiRegistry.numberOf(() => answer);
  const member = await claim(site, npi);
  const gate = Promise.withResolvers<RegistryAnswer>();
  answer = gate.promise;
  const renamed = rename(site, member, { first_name: 'Grace' });
  const pending = standing('pending', { checks: { known: null, name_matches: null } });
  await expect.poll(() => doctorOf(site, member)).toMatchObject(pending);
  gate.resolve(ADA);
  await renamed;
  const checked = standing('needs_review', { checks: { known: true, name_matches: false } });
  expect(await doctorOf(site, member)).toMatchObject(checked);
});

test('with manual verification, a new name waits for an administrator', async () => {
  const site = await newSite({ npiRegistry, config: { verification: 'manual' } });
  const member = await claim(site);
  await decide(site, member, 'verified', true);
  await decide(site, member, 'can_post_reviews', true);
  await rename(site, member, { last_name: 'Lovelace' });
  const matched = standing('needs_review', { checks: { name_matches: true } });
  expect(await doctorOf(site, member)).toMatchObject(matched);
});

test("no name change overrides an administrator's decision", async ({ site }) => {
  const [silenced, refused] = [await claim(site), await claim(site)];
  await decide(site, silenced, 'can_post_reviews', false);
  await decide(site, refused, 'verified', false);
  for (const member of [silenced, refused]) {
    for (const last_name of ['Lovelace', 'Example']) {
      await rename(site, member, { last_name });
      const doctor = await doctorOf(site, member);
      expect(doctor.verified && doctor.can_post_reviews).toBe(false);
    }
  }
  expect(await doctorOf(site, silenced)).toMatchObject(standing('needs_review'));
});

test('unverified doctors and administrators can change names freely', async ({ site }) => {
  const member = await claim(site, npiRegistry.numberOf({ kind: 'unknown' }));
  const before = await doctorOf(site, member);
  await rename(site, member, { first_name: 'Grace', last_name: 'Hopper' });
  const after = await doctorOf(site, member);
  expect(after.verification).toEqual(before.verification);
  expect(after.user).toMatchObject({ first_name: 'Grace', last_name: 'Hopper' });
  const renamed = await rename(site, await site.admin(), { first_name: 'Grace' });
  expect(renamed.first_name).toBe('Grace');
});

test('a check that runs during a name change does not verify the wrong name', async ({ site }) => {
  const asked = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const answers = asked.map(() => Promise.withResolvers<RegistryAnswer>());
  let calls = 0;
  const npi = npiRegistry.numberOf(() => {
    const call = Math.min(calls, 1);
    calls += 1;
    asked[call]?.resolve();
    return answers[call]?.promise ?? Promise.resolve(ADA);
  });
  const member = await join(site, npi);
  const checking = verifyNpi(site.deps)(member);
  await asked[0]?.promise;
  await changeNameOf(site, member.userId, 'Mallory');
  answers[0]?.resolve(ADA);
  await checking;
  await asked[1]?.promise;
  // The registry's answer was about the previous name.
  expect(await doctorOf(site, member)).toMatchObject(standing('pending'));
  answers[1]?.resolve(ADA);
  await site.jobs.idle();
  const unmatched = standing('needs_review', { checks: { name_matches: false } });
  expect(await doctorOf(site, member)).toMatchObject(unmatched);
});

test('the length of a row does not show who has changed a name', async ({ site }) => {
  const still = await claim(site);
  const longest = { first_name: 'A'.repeat(100), last_name: 'B'.repeat(100) };
  const changed = await claim(site, newNpi(), longest);
  await decide(site, changed, 'verified', true);
  const lengthOf = async ({ userId: id }: TestAccount) =>
    (await site.rows('users', { id }))[0]?.sealed.length;
  const before = await lengthOf(changed);
  const name = { first_name: 'a'.repeat(100), last_name: 'b'.repeat(100) };
  await rename(site, changed, name);
  expect(await doctorOf(site, changed)).toMatchObject({ verified: true, user: name });
  expect(await lengthOf(changed)).toBe(before);
  expect(await lengthOf(still)).toBe(before);
});

/** Renames like the profile page, but without a check of the new name. */
async function changeNameOf(site: Site, id: string, first_name: string) {
  const { keys } = site.deps;
  const [{ sealed } = expect.fail()] = await site.rows('users', { id });
  const identity = { ...openIdentity(keys, id, sealed), first_name };
  await site.change('users', { id }, { sealed: sealIdentity(keys, id, identity) });
}
