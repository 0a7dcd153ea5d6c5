import { expect, test } from 'vitest';
import { outcomeOf, type Standing } from '#server/features/verification/claims.ts';

const MATCHED: Standing = {
  ...{ mode: 'proof', matches: true, inTraining: false, proofs: [], isOverQuota: false },
  ...{ isResident: false, isRefused: false, tombstone: null, holder: null },
};
const LETTER = { proofs: ['letter'] } as const;
const MAILBOX = { proofs: ['mailbox'] } as const;
const JUDGED = { proofs: ['administrator'] } as const;
const REGISTRY = { mode: 'registry' } as const;
const VERIFIED = 'verified, may post';
const READS = 'verified, may not post';

test.each<[string, Partial<Standing>, string]>([
  ['a match alone', {}, 'needs_proof'],
  ['a match alone in the mode registry', REGISTRY, VERIFIED],
  ['a match alone in the mode manual', { mode: 'manual' }, 'needs_review'],
  ['no match', { matches: false }, 'needs_review'],
  ['no match, but a letter', { matches: false, ...LETTER }, 'needs_review'],
  ['a letter', LETTER, VERIFIED],
  ['a mailbox', MAILBOX, VERIFIED],
  ['a letter in the mode manual', { mode: 'manual', ...LETTER }, 'needs_review'],
  ['a judgment', JUDGED, VERIFIED],
  ['a judgment in the mode manual', { mode: 'manual', ...JUDGED }, VERIFIED],
  ['a judgment against the registry', { matches: false, ...JUDGED }, VERIFIED],

  ['a trainee', { inTraining: true }, 'needs_proof'],
  ['a trainee with a letter', { inTraining: true, ...LETTER }, 'needs_review'],
  ['a trainee with a mailbox', { inTraining: true, ...MAILBOX }, 'needs_review'],
  ['a resident', { inTraining: true, isResident: true, ...MAILBOX }, VERIFIED],
  ['a trainee who was judged', { inTraining: true, proofs: ['letter', 'administrator'] }, VERIFIED],
  ['a trainee in the mode registry', { inTraining: true, ...REGISTRY }, VERIFIED],

  ['a taken NPI', { holder: 'match' }, 'needs_proof'],
  ['an NPI that another account has proven', { holder: 'proof' }, 'needs_proof'],
  ['a taken NPI in the mode registry', { holder: 'match', ...REGISTRY }, 'needs_proof'],
  ['a letter against a match', { holder: 'match', ...LETTER }, VERIFIED],
  ['a letter against a proof', { holder: 'proof', ...LETTER }, 'needs_review'],
  ['a judgment against a proof', { holder: 'proof', ...JUDGED }, VERIFIED],

  ['a banned NPI', { tombstone: 'banned' }, 'needs_proof'],
  ['a banned NPI in the mode registry', { tombstone: 'banned', ...REGISTRY }, 'needs_proof'],
  ['a banned NPI with a letter', { tombstone: 'banned', ...LETTER }, 'needs_review'],
  ['a banned NPI that was judged', { tombstone: 'banned', ...JUDGED }, 'needs_review'],
  ['a returner', { tombstone: 'left_reviews' }, 'needs_proof'],
  ['a returner with a letter', { tombstone: 'left_reviews', ...LETTER }, READS],
  ['a returner in the mode registry', { tombstone: 'left_reviews', ...REGISTRY }, READS],

  ['a refused doctor', { isRefused: true }, 'needs_review'],
  ['a refused doctor with a letter', { isRefused: true, ...LETTER }, 'needs_review'],
  ['a refused doctor in the mode registry', { isRefused: true, ...REGISTRY }, 'needs_review'],
])('%s', (_who, standing, expected) => {
  const outcome = outcomeOf({ ...MATCHED, ...standing });
  const said = outcome.status === 'passed' ? (outcome.mayPost ? VERIFIED : READS) : outcome.status;
  expect(said).toBe(expected);
});
