import { describe, expect, test } from 'vitest';
import { ApiError, isUnreachable, transportError } from './transport-error.ts';

const answer = (status: number, body: unknown = null, retryAfter: string | null = null) => {
  return { status, body, retryAfter };
};

const DATE = 'Wed, 21 Oct 2026 07:28:00 GMT';
const SOON = 'Rate limit exceeded. Please try again in 42 seconds.';
const LATER = 'Rate limit exceeded. Please try again later.';
const FORBIDDEN = 'You do not have permission to perform this action.';

describe('the table of failed calls', () => {
  test.each([
    ['no response', null, 'NETWORK_ERROR', 'Network error. Please check your internet connection.'],
    ['429 with a retry-after header', answer(429, null, '42'), 'RATE_LIMIT_ERROR', SOON],
    ['429 without', answer(429), 'RATE_LIMIT_ERROR', LATER],
    ['429 with a date', answer(429, null, DATE), 'RATE_LIMIT_ERROR', LATER],
    ['400 with a message', answer(400, { message: 'Too long' }), 'VALIDATION_ERROR', 'Too long'],
    ['400 without', answer(400, { name: ['x'] }), 'VALIDATION_ERROR', 'Validation error'],
    ['400 without a body', answer(400), 'VALIDATION_ERROR', 'Validation error'],
    ['403', answer(403, { message: 'no' }), 'PERMISSION_ERROR', FORBIDDEN],
    ['404', answer(404), 'NOT_FOUND_ERROR', 'The requested resource was not found.'],
    ['500', answer(500), 'SERVER_ERROR', 'Server error. Please try again later.'],
    ['503', answer(503), 'SERVER_ERROR', 'Server error. Please try again later.'],
    ['other, message', answer(409, { message: 'm', detail: 'd' }), 'API_ERROR', 'm'],
    ['other, detail', answer(409, { detail: 'd' }), 'API_ERROR', 'd'],
    ['other, neither', answer(401), 'API_ERROR', 'An unexpected error occurred'],
  ])('%s', (_, response, type, message) => {
    expect(transportError(response)).toMatchObject({ type, message });
  });

  test('reads the retry delay as a number', () => {
    expect(transportError(answer(429, null, '42')).retryAfter).toBe(42);
    expect(transportError(answer(429))).not.toHaveProperty('retryAfter');
  });

  test('the errors of a 400 are its `errors`, or the whole body', () => {
    const errors = { email: ['Invalid email address'] };
    expect(transportError(answer(400, { message: 'm', errors })).errors).toEqual(errors);
    const username = ['taken'];
    expect(transportError(answer(400, { username })).errors).toEqual({ username });
  });
});

test("an ApiError has the table's row and the response", () => {
  const error = new ApiError(answer(404, { code: 'not_found' }));
  expect(error).toMatchObject({ type: 'NOT_FOUND_ERROR', status: 404 });
  expect(error.message).toBe('The requested resource was not found.');
  expect(new ApiError(null).status).toBeNull();
});

test.each([
  ['Failed to fetch', true],
  ['Load failed', true],
  ['NetworkError when attempting to fetch resource.', true],
  ['Failed to fetch dynamically imported module: /assets/a.js', true],
  ['Importing a module script failed.', true],
  ['error loading dynamically imported module: /assets/a.js', true],
  ['undefined is not a function', false],
  ['profile.reload is not a function', false],
  ["Cannot read properties of undefined (reading 'download')", false],
  ['can\'t access property "fetchedOn", a is undefined', false],
])('“%s” means no response: %s', (message, isMet) => {
  expect(isUnreachable(new TypeError(message))).toBe(isMet);
  expect(isUnreachable(new Error(message))).toBe(false);
});

test('an API error means no response only if it has none', () => {
  expect(isUnreachable(new ApiError(null))).toBe(true);
  expect(isUnreachable(new ApiError({ status: 500, retryAfter: null, body: null }))).toBe(false);
});
