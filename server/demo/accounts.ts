import type { VerificationChecks } from '#contract/doctors.ts';
import { NO_EVIDENCE } from '#server/npi-registry/evidence.ts';

const PASSED: VerificationChecks = {
  known: true,
  active: true,
  individual: true,
  physician: true,
  name_matches: true,
};

export const DEMO_VERIFIED = {
  verified: true,
  can_post_reviews: true,
  verification_status: 'passed',
} as const;

/** The evidence of a demo doctor's verification. */
export const DEMO_EVIDENCE = { ...NO_EVIDENCE, checks: PASSED };

/** The accounts of the embedded default. Their NPIs belong to nobody. */
export const DEMO_PASSWORD = 'Curbside-demo-1';

export const DEMO_ACCOUNTS = [
  {
    email: 'doctor@curbside.example',
    says: 'verified, may post',
    first_name: 'Maya',
    last_name: 'Castellanos',
    npi: '2000000008',
    profile: DEMO_VERIFIED,
    evidence: DEMO_EVIDENCE,
  },
  {
    email: 'pending@curbside.example',
    says: 'not verified',
    first_name: 'Theo',
    last_name: 'Lindqvist',
    npi: '2000000016',
    profile: { verification_status: 'needs_review' },
    evidence: {
      ...NO_EVIDENCE,
      checks: { ...PASSED, name_matches: false },
      registry_name: { first_name: 'THEODOR', last_name: 'LINDSTROM' },
    },
  },
  {
    email: 'readonly@curbside.example',
    says: 'verified, may not post',
    first_name: 'Amara',
    last_name: 'Okonkwo-Hayes',
    npi: '2000000024',
    profile: { ...DEMO_VERIFIED, can_post_reviews: false },
    evidence: DEMO_EVIDENCE,
  },
] as const;

export const DEMO_ADMIN = {
  email: 'admin@curbside.example',
  says: 'administrator',
  first_name: 'Rowan',
  last_name: 'Abernathy',
} as const;
