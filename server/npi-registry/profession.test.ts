import { expect, test } from 'vitest';
import { type Profession, professionOf } from './registry.ts';

test.each<[string[], Profession, string]>([
  [['207R00000X'], 'physician', 'internal medicine'],
  [['207RC0000X'], 'physician', 'cardiology'],
  [['2084P0800X'], 'physician', 'psychiatry'],
  [['208D00000X'], 'physician', 'general practice'],
  [['208600000X'], 'physician', 'surgery'],
  [['208M00000X'], 'physician', 'a hospitalist'],
  [['202C00000X'], 'physician', 'an independent medical examiner'],
  [['202K00000X'], 'physician', 'phlebology'],
  [['204C00000X'], 'physician', 'sports medicine, neuromusculoskeletal'],
  [['204D00000X'], 'physician', 'osteopathic manipulative medicine'],
  [['204F00000X'], 'physician', 'transplant surgery'],
  [['204R00000X'], 'physician', 'electrodiagnostic medicine'],
  [['209800000X'], 'physician', 'legal medicine'],
  [['204E00000X', '208200000X'], 'physician', 'oral surgery next to plastic surgery'],
  [['390200000X', '207Q00000X'], 'physician', 'a resident who already has a specialty'],
  [['163W00000X', '208000000X'], 'physician', 'a nurse who became a physician'],
  [['204E00000X'], 'oral-surgeon', 'oral and maxillofacial surgery'],
  [['1223S0112X', '204E00000X'], 'oral-surgeon', 'the same, with dentistry'],
  [['204E00000X', '390200000X'], 'oral-surgeon', 'the same, in training'],
  [['390200000X'], 'trainee', 'a student or resident'],
  [['390200000X', '163W00000X'], 'trainee', 'a nurse in training'],
  [['1223S0112X'], 'other', 'a dentist who does oral surgery'],
  [['363LF0000X'], 'other', 'a nurse practitioner'],
  [['390200000Y'], 'other', 'not the trainee code'],
  [['209900000X'], 'other', '209 without 209800000X'],
  [['203000000X', '205000000X', '206000000X', '201000000X'], 'other', 'prefixes in between'],
  [[], 'other', 'no code'],
  [[''], 'other', 'an empty code'],
  [['207'], 'other', 'only a prefix'],
  [['207R00000'], 'other', 'one character too few'],
  [['207R00000XX'], 'other', 'one character too many'],
  [['207R00000Y'], 'other', 'a different last character'],
  [['207r00000x'], 'other', 'lowercase letters'],
  [['207R00000X\n'], 'other', 'a line break after it'],
  [[' 207R00000X'], 'other', 'a space before it'],
  [['2207R0000X'], 'other', 'the prefix elsewhere'],
])('%s: %s (%s)', (codes, profession) => {
  expect(professionOf(codes)).toBe(profession);
  expect(professionOf(codes.toReversed())).toBe(profession);
});
