import { expect } from '@playwright/test';
import type { CaseKind } from '#contract/cases.ts';
import type { Input } from '#contract/endpoint.ts';
import { employerEndpoints } from '#contract/endpoints/employers.ts';
import { feedbackEndpoints } from '#contract/endpoints/feedback.ts';
import { moderationEndpoints } from '#contract/endpoints/moderation.ts';
import { caseEndpoints, legalEndpoints } from '#contract/endpoints/office.ts';
import {
  replyDecisionEndpoints,
  replyEndpoints,
  representativeDecisionEndpoints,
  representativeEndpoints,
} from '#contract/endpoints/replies.ts';
import { reviewEndpoints } from '#contract/endpoints/reviews.ts';
import { sessionEndpoints } from '#contract/endpoints/session.ts';
import type { ReportRequest } from '#contract/reviews/review-feedback.ts';

import type { Review, ReviewRequest } from '#contract/reviews/reviews.ts';
import type { Role } from '#contract/staff-roles.ts';
import { startEmbedded } from '#server/db/embedded/launch.ts';
import { openDatabase } from '#server/db/open.ts';
import { call, codeFor, DEMO, newDetails, OFTEN, PASSWORD, signUp, tokensFor } from './account.ts';
import { prove } from './proofs.ts';
import { anEmployer, newPoster, newReview, registeredPhysician, someEmployers } from './review.ts';
import { curbside, type TestServer } from './server.ts';

/** Adds a staff member by command, as an operator does. Returns the email address. */
export async function newStaff(server: TestServer, roles: readonly Role[]): Promise<string> {
  const { email } = newDetails();
  const command = ['admin', 'add', email, 'Bea', 'Example', '--roles', roles.join(',')];
  await curbside(server, command, PASSWORD);
  return email;
}

/** The open cases of a kind, or of all kinds, that an account sees. */
export async function openCases(server: TestServer, as: string, kind?: CaseKind) {
  const query = { page_size: 100, kind };
  return (await call(server, caseEndpoints.list, { as, query })).results;
}

/** A review of DEMO.doctor that DEMO.pending has reported. */
export async function reportedReview(
  server: TestServer,
  changes: Partial<ReviewRequest> = {},
  body: ReportRequest = { reason: 'abusive', note: 'It insults a nurse.' },
): Promise<Review> {
  const review = await newReview(server, changes);
  const params = { id: review.id };
  await call(server, feedbackEndpoints.report, { as: DEMO.pending, body, params });
  return review;
}

/** A new doctor's review that the administrator has hidden. */
export async function hiddenReview(
  server: TestServer,
  act: 'remove' | 'hold',
  body: Input<typeof moderationEndpoints.remove>['body'],
  changes: Partial<ReviewRequest> = {},
) {
  const { email } = await newPoster(server);
  const { id } = await newReview(server, changes, { by: email });
  await call(server, moderationEndpoints[act], { as: DEMO.admin, body, params: { id } });
  return { email, id };
}

/** A review that the administrator has removed, and whose author appeals. */
export async function appealedReview(server: TestServer, text: string) {
  const { email, id } = await hiddenReview(server, 'remove', { reason: 'Off topic.' });
  await call(server, reviewEndpoints.appeal, { as: email, body: { text }, params: { id } });
  return { email, id };
}

/** Decides as the administrator until a decision is drawn for a second look by `other`. */
export async function drawnSecondLook(server: TestServer, other: string): Promise<void> {
  const { id } = await newReview(server, { position_title: 'Drawn' });
  do await call(server, moderationEndpoints.keep, { as: DEMO.admin, body: {}, params: { id } });
  while ((await openCases(server, other, 'second_look')).length === 0);
}

/** A doctor whose NPI another account has proven with an institution's email address. */
export async function evictedDoctor(server: TestServer): Promise<void> {
  const details = await registeredPhysician(server);
  await signUp(server, details);
  const doctorOf = (as: string) => call(server, sessionEndpoints.doctor, { as });
  await expect.poll(async () => (await doctorOf(details.email)).verified, OFTEN).toBe(true);
  const domain = ['clinic.example', '--kind', 'employer', '--name', 'Example Clinic'];
  await curbside(server, ['domains', 'add', ...domain]);
  const { email: as } = newDetails();
  await signUp(server, { ...details, email: as });
  // Until the registry has answered, there is nothing to prove.
  await expect
    .poll(async () => (await doctorOf(as)).verification.status, OFTEN)
    .not.toBe('pending');
  await prove(server, as, `${as.split('@')[0]}@clinic.example`);
}

