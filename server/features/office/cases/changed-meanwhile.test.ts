import type { CaseKind } from '#contract/cases.ts';
import { accountEndpoints } from '#contract/endpoints/account.ts';
import { employerEndpoints } from '#contract/endpoints/employers.ts';
import { moderationEndpoints } from '#contract/endpoints/moderation.ts';
import {
  caseEndpoints,
  doctorDecisionEndpoints,
  legalEndpoints,
} from '#contract/endpoints/office.ts';
import { representativeDecisionEndpoints } from '#contract/endpoints/replies.ts';
import { reviewEndpoints } from '#contract/endpoints/reviews.ts';
import type { CaseFile } from '#contract/office/case-queue.ts';
import { openCase } from '#server/cases/cases.ts';
import { isPublic, report } from '#server/features/reviews/testing/moderation.ts';
import { reviewOf, signedInRepresentative } from '#server/testing/factories.ts';
import { at, type Client, expect, type Site, test as siteTest } from '#server/testing/site.ts';

const test = siteTest.extend('staff', async ({ site }) => site.as(await site.admin()));

/** The file of the open case of a kind about a subject. */
async function fileOf<Type extends CaseFile['file']['type']>(
  site: Site,
  staff: Client,
  kind: CaseKind,
  column: 'review_id' | 'account_id' | 'employer_id' | 'demand_id',
  subject: string | number,
) {
  const [{ id } = expect.fail()] = await site.rows('cases', { kind, [column]: subject });
  const { body } = await staff.get(caseEndpoints.read, at(id));
  return { case_id: id, file: body.file as CaseFile['file'] & { type: Type } };
}

test.for(['keep', 'remove'] as const)('no %s of an unread review', async (act, { site, staff }) => {
  const account = await site.doctor();
  const author = site.as(account);
  const review = await site.review({ by: account, review_text: 'Two night shifts in a row.' });
  const { id } = review;
  await report(site, id);
  const read = () => fileOf<'review'>(site, staff, 'report', 'review_id', id);
  const before = await read();
  expect(before.file.is_edited).toBe(false);
  const edit = async (review_text: string) => {
    const body = reviewOf(0, { review_text });
    expect((await author.patch(reviewEndpoints.edit, body, at(id))).status).toBe(200);
  };
  await edit('Doctor Marsh of ward two is a drunk.');
  const decide = (version: string) =>
    staff.post(
      moderationEndpoints[act],
      {
        case_id: before.case_id,
        version,
        ...(act === 'remove' && { reason: 'Names her.' }),
      } as never,
      at(id),
    );
  expect((await decide(before.file.version)).problem.code).toBe('changed_meanwhile');
  expect(await isPublic(site, id)).toBe(true);
  const after = await read();
  expect(after.file).toMatchObject({ is_edited: true, reports: [{ reason: 'abusive' }] });
  expect(after.file.review.review_text).toBe('Doctor Marsh of ward two is a drunk.');
  // A vote does not change what the author wrote.
  await report(site, id, 'other');
  expect((await read()).file.version).toBe(after.file.version);
  expect((await decide(after.file.version)).status).toBe(200);
  expect(await isPublic(site, id)).toBe(act === 'keep');
  const stored = JSON.stringify(await site.rows('reviews'));
  expect(stored).not.toContain(after.file.version);
});

test('an edit and a decision at once: one of the two sees the other', async ({ site, staff }) => {
  const account = await site.doctor();
  const { id } = await site.review({ by: account });
  await report(site, id);
  const { case_id, file } = await fileOf<'review'>(site, staff, 'report', 'review_id', id);
  const body = reviewOf(0, { review_text: 'Something else entirely.' });
  const removal = { reason: 'No.', case_id, version: file.version };
  const [edited, removed] = await Promise.all([
    site.as(account).patch(reviewEndpoints.edit, body, at(id)),
    staff.post(moderationEndpoints.remove, removal, at(id)),
  ]);
  expect([
    [200, 409],
    [403, 200],
    [409, 200],
  ]).toContainEqual([edited.status, removed.status]);
});

