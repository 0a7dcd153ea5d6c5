import { CASE_CLAIM_MINUTES } from '#contract/cases.ts';
import { moderationEndpoints } from '#contract/endpoints/moderation.ts';
import { caseEndpoints } from '#contract/endpoints/office.ts';
import { MINUTE_MS } from '#contract/limits.ts';
import { caseIdAbout, report } from '#server/features/reviews/testing/moderation.ts';
import { logOf } from '#server/testing/factories.ts';
import { at, type Client, expect, testWith } from '#server/testing/site.ts';

const { read, list, claim, prolong, note } = caseEndpoints;

const test = testWith()
  .extend('staff', async ({ site }) => site.as(await site.admin()))
  .extend('other', async ({ site, staff: _ }) => site.as(await site.admin(['moderator'])))
  .extend('review', async ({ site, staff: _ }) => {
    const { id } = await site.review();
    await report(site, id);
    return id;
  })
  .extend('id', ({ site, review }) => caseIdAbout(site, 'report', review));

const claimOf = async (by: Client, id: string) => (await by.get(read, at(id))).body.case.claim;

test('notes are for the role, until a decision', async ({ site, staff, other, review, id }) => {
  const text = 'Is a nickname enough to name somebody?';
  expect((await staff.post(note, { text: ' ' }, at(id))).problem.errors).toEqual({
    text: ['Please write a note'],
  });
  const written = await staff.post(note, { text }, at(id));
  const shown = { by: 'Root Example', text, is_question: false };
  expect(written.body.notes).toMatchObject([shown]);
  expect((await other.get(read, at(id))).body.notes).toMatchObject([shown]);
  const curator = site.as(await site.admin(['curator']));
  expect((await curator.post(note, { text }, at(id))).problem.code).toBe('case_closed');
  expect((await curator.get(read, at(id))).status).toBe(403);
  const entries = await logOf(site, review, 'action', 'details');
  expect(entries.map(({ action }) => action)).toContain('note.review');
  expect(JSON.stringify(entries)).not.toContain('nickname');

  // A note and a decision at once: the note is on the case, or refused.
  const [late, kept] = await Promise.all([
    other.post(note, { text: 'Late.' }, at(id)),
    staff.post(moderationEndpoints.keep, { case_id: id }, at(review)),
  ]);
  expect(kept.status).toBe(200);
  expect([200, 409]).toContain(late.status);
  expect(await site.rows('case_notes', { case_id: id })).toEqual([]);
});

test('asking a second person releases and marks the case', async ({ staff, other, id }) => {
  await staff.post(claim, at(id));
  const question = { text: 'Could you look at the second line?', is_question: true };
  expect((await staff.post(note, question, at(id))).status).toBe(200);
  expect(await claimOf(staff, id)).toBeNull();
  const rows = (await other.get(list, { query: { kind: 'report' } })).body.results;
  expect(rows.find((one) => one.id === id)?.has_question).toBe(true);
  expect((await other.post(claim, at(id))).status).toBe(200);
});

test('only the holder prolongs a claim, before its end', async ({ site, staff, other, id }) => {
  expect((await staff.post(prolong, at(id))).problem.code).toBe('case_claimed');
  await staff.post(claim, at(id));
  // Tokens would expire before the claim does.
  const endsIn = (minutes: number) => {
    const held_until = new Date(site.time.now.getTime() + minutes * MINUTE_MS);
    return site.change('cases', { id }, { held_until });
  };
  await endsIn(1);
  const answers = await Promise.all([staff, other].map((by) => by.post(prolong, at(id))));
  expect(answers.map(({ status }) => status)).toEqual([200, 409]);
  const until = new Date(site.time.now.getTime() + CASE_CLAIM_MINUTES * MINUTE_MS).toISOString();
  expect((await claimOf(other, id))?.until).toBe(until);
  await endsIn(-1);
  expect((await staff.post(prolong, at(id))).problem.code).toBe('case_claimed');
  expect((await other.post(claim, at(id))).status).toBe(200);
  expect((await staff.post(prolong, at(crypto.randomUUID()))).problem.code).toBe('case_closed');
});
