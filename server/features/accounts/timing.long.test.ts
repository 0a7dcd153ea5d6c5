import { describe, expect } from 'vitest';
import { accountEndpoints } from '#contract/endpoints/account.ts';
import { newEmail } from '#server/testing/factories.ts';
import { type Site, testWith } from '#server/testing/site.ts';
import { addMember, logIn, newDetails, register } from './testing/account-flows.ts';
import { STEPS } from './testing/index-keys.ts';

/**
 * If both kinds of requests take equally long, either is as likely to be the slower one of a pair.
 * Of 48 pairs, all but 3 then favor the same kind with a probability of 1.3e-10.
 */
const PAIRS = 48;
const EXCEPTIONS = 3;
const WARM_UP = 3;

/** A hash takes much longer than anything else, so that one too few or too many shows. */
const passwordCost = { memoryCost: 16_384, timeCost: 1 };

/** The time on the clock, and that of the processor, which other load hardly affects. */
function now() {
  const { user, system } = process.cpuUsage();
  return { clock: performance.now(), processor: user + system };
}
type Times = ReturnType<typeof now>;

/**
 * Asserts that neither kind of request takes longer than the other. They alternate, so that other
 * load slows both equally, and no job runs at the same time.
 */
async function expectAlike(
  { jobs }: Site,
  known: () => Promise<unknown>,
  unknown: () => Promise<unknown>,
) {
  const timed = async (request: () => Promise<unknown>) => {
    await jobs.idle();
    const start = now();
    await request();
    const end = now();
    return { clock: end.clock - start.clock, processor: end.processor - start.processor };
  };
  const pairs: { known: Times; unknown: Times }[] = [];
  for (let pair = 0; pair < WARM_UP + PAIRS; pair += 1) {
    const isKnownFirst = pair % 2 === 0;
    const first = await timed(isKnownFirst ? known : unknown);
    const second = await timed(isKnownFirst ? unknown : known);
    pairs.push(
      isKnownFirst ? { known: first, unknown: second } : { known: second, unknown: first },
    );
  }
  for (const measure of ['clock', 'processor'] as const) {
    const slower = pairs
      .slice(WARM_UP)
      .filter((pair) => pair.known[measure] > pair.unknown[measure]);
    expect(slower.length, measure).toBeGreaterThan(EXCEPTIONS);
    expect(slower.length, measure).toBeLessThan(PAIRS - EXCEPTIONS);
  }
}

const test = testWith({ config: { secrets: STEPS.before, passwordCost } });

describe.each([
  ['one index key', STEPS.before],
  ['an account under the older of two index keys', STEPS.rotating],
])('with %s', (_, secrets) => {
  const knownMember = async (site: Site) => {
    site.deps.keys.replace(STEPS.before);
    const member = await addMember(site);
    site.deps.keys.replace(secrets);
    return member;
  };

  test('login takes as long for an unknown address as for a wrong password', async ({ site }) => {
    const { email } = await knownMember(site);
    const attempt = (address: string) => logIn(site, address, 'Wrong-Stethoscope-1');
    await expectAlike(
      site,
      () => attempt(email),
      () => attempt(newEmail()),
    );
  });

  test('signing up takes as long for a taken address and NPI as for free', async ({ site }) => {
    const { email, npi } = await knownMember(site);
    const create = (fields = {}) =>
      register(site, { action: 'create_account', ...newDetails(fields) });
    await expectAlike(
      site,
      () => create({ email, npi }),
      () => create(),
    );
  });

  test('requesting a reset takes as long for an unknown address', async ({ site }) => {
    const { email } = await knownMember(site);
    const { requestPasswordReset } = accountEndpoints;
    const request = (address: string) =>
      site.visitor().post(requestPasswordReset, { email: address });
    await expectAlike(
      site,
      () => request(email),
      () => request(newEmail()),
    );
  });
});
