import { expect } from 'vitest';
import { newMember } from '#server/features/accounts/testing/account-flows.ts';
import { NO_EVIDENCE } from '#server/npi-registry/evidence.ts';
import { type RegistryAnswer, RegistryUnavailable } from '#server/npi-registry/registry.ts';
import { hurry, pauseOf } from '#server/testing/jobs.ts';
import { MATCHED, registryOf } from '#server/testing/matched-doctor.ts';
import { newSite, testWith } from '#server/testing/site.ts';
import { verifyNpi } from './registry-check.ts';
import { ADA, claim, doctorOf, join, post, standing, VERIFIED } from './testing/claimants.ts';

const npiRegistry = registryOf(ADA);
const test = testWith({ npiRegistry });

const { checks: NOT_MADE } = NO_EVIDENCE;
const { checks: ALL_PASSED } = MATCHED;

test('verifies a physician with a matching name, who may post and is told', async ({ site }) => {
  const member = await newMember(site);
  const verification = { status: 'passed', checks: ALL_PASSED };
  const verified = { ...VERIFIED, npi: member.npi, verification };
  expect(await doctorOf(site, member)).toMatchObject(verified);
  const text = expect.stringContaining('You are verified');
  expect(site.mail.at(-1)).toMatchObject({ to: member.email, text });
  expect(await post(site, member)).toBe(201);
});

const names = [{ first: 'GRACE', last: 'HOPPER' }];
const taxonomies = ['163W00000X'];
const ORGANIZATION = { kind: 'organization', active: true } as const;
const OPEN: [what: string, answer: RegistryAnswer, checks: object][] = [
  ['an unknown number', { kind: 'unknown' }, { known: false }],
  ['a deactivated number', { kind: 'deactivated' }, { known: true, active: false }],
  ['an organization', ORGANIZATION, { known: true, active: true, individual: false }],
  ['another name', { ...ADA, names }, { ...ALL_PASSED, name_matches: false }],
  ['another profession', { ...ADA, taxonomies }, { ...ALL_PASSED, physician: false }],
  ['an inactive physician', { ...ADA, active: false }, { ...ALL_PASSED, active: false }],
];

test.for(OPEN)('%s waits for a verifier, with checks', async ([, answer, made], { site }) => {
  const member = await claim(site, npiRegistry.numberOf(answer));
  const waits = standing('needs_review', { checks: { ...NOT_MADE, ...made } });
  expect(await doctorOf(site, member)).toMatchObject(waits);
  expect(await post(site, member)).toBe(403);
  await site.jobs.idle();
  expect(site.mail.filter(({ to }) => to === member.email)).toEqual([]);
});

test('with manual verification everyone waits, and the checks still run', async () => {
  const site = await newSite({ npiRegistry, config: { verification: 'manual' } });
  const waits = standing('needs_review', { checks: { name_matches: true } });
  expect(await doctorOf(site, await claim(site))).toMatchObject(waits);
});

test('retries with increasing delays while the registry is down', async ({ site }) => {
  let down = true;
  let asked = 0;
  const npi = npiRegistry.numberOf(async () => {
    asked += 1;
    if (down) throw new RegistryUnavailable('answered 503');
    return ADA;
  });
  const { pool } = site.deps.database;
  const member = await join(site, npi);
  await site.deps.jobs.enqueue(site.deps.db, 'verify-npi', { userId: member.userId });
  const pauses: ReturnType<typeof pauseOf>[] = [];
  for (let retry = 0; retry < 4; retry += 1) {
    await site.jobs.idle();
    const { rows } = await pool.query("select * from pgboss.job where name = 'verify-npi'");
    expect(rows).toHaveLength(1);
    pauses.push(pauseOf(rows[0]));
    // A failing registry says nothing about the doctor.
    const pending = standing('pending', { checks: NOT_MADE, checked_on: null });
    expect(await doctorOf(site, member)).toMatchObject(pending);
    expect(await post(site, member)).toBe(403);
    down = retry < 3;
    await hurry(pool);
  }
  await site.jobs.idle();

  for (const [retry, { left, inAll }] of pauses.entries()) {
    expect(left).toBeLessThanOrEqual(20 * 2 ** retry);
    expect(inAll).toBeGreaterThanOrEqual(10 * 2 ** retry);
  }
  expect(asked).toBe(5);
  expect(await doctorOf(site, member)).toMatchObject(VERIFIED);
  expect(site.mail.findLast(({ to }) => to === member.email)?.text).toContain('You are verified');
});

test("an administrator's earlier decision wins over a late check", async ({ site }) => {
  const gate = Promise.withResolvers<RegistryAnswer>();
  const asked = Promise.withResolvers<void>();
  const npi = npiRegistry.numberOf(() => {
    asked.resolve();
    return gate.promise;
  });
  const member = await join(site, npi);
  const checking = verifyNpi(site.deps)(member);
  await asked.promise;
  const decided = { verification_status: 'needs_review', can_post_reviews: false };
  await site.change('doctors', { user_id: member.userId }, decided);
  gate.resolve(ADA);
  await checking;
  const refused = standing('needs_review', { checks: NOT_MADE });
  expect(await doctorOf(site, member)).toMatchObject(refused);
});
