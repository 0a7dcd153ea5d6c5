import { expect, test } from 'vitest';
import { buildTestApp, type TestApp } from '#server/testing/app.ts';
import { newEmail } from '#server/testing/factories.ts';
import { codeFor, lastMail, newDetails, newMember, send } from '../testing/account-flows.ts';

const resend = (server: TestApp, email: string, from: string) =>
  send(server, '/auth/register/', { action: 'resend_otp', email }, { from });
const codesSent = async ({ jobs, mail }: TestApp) => {
  await jobs.idle();
  return mail.length;
};

test('a guesser gets a limited number of attempts an hour, from any network', async () => {
  // A fifth of the limits: 4 first codes an hour, and 3 wrong ones per network.
  await using server = await buildTestApp({ config: { rateLimitFactor: 0.2 } });
  const details = newDetails();
  for (let network = 1; network <= 8; network += 1) {
    const from = `198.51.${network}.1`;
    const guesser = { ...details, first_name: `Guesser ${network}` };
    await send(server, '/auth/register/', { action: 'create_account', ...guesser }, { from });
    const verify = { action: 'verify_otp', ...guesser, otp_code: '000000' };
    const guesses = Array.from({ length: 5 }, () =>
      send(server, '/auth/register/', verify, { from }),
    );
    const statuses = (await Promise.all(guesses)).map(({ statusCode }) => statusCode);
    expect(statuses.toSorted()).toEqual([400, 400, 400, 429, 429]);
  }
  expect(await codesSent(server)).toBe(4);
  const stored = await server.deps.db
    .selectFrom('one_time_codes')
    .select('attempts_total')
    .execute();
  expect(stored).toEqual(Array(4).fill({ attempts_total: 3 }));
});

test('new codes reset the attempts of a sign-up at most twice', async () => {
  await using server = await buildTestApp();
  const details = newDetails();
  await send(server, '/auth/register/', { action: 'create_account', ...details });
  for (let code = 0; code < 4; code += 1) {
    const otp_code = (await codeFor(server, details.email)) === '000000' ? '111111' : '000000';
    for (let attempt = 0; attempt < 6; attempt += 1) {
      await send(server, '/auth/register/', { action: 'verify_otp', ...details, otp_code });
    }
    await resend(server, details.email, '198.51.100.1');
  }
  const stored = await server.deps.db
    .selectFrom('one_time_codes')
    .select('attempts_total')
    .execute();
  expect(stored).toEqual([{ attempts_total: 15 }]);
  // Signing up again with the same details starts over.
  await send(server, '/auth/register/', { action: 'create_account', ...details });
  const otp_code = await codeFor(server, details.email);
  const verified = await send(server, '/auth/register/', {
    action: 'verify_otp',
    ...details,
    otp_code,
  });
  expect(verified.statusCode).toBe(200);
});

test('requesting a code without a pending sign-up says so only in the mail', async () => {
  await using server = await buildTestApp();
  const email = newEmail();
  const answer = await resend(server, email, '198.51.100.1');
  expect(answer.json()).toEqual({ message: 'New verification code sent to your email' });
  const mail = await lastMail(server, email);
  expect(mail.text).toContain('Please sign up again');
  expect(mail.text).not.toMatch(/\b\d{6}\b/);
});

test('a stranger who requests codes leaves some for the owner of the address', async () => {
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
  // A successful sign-up resets the count of codes sent for it.
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