export const submittedEmployer = (server: TestServer, name: string) =>
  call(server, employerEndpoints.add, { as: DEMO.doctor, body: { name } });

/** Suggests a correction of the phone number of `count` employers. */
export async function corrections(server: TestServer, count: number): Promise<void> {
  const body = { field: 'phone', value: '(334) 555-0142', source: 'Their own page' } as const;
  for (const { id } of await someEmployers(server, count))
    await call(server, employerEndpoints.correct, { as: DEMO.doctor, body, params: { id } });
}

export function legalDemand(server: TestServer, review: string) {
  const body = { kind: 'subpoena', received_on: '2026-01-05', review } as const;
  return call(server, legalEndpoints.record, { as: DEMO.admin, body });
}

/** A legal demand about a review, to which nothing was handed over. */
export async function decidedDemand(server: TestServer, review: string): Promise<void> {
  const { id } = await legalDemand(server, review);
  const body = { outcome: 'unable', note: 'The review is locked.' } as const;
  await call(server, legalEndpoints.decide, { as: DEMO.admin, body, params: { id } });
}

/** Creates an account that is waiting to represent an employer. Returns its email address. */
export async function newRepresentative(server: TestServer, employer: number): Promise<string> {
  const { npi: _, ...details } = { ...newDetails(), work_title: 'Chief of staff', employer };
  const { register } = representativeEndpoints;
  await call(server, register, { body: { action: 'create_account', ...details } });
  const otp_code = await codeFor(server, details.email);
  await call(server, register, { body: { action: 'verify_otp', ...details, otp_code } });
  return details.email;
}

/** A review with a reply by an approved representative, who has this email address. */
export async function repliedReview(server: TestServer, position_title: string, text: string) {
  const { id, employer } = await newReview(server, { position_title });
  const as = await newRepresentative(server, employer.id);
  const params = { id: (await tokensFor(server, as)).user.id };
  const body = { reason: 'Called the switchboard.' };
  const { approve } = representativeDecisionEndpoints;
  await call(server, approve, { as: DEMO.admin, body, params });
  await call(server, replyEndpoints.create, { as, body: { text }, params: { id } });
  return { id, email: as };
}

/** A reply of an approved representative that DEMO.pending has reported. */
export async function reportedReply(server: TestServer): Promise<void> {
  const text = 'Thank you. Nights have two hospitalists now.';
  const { id } = await repliedReview(server, 'Answered', text);
  const body = { reason: 'other', note: 'It asks who wrote it.' } as const;
  await call(server, replyEndpoints.report, { as: DEMO.pending, body, params: { id } });
}

/** A reply that the administrator has removed. */
export async function removedReply(server: TestServer): Promise<void> {
  const { id } = await repliedReview(server, 'Reply removed', 'Thank you. Please write to us.');
  const body = { reason: 'It asks the author to get in touch.' };
  await call(server, replyDecisionEndpoints.remove, { as: DEMO.admin, body, params: { id } });
}

/** Moves everything in the log back by a month. */
export async function passMonth({ dataDir }: TestServer) {
  const embedded = await startEmbedded({ dataDir });
  const database = openDatabase(embedded.connection, () => {});
  await database.pool.query("update audit_log set happened_on = happened_on - interval '1 month'");
  await database.close();
  await embedded.stop();
}

/** Staff and at least one open case of every kind. The administrator has decided the appealed one. */
export async function casesOfEveryKind(server: TestServer, roles: readonly Role[]) {
  const other = await newStaff(server, roles);
  const verifier = await newStaff(server, ['verifier']);
  const position_title = 'Attending in Pulmonary and Critical Care Medicine';
  const reported = await reportedReview(server, { position_title });
  const appealed = await appealedReview(server, 'It is about the work, and nothing else.');
  await drawnSecondLook(server, other);
  await reportedReply(server);
  await evictedDoctor(server);
  await submittedEmployer(server, 'Gastroenterology Associates of the Northern Highlands');
  await legalDemand(server, appealed.id);
  const employer = await anEmployer(server);
  await newRepresentative(server, employer.id);
  const kinds = async () => (await openCases(server, verifier)).map(({ kind }) => kind);
  // Jobs open the cases of doctors.
  await expect.poll(kinds, OFTEN).toEqual(expect.arrayContaining(['doctor', 'eviction']));
  return { other, verifier, reported, appealed, employer };
}
