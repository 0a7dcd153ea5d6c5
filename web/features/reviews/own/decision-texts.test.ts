import { expect, test } from 'vitest';
import type { OwnDecision } from '#contract/reviews/review-appeals.ts';
import { decisionTexts } from './own-review-list.tsx';

const UNTIL = '2026-12-01';
const restore: OwnDecision = {
  ...{ outcome: 'restore', rule: 'general', note: '', source: 'moderator' },
  ...{ decided_on: '2026-11-11', may_edit: false, awaits_moderator: false },
  ...{ appeal_until: null, appeal: null },
};
const remove: OwnDecision = { ...restore, outcome: 'remove', appeal_until: UNTIL };
const hold: OwnDecision = { ...remove, outcome: 'hold', may_edit: true };
const appealed = (outcome: 'uphold' | 'overturn' | null) => ({
  appeal_until: null,
  appeal: { text: 'No.', outcome, answer: '', answered_on: null },
});

const REMOVED = 'Removed by a moderator. Only you can see this review.';
const HELD = 'Hidden by a moderator until you edit it. Only you can see this review.';
const RESUBMITTED = 'Resubmitted. Only you can see this review until a moderator has looked at it.';
const WAITING = 'Hidden until a moderator has looked at it. Only you can see this review.';
const HIDDEN_ONLY = 'Hidden by a moderator. Only you can see this review.';
const LATER = 'You can edit it once your appeal is decided.';
const SUCCEEDED = 'Your appeal succeeded. This review is public again.';
const EDIT = 'You can edit it and submit it again. A moderator will then look at it again.';
const PASSED = 'The deadline to appeal has passed.';
const resubmitted = { ...hold, may_edit: false, awaits_moderator: true, appeal_until: null };
const waiting = { awaits_moderator: true };

const HIDDEN: readonly [string, OwnDecision | undefined, string, readonly string[]][] = [
  ['removed', remove, REMOVED, []],
  ['removed, and too late to appeal', { ...remove, appeal_until: null }, REMOVED, [PASSED]],
  ['removed, with an open appeal', { ...remove, ...appealed(null) }, REMOVED, []],
  ['removed, and the appeal failed', { ...remove, ...appealed('uphold') }, REMOVED, []],
  ['held', hold, HELD, [EDIT]],
  ['held, and too late to appeal', { ...hold, appeal_until: null }, HELD, [EDIT, PASSED]],
  [
    'held, with an open appeal',
    { ...hold, may_edit: false, ...appealed(null) },
    HIDDEN_ONLY,
    [LATER],
  ],
  ['held, and the appeal failed', { ...hold, ...appealed('uphold') }, HELD, [EDIT]],
  ['resubmitted', resubmitted, RESUBMITTED, []],
  ['resubmitted after an appeal', { ...resubmitted, ...appealed('uphold') }, RESUBMITTED, []],
  ['hidden by a restored backup', undefined, WAITING, []],
  ['waiting after it was restored', { ...restore, ...waiting }, WAITING, []],
  ['waiting after an appeal', { ...remove, ...waiting, ...appealed('overturn') }, WAITING, []],
];
test.each(HIDDEN)('describes a hidden review that is %s', (_, decision, headline, next) => {
  expect(decisionTexts({ removed_reason: 'x', decision })).toMatchObject({ headline, next });
});

const PUBLIC: readonly [string, OwnDecision, string][] = [
  ['restored', restore, 'Restored by a moderator. This review is public again.'],
  ['restored by an appeal', { ...remove, ...appealed('overturn') }, SUCCEEDED],
];
test.each(PUBLIC)('describes a public review that is %s', (_, decision, headline) => {
  expect(decisionTexts({ removed_reason: null, decision })).toMatchObject({ headline, next: [] });
});

test('says nothing about a review that no moderator has changed', () => {
  expect(decisionTexts({ removed_reason: null })).toBeNull();
});

test('names a decision only if it explains the current state, and introduces its note accordingly', () => {
  const earlier = { ...restore, ...waiting, note: 'Sorry.' };
  expect(decisionTexts({ removed_reason: 'x', decision: earlier })?.decision).toBeNull();
  const overturned = { ...remove, note: 'A name.', ...appealed('overturn') };
  const reasonOf = (decision: OwnDecision, removed_reason: string | null = null) =>
    decisionTexts({ removed_reason, decision })?.reason;
  expect(reasonOf(overturned)).toBe('It was removed for this reason: A name.');
  const released = { ...hold, note: 'A name.', ...appealed('overturn') };
  expect(reasonOf(released)).toBe('It was hidden for this reason: A name.');
  expect(reasonOf({ ...restore, note: 'Sorry.' })).toBe('Note: Sorry.');
  expect(reasonOf(restore)).toBeNull();
  expect(reasonOf({ ...remove, note: 'A name.' }, 'x')).toBe('Reason: A name.');
});
