export type Profession = 'physician' | 'oral-surgeon' | 'trainee' | 'other';

/** Mostly dentists, some with a medical degree as well: an administrator looks at each. */
const ORAL_SURGEON = '204E00000X';

/** Students of every health profession, residents among them. */
const TRAINEE = '390200000X';

/** What the NUCC calls allopathic and osteopathic physicians. */
const PHYSICIAN = /^(?:20[2478][0-9A-Z]{6}X|209800000X)$/;

/**
 * What someone is by the codes of the NUCC Health Care Provider Taxonomy. Who is a physician by one
 * code is a physician, whatever the others say.
 */
export function professionOf(codes: readonly string[]): Profession {
  if (codes.some((code) => PHYSICIAN.test(code) && code !== ORAL_SURGEON)) return 'physician';
  if (codes.includes(ORAL_SURGEON)) return 'oral-surgeon';
  return codes.includes(TRAINEE) ? 'trainee' : 'other';
}
