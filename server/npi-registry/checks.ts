import type { VerificationChecks } from '#contract/doctors.ts';
import { isNameOf, personName } from '#contract/person-names.ts';
import type { RegistryAnswer } from './registry.ts';

export type Profession = 'physician' | 'oral-surgeon' | 'trainee' | 'other';

/** Mostly dentists, some of them with a medical degree. An administrator decides. */
const ORAL_SURGEON = '204E00000X';

/** Students of every health profession, including residents. */
const TRAINEE = '390200000X';

/** What the NUCC calls allopathic and osteopathic physicians. */
const PHYSICIAN = /^(?:20[2478][0-9A-Z]{6}X|209800000X)$/;

/**
 * The profession for codes of the NUCC Health Care Provider Taxonomy. One physician code is enough,
 * whatever the other codes are.
 */
export function professionOf(codes: readonly string[]): Profession {
  if (codes.some((code) => PHYSICIAN.test(code) && code !== ORAL_SURGEON)) return 'physician';
  if (codes.includes(ORAL_SURGEON)) return 'oral-surgeon';
  return codes.includes(TRAINEE) ? 'trainee' : 'other';
}

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
