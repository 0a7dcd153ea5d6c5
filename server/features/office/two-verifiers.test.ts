import { expect } from 'vitest';
import { doctorDecisionEndpoints, doctorEndpoints } from '#contract/endpoints/office.ts';
import { sessionEndpoints } from '#contract/endpoints/session.ts';
import { DAY_MS } from '#contract/limits.ts';
import { curbside } from '#server/cli/testing/curbside.ts';
import { addDoctor } from '#server/features/accounts/signup/signup.ts';
import { retention } from '#server/features/member/retention.ts';
import { logOf, newEmail, newNpi, POSTER, type TestAccount } from '#server/testing/factories.ts';
import { MATCHED, signedInAgain } from '#server/testing/matched-doctor.ts';
import { type Site, testWith } from '#server/testing/site.ts';
import { emptyOffice } from './testing/empty-office.ts';

const reason = 'Not the person of this NPI.';
const PROOF = { kind: 'letter', on: '2026-01-02' } as const;

type Sides = Readonly<Record<'holder' | 'other', string>>;

const { verify, refuse, evict, ban, deny_posting } = doctorDecisionEndpoints;
/** Every decision that can take a proven NPI from its holder, and the account that it is about. */
const TAKING = {
  verify: { endpoint: verify, about: ({ other }: Sides) => other },
  refuse: { endpoint: refuse, about: ({ holder }: Sides) => holder },
  evict: { endpoint: evict, about: ({ holder }: Sides) => holder },
  ban: { endpoint: ban, about: ({ holder }: Sides) => holder },
} as const;
type Taking = keyof typeof TAKING;
const takings = Object.keys(TAKING) as Taking[];

/** An NPI whose holder has proven it, another account that names it, and an office of two. */
const test = testWith()
  .extend('npi', () => newNpi())
  .extend('sides', async ({ site, npi }): Promise<Sides> => {
    const add = (profile: object, evidence: object) =>
      addDoctor(site.deps, {
        ...{ first_name: 'Ida', last_name: 'Example', password: null, email: newEmail(), npi },
        profile,
        evidence: { ...MATCHED, ...evidence },
      });
    const holder = await add(POSTER, { proofs: [PROOF], held_by: 'proof' });
    return { holder, other: await add({ verification_status: 'needs_review' }, {}) };
  })
  .extend('first', async ({ site }) => {
    await emptyOffice(site);
    await site.admin(['owner']);
    return site.admin(['verifier']);
  })
  .extend('second', ({ site, first: _ }) => site.admin(['verifier']));

const decide = async (site: Site, by: TestAccount, taking: Taking, sides: Sides) => {
  const { endpoint, about } = TAKING[taking];
  const client = site.as(await signedInAgain(site, by));
  return client.post(endpoint, { reason }, { params: { id: about(sides) } });
};

const rightsOf = async (site: Site, { holder }: Sides) =>
  (await site.rows('doctors', { user_id: holder }, ['verified', 'can_post_reviews']))[0];
const HOLDS = { verified: true, can_post_reviews: true };

test('one verifier cannot keep a renamed holder out', async ({ site, sides, first, second }) => {
  const unverified = { verified: false, can_post_reviews: false, verification_status: 'pending' };
  await site.change('doctors', { user_id: sides.holder }, unverified);
  const deny = async (by: TestAccount) => {
    const client = site.as(await signedInAgain(site, by));
    return (await client.post(deny_posting, { reason }, { params: { id: sides.holder } })).body;
  };
  expect((await deny(first)).verification.status).toBe('pending');
  site.pass(DAY_MS);
  expect((await deny(second)).verification.status).toBe('needs_review');
  const acts = await logOf(site, sides.holder, 'action');
  expect(acts.map(({ action }) => action)).toContain('doctor.deny-posting');
});

for (const taking of takings) {
  test(`a proven NPI takes two verifiers: ${taking}`, async ({ site, sides, first, second }) => {
    const decidedOn = site.time.now.toISOString().slice(0, 10);
    const decided = { decision: taking, by: 'Root Example', decided_on: decidedOn, reason };
    const { body } = await decide(site, first, taking, sides);
    expect(body.first_decisions).toEqual([decided]);
    const again = (await decide(site, first, taking, sides)).problem;
    expect(again.code).toBe('second_verifier');
    expect(again.detail).toContain('Another verifier must confirm it on another day.');
    const early = (await decide(site, second, taking, sides)).problem;
    expect(early.code).toBe('another_day');
    expect(early.detail).toContain('It can be confirmed on another day');
    // One verifier cannot do it alone, on however many days.
    for (let day = 0; day < 3; day += 1) {
      site.pass(DAY_MS);
      expect((await decide(site, first, taking, sides)).problem.code).toBe('second_verifier');
      expect(await rightsOf(site, sides)).toEqual(HOLDS);
    }
    const done = (await decide(site, second, taking, sides)).body;
    expect(done).toMatchObject({ verified: taking === 'verify', first_decisions: [] });
    expect(await rightsOf(site, sides)).toMatchObject({ verified: false });
  });
}

