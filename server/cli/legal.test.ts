import { expect, testWith } from '#server/testing/site.ts';
import { curbside, expectRefusal } from './testing/curbside.ts';

/** Each test begins without demands and log entries. */
const test = testWith().extend('run', async ({ site }) => {
  await site.deps.db.deleteFrom('legal_demands').execute();
  await site.deps.db.deleteFrom('audit_log').execute();
  return (...args: string[]) => curbside(site, ['legal', ...args]);
});

test('add, list, decide, and lift-gag', async ({ site, run }) => {
  site.time.now = new Date('2026-11-22T12:00:00Z');
  expect((await run('list')).output).toBe('No legal demand has been recorded.\n');
  const added = await run('add', 'court_order', '2026-11-02', '--jurisdiction', 'NY', '--gagged');
  expect(added.errors).toBe('');
  const [id = '', ...rest] = added.output.trim().split('  ');
  expect(rest).toEqual(['Court order', '2026-11-02', 'NY', 'Pending', 'author not told']);
  const decided = await run('decide', id, 'complied', 'The court insisted.');
  const told = `${id}  Court order  2026-11-02  NY  Complied (2026-11-22)`;
  expect(decided.output).toBe(`${told}  author not told\n`);
  expect((await run('lift-gag', id)).output).toBe(`${told}\n`);
  expect((await run('list')).output).toBe(`${told}\n`);
  const twice = run('decide', id, 'complied', 'Twice.');
  await expectRefusal(twice, 'This case has already been decided.');
  const acts = await site.rows('audit_log', {}, ['actor', 'action']);
  expect(acts.map(({ actor, action }) => `${actor} ${action}`).toSorted()).toEqual([
    'cli gag.lift',
    'cli legal.complied',
    'cli legal.receive',
  ]);
});

test('correct detaches a review', async ({ site, run }) => {
  const { id: reviewId } = await site.review();
  const added = await run('add', 'subpoena', '2026-01-05', '--review', reviewId);
  const [id = ''] = added.output.split('  ');
  expect(added.output).toContain(reviewId);
  const corrected = await run('correct', id, 'none', 'Another employer.');
  expect(corrected.output).toBe(`${id}  Subpoena  2026-01-05  Pending\n`);
  expect((await run('correct', id, reviewId, 'After all.')).output).toContain(reviewId);
});

test('list shows more than one page', async ({ site, run }) => {
  const rows = Array.from({ length: 101 }, () => ({ kind: 'other', received_on: '2026-11-01' }));
  await site.deps.db.insertInto('legal_demands').values(rows).execute();
  expect((await run('list')).output.match(/Other demand/g)).toHaveLength(101);
});

const UNKNOWN = '00000000-0000-4000-8000-000000000000';

test.for([
  [['add', 'gossip', '2026-11-02'], 'Please choose a kind'],
  [['add', 'subpoena', '2999-11-02'], 'The day must not be in the future'],
  [['add', 'subpoena', '2026-11-02', '--review', UNKNOWN], 'There is no such review'],
  [['decide', 'x', 'complied', 'Note'], 'x is not the id of a legal demand'],
  [['decide', UNKNOWN, 'ignored', 'Note'], 'Please choose an outcome'],
  [['decide', UNKNOWN, 'complied', ''], 'Please write a note for the log'],
  [['decide', UNKNOWN, 'complied', 'Note'], 'there is no such legal demand'],
  [['correct', UNKNOWN, 'none', ''], 'Please write a note for the log'],
  [['correct', UNKNOWN, 'none', 'Note'], 'there is no such legal demand'],
  [['lift-gag', UNKNOWN], 'there is no such legal demand'],
] as const)('legal %j fails with one line', async ([args, fault], { run }) => {
  await expectRefusal(run(...args), fault);
});
