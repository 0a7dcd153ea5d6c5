import { expect, test } from 'vitest';
import { newMember } from '#server/features/accounts/testing/account-flows.ts';
import { type RegistryAnswer, RegistryUnavailable } from '#server/npi-registry/registry.ts';
import { buildTestApp, type TestApp } from '#server/testing/app.ts';
import { newEmployer, reviewOf } from '#server/testing/factories.ts';
import { hurry, pauseOf } from '#server/testing/jobs.ts';

const ADA: RegistryAnswer = {
  kind: 'person',
  active: true,
  names: [{ first: 'ADA', last: 'EXAMPLE' }],
  taxonomies: ['207R00000X'],
  practice: null,
};
const NOT_MADE = {
  known: null,
  active: null,
  individual: null,
  physician: null,
  name_matches: null,
};

const answering = (answer: RegistryAnswer) => ({ lookUp: async () => answer });

interface Holder {
  headers: { authorization: string };
}

const doctorOf = async ({ app }: TestApp, { headers }: Holder) =>
  (await app.inject({ url: '/api/doctors/me/', headers })).json();

async function post(server: TestApp, { headers }: Holder) {
  const payload = reviewOf(await newEmployer(server));
  return (await server.app.inject({ method: 'POST', url: '/api/reviews/', headers, payload }))
    .statusCode;
}

test('verifies a physician with a matching name, who may post and is notified', async () => {
  await using server = await buildTestApp({ npiRegistry: answering(ADA) });
  const member = await newMember(server);
  expect(await doctorOf(server, member)).toMatchObject({
    npi: member.npi,
    verified: true,
    can_post_reviews: true,
    verification: {
      status: 'passed',
      checks: {
        known: true,
        active: true,
        individual: true,
        physician: true,
        name_matches: true,
      },
    },
  });
  expect(server.mail.at(-1)).toMatchObject({
    to: member.email,
    text: expect.stringContaining('You are verified'),
  });
  expect(await post(server, member)).toBe(201);
});

const OPEN: [what: string, answer: RegistryAnswer, checks: object][] = [
  ['an unknown number', { kind: 'unknown' }, { known: false }],
  ['a deactivated number', { kind: 'deactivated' }, { known: true, active: false }],
  [
    'an organization',
    { kind: 'organization', active: true },
    { known: true, active: true, individual: false },
  ],
  [
    'another name',
    { ...ADA, names: [{ first: 'GRACE', last: 'HOPPER' }] },
    { known: true, active: true, individual: true, physician: true, name_matches: false },
  ],
  [
    'another profession',
    { ...ADA, taxonomies: ['163W00000X'] },
    { known: true, active: true, individual: true, physician: false, name_matches: true },
  ],
  [
    'an inactive physician',
    { ...ADA, active: false },
    { known: true, active: false, individual: true, physician: true, name_matches: true },
  ],
];

test.each(OPEN)(
  '%s waits for an administrator, with the results of the checks',
  async (_, answer, checks) => {
    await using server = await buildTestApp({ npiRegistry: answering(answer) });
    const member = await newMember(server);
    expect(await doctorOf(server, member)).toMatchObject({
      verified: false,
      can_post_reviews: false,
      verification: { status: 'needs_review', checks: { ...NOT_MADE, ...checks } },
    });
    expect(await post(server, member)).toBe(403);
    expect(server.mail.map(({ text }) => text)).toEqual([
      expect.stringContaining('Your verification code'),
    ]);
  },
);

test('with manual verification everyone waits, and the checks still run', async () => {
  await using server = await buildTestApp({
    npiRegistry: answering(ADA),
    config: { verification: 'manual' },
  });
  const member = await newMember(server);
  expect(await doctorOf(server, member)).toMatchObject({
    verified: false,
    can_post_reviews: false,
    verification: { status: 'needs_review', checks: { name_matches: true } },
  });
});

test('retries with increasing delays while the registry is down', async () => {
  let down = true;
  let asked = 0;
  await using server = await buildTestApp({
    npiRegistry: {
      async lookUp() {
        asked += 1;
        if (down) throw new RegistryUnavailable('answered 503');
        return ADA;
      },
    },
  });
  const { pool } = server.deps.database;
  const member = await newMember(server);
  const pauses: ReturnType<typeof pauseOf>[] = [];
  for (let retry = 0; retry < 4; retry += 1) {
    await server.jobs.idle();
    const { rows } = await pool.query("select * from pgboss.job where name = 'verify-npi'");
    expect(rows).toHaveLength(1);
    pauses.push(pauseOf(rows[0]));
    // A failing registry says nothing about the doctor.
    expect((await doctorOf(server, member)).verification).toMatchObject({
      status: 'pending',
      checks: NOT_MADE,
      checked_on: null,
    });
    expect(await post(server, member)).toBe(403);
    down = retry < 3;
    await hurry(pool);
  }
  await server.jobs.idle();

  for (const [retry, { left, inAll }] of pauses.entries()) {
    expect(left).toBeLessThanOrEqual(20 * 2 ** retry);
    expect(inAll).toBeGreaterThanOrEqual(10 * 2 ** retry);
  }
  expect(asked).toBe(5);
  expect(await doctorOf(server, member)).toMatchObject({
    verified: true,
    verification: { status: 'passed' },
  });
  expect(server.mail.at(-1)?.text).toContain('You are verified');
});

test("an administrator's earlier decision wins over a late check", async () => {
  const gate = Promise.withResolvers<RegistryAnswer>();
  const asked = Promise.withResolvers<void>();
  await using server = await buildTestApp({
    npiRegistry: {
      lookUp: () => {
        asked.resolve();
        return gate.promise;
      },
    },
  });
  const joining = newMember(server);
  await asked.promise;
  await server.deps.db
    .updateTable('doctors')
    .set({ verification_status: 'needs_review', can_post_reviews: false })
    .execute();
  gate.resolve(ADA);
  expect(await doctorOf(server, await joining)).toMatchObject({
    verified: false,
    can_post_reviews: false,
    verification: { status: 'needs_review', checks: NOT_MADE },
  });
});
