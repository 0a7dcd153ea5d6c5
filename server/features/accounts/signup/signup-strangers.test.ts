import { expect, test } from 'vitest';
import type { SignupDetails } from '#contract/accounts.ts';
import { buildTestApp, type TestApp } from '#server/testing/app.ts';
import { codeFor, newDetails, refusalOf, send } from '../testing/account-flows.ts';

const OWNER = '192.0.2.1';
const STRANGER = '198.51.100.7';
const REAL_LIMITS = { config: { rateLimitFactor: 1 } };

const create = (server: TestApp, details: SignupDetails, from: string) =>
  send(server, '/auth/register/', { action: 'create_account', ...details }, { from });
const verify = (server: TestApp, details: SignupDetails, otp_code: string, from: string) =>
  send(server, '/auth/register/', { action: 'verify_otp', ...details, otp_code }, { from });
const resend = (server: TestApp, email: string, from: string) =>
  send(server, '/auth/register/', { action: 'resend_otp', email }, { from });

const wrong = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0');

/** The stranger knows everything public about the owner, but not the password. */
const impostorOf = (details: SignupDetails) => ({ ...details, password: 'Guess-Anything-7' });

test("a stranger's wrong codes do not affect the owner's sign-up", async () => {
  await using server = await buildTestApp(REAL_LIMITS);
  const details = newDetails();
  await create(server, details, OWNER);
  const code = await codeFor(server, details.email);
  for (let attempt = 0; attempt < 7; attempt += 1) {
    const answer = await verify(server, impostorOf(details), wrong(code), STRANGER);
    expect(refusalOf(answer).code).toBe('invalid_code');
  }
  expect((await verify(server, details, code, OWNER)).statusCode).toBe(200);
});

test("a stranger who signs up with the owner's address does not affect the owner's code", async () => {
  await using server = await buildTestApp(REAL_LIMITS);
  const details = newDetails();
  await create(server, details, OWNER);
  const code = await codeFor(server, details.email);
  const impostor = impostorOf(details);
  await create(server, impostor, STRANGER);
  for (let attempt = 0; attempt < 6; attempt += 1) {
    await verify(server, impostor, wrong(code), STRANGER);
  }
  expect((await verify(server, details, code, OWNER)).statusCode).toBe(200);
});

test("a new code requested by a stranger works for the owner's sign-up", async () => {
  await using server = await buildTestApp(REAL_LIMITS);
  const details = newDetails();
  await create(server, details, OWNER);
  for (let time = 0; time < 3; time += 1) await resend(server, details.email, STRANGER);
  const code = await codeFor(server, details.email);
  expect((await verify(server, details, code, OWNER)).statusCode).toBe(200);
});
