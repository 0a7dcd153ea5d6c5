import { describe, expect, test, vi } from 'vitest';
import { buildTestApp, type TestApp } from '#server/testing/app.ts';
import { newEmail } from '#server/testing/factories.ts';
import { logIn, newDetails, newMember, send } from './testing/account-flows.ts';
import { STEPS } from './testing/index-keys.ts';

vi.setConfig({ testTimeout: 60_000 });

const ROUNDS = 40;
const WARM_UP = 3;

/**
 * How much longer one kind of request takes than the other. They alternate, so that other load
 * slows both equally, and no job runs at the same time.
 */
async function differences(
  { jobs }: TestApp,
  known: () => Promise<unknown>,
  unknown: () => Promise<unknown>,
): Promise<number[]> {
  const timed = async (request: () => Promise<unknown>) => {
    await jobs.idle();
    const start = performance.now();
    await request();
    return performance.now() - start;
  };
  const apart: number[] = [];
  for (let round = 0; round < WARM_UP + ROUNDS; round += 1) {
    const isKnownFirst = round % 2 === 0;
    const first = await timed(isKnownFirst ? known : unknown);
    const second = await timed(isKnownFirst ? unknown : known);
    if (round >= WARM_UP) apart.push(isKnownFirst ? first - second : second - first);
  }
  return apart.toSorted((a, b) => a - b);
}

const quantile = (sorted: number[], share: number) =>
  sorted[Math.floor(share * (sorted.length - 1))] ?? 0;

/** Asserts that the median difference is smaller than the random variation. */
function expectAlike(apart: number[]) {
  const spread = quantile(apart, 0.75) - quantile(apart, 0.25);
  expect(Math.abs(quantile(apart, 0.5))).toBeLessThan(spread);
}

describe.each([
  ['one index key', STEPS.before],
  ['an account under the older of two index keys', STEPS.rotating],
])('with %s', (_, secrets) => {
  const serverWithOneMember = async () => {
    const server = await buildTestApp({ config: { secrets: STEPS.before } });
    const member = await newMember(server);
    server.deps.keys.replace(secrets);
    return { ...server, member };
  };

  test('login takes as long for an unknown address as for a wrong password', async () => {
    await using server = await serverWithOneMember();
    const { email } = server.member;
    const apart = await differences(
      server,
      () => logIn(server, email, 'Wrong-Stethoscope-1'),
      () => logIn(server, newEmail(), 'Wrong-Stethoscope-1'),
    );
    expectAlike(apart);
  });

  test('signing up takes as long for a taken address and NPI as for free ones', async () => {
    await using server = await serverWithOneMember();
    const { email, npi } = server.member;
    const create = (details: object) =>
      send(server, '/auth/register/', { action: 'create_account', ...details });
    expectAlike(
      await differences(
        server,
        () => create(newDetails({ email, npi })),
        () => create(newDetails()),
      ),
    );
  });

  test('requesting a reset takes as long for an unknown address as for a known one', async () => {
    await using server = await serverWithOneMember();
    const { email } = server.member;
    expectAlike(
      await differences(
        server,
        () => send(server, '/auth/password/reset/', { email }),
        () => send(server, '/auth/password/reset/', { email: newEmail() }),
      ),
    );
  });
});