test('in an office of one, nobody takes a proven NPI', async ({ site, npi, sides, first }) => {
  const { other } = sides;
  const commands = Object.entries({ verify: other, ban: npi });
  const expectAll = async (code: number, text: string) => {
    for (const [name, who] of commands) {
      const ran = await curbside(site, ['doctors', name, who, '--reason', reason]);
      expect(ran.code).toBe(code);
      expect(code === 0 ? ran.output : ran.errors).toContain(text);
    }
  };
  for (const taking of takings) {
    expect((await decide(site, first, taking, sides)).problem.code).toBe('one_verifier');
  }
  site.pass(DAY_MS);
  await expectAll(1, 'needs two verifiers, and this office does not have two');
  await site.admin(['verifier']);
  await expectAll(0, 'nothing has changed yet');
  site.pass(DAY_MS);
  await expectAll(1, 'All commands count as one verifier.');
  expect(await rightsOf(site, sides)).toEqual(HOLDS);
  expect((await decide(site, first, 'ban', sides)).status).toBe(200);
  expect(await rightsOf(site, sides)).toMatchObject({ verified: false });
});

test('a first decision is not told to the doctor', async ({ site, npi, sides, first, second }) => {
  const { holder } = sides;
  const { pool } = site.deps.database;
  const seen = async () => {
    const doctor = await signedInAgain(site, { userId: holder, email: '' });
    const { rows } = await pool.query(
      `select users.*, doctors.*, users.xmin as user_xmin, doctors.xmin as doctor_xmin
       from users join doctors on user_id = id where id = $1`,
      [holder],
    );
    return { rows, own: (await site.as(doctor).get(sessionEndpoints.doctor)).body };
  };
  const before = await seen();
  await decide(site, first, 'evict', sides);
  await site.jobs.idle();
  expect(await seen()).toEqual(before);
  expect(site.mail).toEqual([]);
  const cases = await site.rows('cases', { account_id: holder });
  expect(cases).toMatchObject([{ kind: 'doctor' }]);
  site.pass(DAY_MS);
  const reader = site.as(await signedInAgain(site, second));
  const { results } = (await reader.get(doctorEndpoints.find, { query: { npi } })).body;
  const decisions = results.map(({ user, first_decisions }) => [user.id, first_decisions.length]);
  expect(Object.fromEntries(decisions)).toEqual({ [holder]: 1, [sides.other]: 0 });
  const given = results.flatMap(({ first_decisions }) => first_decisions);
  expect(given).toMatchObject([{ decision: 'evict', by: 'Root Example' }]);
});

test('of simultaneous deciders, one carries it out', async ({ site, sides, first, second }) => {
  const all = [first, second, await site.admin(['verifier'])];
  const decideAll = () => Promise.all(all.map((one) => decide(site, one, 'refuse', sides)));
  expect((await decideAll()).map(({ status }) => status).toSorted()).toEqual([200, 409, 409]);
  site.pass(DAY_MS);
  await decideAll();
  expect(await rightsOf(site, sides)).toMatchObject({ verified: false });
  const acts = await logOf(site, sides.holder, 'action');
  expect(acts.map(({ action }) => action)).toEqual(['doctor.decide-first', 'doctor.unverify']);
});

test('a first decision lapses, or can be withdrawn', async ({ site, sides, first, second }) => {
  const waiting = () => site.rows('shared_decisions', { account_id: sides.holder }, ['decision']);
  const kept = async () => {
    await retention(site.deps)({});
    return waiting();
  };
  await decide(site, first, 'evict', sides);
  site.pass(30 * DAY_MS);
  expect(await kept()).toEqual([{ decision: 'evict' }]);
  site.pass(DAY_MS);
  expect(await kept()).toEqual([]);

  await decide(site, first, 'ban', sides);
  const client = site.as(await signedInAgain(site, second));
  const { dismiss } = doctorDecisionEndpoints;
  await client.post(dismiss, { reason }, { params: { id: sides.holder } });
  expect(await waiting()).toEqual([]);
});
