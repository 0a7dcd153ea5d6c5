import { expect, test } from 'vitest';
import type { Doctor } from '#contract/doctors.ts';
import type { VerificationMode, VerificationSteps } from '#contract/verification.ts';
import { lockEligibility } from './lock-eligibility.tsx';

const doctorWith = (proofs: Doctor['verification']['proofs']) =>
  ({ verification: { proofs } }) as Doctor;
const UNPROVEN = doctorWith([]);
const PROVEN = doctorWith([{ kind: 'mailbox', on: '2026-03-12' }]);
const stepsIn = (mode: VerificationMode) => ({ mode }) as VerificationSteps;

test.each([
  ['proof', UNPROVEN, 'needs-proof'],
  ['proof', PROVEN, 'proven'],
  ['manual', UNPROVEN, 'needs-proof'],
  ['registry', UNPROVEN, 'match-is-enough'],
] as const)('with %s: %j', (mode, doctor, eligibility) => {
  expect(lockEligibility(doctor, stepsIn(mode))).toBe(eligibility);
});

test('while the mode is unknown, the server decides', () => {
  expect(lockEligibility(UNPROVEN, null)).toBe('proven');
});
