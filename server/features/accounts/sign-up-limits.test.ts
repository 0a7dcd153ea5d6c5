import { expect, test } from 'vitest';
import { buildTestApp, type TestApp } from '#server/testing/app.ts';
import { newEmail } from '#server/testing/factories.ts';
import { codeFor, newDetails, newMember, refusalOf, send } from './testing/account-flows.ts';

const resend = (server: TestApp, email: string, from: string) =>
  send(server, '/auth/register/', { action: 'resend_otp', email }, { from });
const codesSent = async ({ jobs, mail }: TestApp) => {
  await jobs.idle();
  return mail.length;
};

test('new codes give a guesser no more than 75 attempts an hour, from wherever', async () => {
  await using server = await buildTestApp({ config: { rateLimitFactor: 1 } });
  const details = newDetails();
  let tried = 0;
  for (let network = 1; network <= 40; network += 1) {
    const from = `198.51.100.${network}`;
    const { statusCode } = await resend(server, details.email, from);
    if (statusCode === 429) continue;
    const code = await codeFor(server, details.email);
    const otp_code = code === '000000' ? '111111' : '000000';
    const guesses = Array.from({ length: 25 }, () =>
      send(server, '/auth/register/', { action: 'verify_otp', ...details, otp_code }, { from }),
    );
    for (const guess of await Promise.all(guesses)) expect(guess.statusCode).toBe(400);
    const stored = await server.deps.db.selectFrom('one_time_codes').select('attempts').execute();
    tried += stored[0]?.attempts ?? 0;
  }
  expect(await codesSent(server)).toBe(15);
  expect(tried).toBe(75);
});

test('a stranger who asks for codes leaves the owner of the address some', async () => {
  await using server = await buildTestApp({ config: { rateLimitFactor: 1 } });
  const details = newDetails();
  const stranger = '198.51.100.7';
  for (let code = 0; code < 5; code += 1) await resend(server, details.email, stranger);
  expect((await resend(server, details.email, stranger)).statusCode).toBe(429);
  const created = await send(server, '/auth/register/', { action: 'create_account', ...details });
  expect(created.statusCode).toBe(200);
  const otp_code = await codeFor(server, details.email);
  const payload = { action: 'verify_otp', ...details, otp_code };
  expect((await send(server, '/auth/register/', payload)).statusCode).toBe(200);
});

test('the limit of an address is the same whether it is known or not', async () => {
  await using server = await buildTestApp({ config: { rateLimitFactor: 1 } });
  const member = await newMember(server);
  const counts = [];
  for (const [email, from] of [
    [member.email, '198.51.100.1'],
    [newEmail(), '198.51.100.2'],
  ] as const) {
    const answers = [];
    for (let code = 0; code < 7; code += 1) answers.push(await resend(server, email, from));
    counts.push(answers.map(({ statusCode }) => statusCode));
  }
  expect(counts[0]).toEqual([200, 200, 200, 200, 200, 429, 429]);
  expect(counts[1]).toEqual(counts[0]);
});

test('nobody finds out about more than twenty NPIs a day, nor without their owners hearing', async () => {
  await using server = await buildTestApp({ config: { rateLimitFactor: 0.1 } });
  const member = await newMember(server);
  const statuses = [];
  for (let probe = 0; probe < 3; probe += 1) {
    const details = newDetails({ npi: member.npi });
    const from = `198.51.100.${probe}`;
    const create = { action: 'create_account', ...details };
    await send(server, '/auth/register/', create, { from });
    const otp_code = await codeFor(server, details.email);
    const verify = { action: 'verify_otp', ...details, otp_code };
    const answer = await send(server, '/auth/register/', verify, { from: '203.0.113.9' });
    statuses.push(refusalOf(answer).code);
  }
  // A tenth of the limits: two a day, and one mail.
  expect(statuses).toEqual(['invalid_code', 'invalid_code', 'rate_limited']);
  await server.jobs.idle();
  const told = server.mail.filter(
    ({ to, subject }) => to === member.email && subject === 'You already have a Curbside account',
  );
  expect(told).toHaveLength(1);
});
