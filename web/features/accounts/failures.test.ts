import { expect, test } from 'vitest';
import { ApiError } from '#web/lib/transport-error.ts';
import { authFailure, FAILURES, profileFailure, signupFailure } from './failures.ts';

const refusal = (body: unknown, status = 400) => new ApiError({ status, retryAfter: null, body });
const noNetwork = new ApiError(null);

test.each([
  [{ error: 'e', message: 'm', detail: 'd' }, 'e'],
  [{ message: 'm', detail: 'd' }, 'm'],
  [{ detail: 'd' }, 'd'],
  [{}, FAILURES.login],
  [null, FAILURES.login],
])('the login shows error, message, or detail: %j', (body, text) => {
  expect(authFailure(refusal(body, 401), FAILURES.login)).toBe(text);
});

test('sign-up has its own text for a missing network', () => {
  expect(authFailure(noNetwork, FAILURES.login)).toBe(FAILURES.login);
  expect(signupFailure(noNetwork, FAILURES.signup)).toBe(FAILURES.network);
  expect(signupFailure(refusal(null, 502), FAILURES.resend)).toBe(FAILURES.resend);
});

test.each([
  [{ error: 'Nope', details: ['a'], email: ['b'] }, 'Nope'],
  [{ details: ['a', 'b'], username: ['c'] }, 'Update failed: a, b'],
  [{ username: ['taken', 'short'], email: ['b'] }, 'Username error: taken short'],
  [{ email: ['Invalid email address'] }, 'Email error: Invalid email address'],
  [{ email: 'Invalid email address' }, 'Email error: Invalid email address'],
  [{ detail: 'd' }, FAILURES.profileUpdate],
])('the profile shows errors by field, in order: %j', (body, text) => {
  expect(profileFailure(refusal(body))).toBe(text);
});

test('the profile has its own text for a missing response', () => {
  expect(profileFailure(noNetwork)).toBe(FAILURES.profileUpdate);
});