test('does not verify a name that nobody read', async ({ site, staff: _ }) => {
  const staff = site.as(await site.admin(['verifier']));
  const doctor = await site.doctor({});
  const subject = { account_id: doctor.userId };
  await openCase(site.deps.db, site.deps.clock, { kind: 'doctor', subject, priority: 2 });
  const read = () => fileOf<'doctor'>(site, staff, 'doctor', 'account_id', doctor.userId);
  const { case_id, file } = await read();
  const { update } = accountEndpoints;
  await site.as(doctor).patch(update, { last_name: 'Elsewhere' }, at(doctor.userId));
  const decide = (version: string) => {
    const body = { reason: 'The letter came.', case_id, version };
    return staff.post(doctorDecisionEndpoints.verify, body, at(doctor.userId));
  };
  expect((await decide(file.doctor.version)).problem.code).toBe('changed_meanwhile');
  const { doctor: shown } = (await read()).file;
  expect(shown).toMatchObject({ verified: false, user: { last_name: 'Elsewhere' } });
  expect((await decide(shown.version)).status).toBe(200);
  // Whoever lost the race reads that the case is closed, not that the doctor has changed.
  expect((await decide(shown.version)).problem.code).toBe('case_closed');
});

test('does not keep or merge an employer whose facts have changed', async ({ site, staff }) => {
  const doctor = site.as(await site.doctor());
  const { id } = (await doctor.post(employerEndpoints.add, { name: 'Quillon Clinic' })).body;
  const into = await site.employer({ name: 'Quillon Hospital' });
  const read = () => fileOf<'employer'>(site, staff, 'employer', 'employer_id', id);
  const { case_id, file } = await read();
  const query = { into: String(into) };
  const preview = await staff.get(employerEndpoints.previewMerge, { ...at(id), query });
  await staff.patch(employerEndpoints.curate, { city: 'Aldermoor' }, at(id));
  const { version } = file;
  const accepted = await staff.post(employerEndpoints.accept, { case_id, version }, at(id));
  expect(accepted.problem.code).toBe('changed_meanwhile');
  const merge = { into: String(into), case_id, version: preview.body.version };
  const merged = await staff.post(employerEndpoints.merge, merge, at(id));
  expect(merged.problem.code).toBe('changed_meanwhile');
  const again = { case_id, version: (await read()).file.version };
  expect((await staff.post(employerEndpoints.accept, again, at(id))).status).toBe(200);
});

test('does not decide a demand that is now about another review', async ({ site, staff }) => {
  const [one, other] = [await site.review(), await site.review()];
  const demand = { kind: 'subpoena', received_on: '2026-01-05', review: one.id } as const;
  const { id, version } = (await staff.post(legalEndpoints.record, demand)).body;
  const correction = { review: other.id, note: 'Misread.' };
  const corrected = await staff.post(legalEndpoints.correct, correction, at(id));
  const decide = (read: string) =>
    staff.post(legalEndpoints.decide, { outcome: 'unable', note: 'x', version: read }, at(id));
  expect((await decide(version)).problem.code).toBe('changed_meanwhile');
  expect((await decide(corrected.body.version)).status).toBe(200);
});

test('does not approve a representative whose employer has changed', async ({ site, staff }) => {
  const employer = await site.employer({ website: 'https://quillon.example' });
  const { userId } = await signedInRepresentative(site, employer, { state: 'pending' });
  const read = () => fileOf<'representative'>(site, staff, 'representative', 'account_id', userId);
  const { case_id, file } = await read();
  const website = 'https://elsewhere.example';
  await staff.patch(employerEndpoints.curate, { website }, at(employer));
  const approve = (version: string) =>
    staff.post(
      representativeDecisionEndpoints.approve,
      { reason: 'Called.', case_id, version },
      at(userId),
    );
  expect((await approve(file.representative.version)).problem.code).toBe('changed_meanwhile');
  expect((await approve((await read()).file.representative.version)).status).toBe(200);
});
