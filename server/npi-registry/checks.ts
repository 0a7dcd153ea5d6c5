import type { VerificationChecks } from '#contract/doctors.ts';
import { isNameOf, personName } from '#contract/person-names.ts';
import { type Profession, professionOf } from './profession.ts';
import type { RegistryAnswer } from './registry.ts';

/** Whether a profession passes the check. Null leaves the decision to an administrator. */
const IS_PHYSICIAN: Record<Profession, boolean | null> = {
  physician: true,
  trainee: true,
  'oral-surgeon': null,
  other: false,
};

/** Which checks a registry's answer passes, given the name from sign-up. */
export function checkDoctor(
  answer: RegistryAnswer,
  doctor: { readonly first_name: string; readonly last_name: string },
): VerificationChecks {
  const checks: VerificationChecks = {
    known: answer.kind !== 'unknown',
    active: null,
    individual: null,
    physician: null,
    name_matches: null,
  };
  switch (answer.kind) {
    case 'unknown':
      return checks;
    case 'deactivated':
      return { ...checks, active: false };
    case 'organization':
      return { ...checks, active: answer.active, individual: false };
    case 'person': {
      const given = personName(doctor);
      return {
        ...checks,
        active: answer.active,
        individual: true,
        physician: IS_PHYSICIAN[professionOf(answer.taxonomies)],
        name_matches: isNameOf(answer.names, given),
      };
    }
  }
}

/** Whether a doctor is verified without an administrator's judgment. */
export function allPassed(checks: VerificationChecks): boolean {
  return Object.values(checks).every((passed) => passed === true);
}
