import type { VerificationChecks } from '#contract/doctors.ts';

const PASSED: VerificationChecks = {
  known: true,
  active: true,
  individual: true,
  physician: true,
  name_matches: true,
};

/** What the checks of the registry made of a demo doctor. */
const REGISTERED = { verification_status: 'passed', verification_checks: PASSED } as const;
export const DEMO_VERIFIED = { verified: true, can_post_reviews: true, ...REGISTERED } as const;

/** The accounts of the embedded default, for trying it out. Their NPIs belong to nobody. */
export const DEMO_PASSWORD = 'Curbside-demo-1';

export const DEMO_ACCOUNTS = [
  {
    email: 'doctor@curbside.example',
    says: 'verified, may post',
    first_name: 'Maya',
    last_name: 'Castellanos',
    npi: '2000000008',
    profile: DEMO_VERIFIED,
  },
  {
    email: 'pending@curbside.example',
    says: 'not verified',
    first_name: 'Theo',
    last_name: 'Lindqvist',
    npi: '2000000016',
    profile: {
      verification_status: 'needs_review',
      verification_checks: { ...PASSED, name_matches: false },
    },
  },
  {
    email: 'readonly@curbside.example',
    says: 'verified, may not post',
    first_name: 'Amara',
    last_name: 'Okonkwo-Hayes',
    npi: '2000000024',
    profile: { verified: true, ...REGISTERED },
  },
] as const;

export const DEMO_ADMIN = {
  email: 'admin@curbside.example',
  says: 'administrator',
  first_name: 'Rowan',
  last_name: 'Abernathy',
} as const;
