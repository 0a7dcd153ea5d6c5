import { expect, test } from 'vitest';
import type { Doctor } from '#contract/verification/doctors.ts';
import { lockEligibility } from './review-lock.ts';

const doctorWith = (proofs: Doctor['verification']['proofs']) =>
  ({ verification: { proofs } }) as Doctor;
const UNPROVEN = doctorWith([]);
const PROVEN = doctorWith([{ kind: 'mailbox', on: '2026-03-12' }]);

test.each([
  [false, UNPROVEN, 'needs-proof'],
  [true, UNPROVEN, 'match-is-enough'],
  [true, PROVEN, 'proven'],
] as const)('for can_lock %s and the doctor %j', (can_lock, doctor, eligibility) => {
  expect(lockEligibility({ locked: false, can_lock }, doctor)).toBe(eligibility);
});
