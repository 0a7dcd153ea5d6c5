import { expect, test } from 'vitest';
import { PASSWORD_RULES } from '#contract/accounts/account-rules.ts';
import { isCommonPassword } from './passwords.ts';

test.each([
  'P@ssw0rd',
  'Password1!',
  '1Password!',
  'P@ssw0rd123!',
  'Welcome2026!',
  'Summer2025!',
  'Qwerty123!',
  'Dragon!1',
  'Curbside1!',
  'Curbside2026!',
  'Doctor123!',
])('%s meets every rule but is rejected: a common password in disguise', (password) => {
  expect(PASSWORD_RULES.filter(({ pattern }) => !pattern.test(password))).toEqual([]);
  expect(isCommonPassword(password)).toBe(true);
});

test.each([
  'Old-Stethoscope-1',
  'Curbside-demo-1',
  'vX9#kq2LmT',
  'Abc#73918462050',
  '7391846205#aB',
])('%s is accepted', (password) => {
  expect(isCommonPassword(password)).toBe(false);
});
