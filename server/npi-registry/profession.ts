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
