import { expect } from '@playwright/test';
import type { Case } from '#contract/case-queue.ts';
import type { CaseKind } from '#contract/cases.ts';
import type { Doctor } from '#contract/doctors.ts';
import { employerEndpoints } from '#contract/endpoints/employers.ts';
import { feedbackEndpoints } from '#contract/endpoints/feedback.ts';
import { legalEndpoints } from '#contract/endpoints/legal.ts';
import { moderationEndpoints } from '#contract/endpoints/moderation.ts';
import { caseEndpoints } from '#contract/endpoints/office.ts';
import { replyEndpoints } from '#contract/endpoints/replies.ts';
import {
  representativeDecisionEndpoints,
  representativeEndpoints,
} from '#contract/endpoints/representatives.ts';
import { reviewEndpoints } from '#contract/endpoints/reviews.ts';
import { sessionEndpoints } from '#contract/endpoints/session.ts';
import { verificationEndpoints } from '#contract/endpoints/verification.ts';
import type { Page as ListPage } from '#contract/paging.ts';
import type { Role } from '#contract/staff-roles.ts';
import { startEmbedded } from '#server/db/embedded/launch.ts';
import { openDatabase } from '#server/db/open.ts';
import { apiPath } from '#web/lib/paths.ts';
import {
  codeFor,
  DEMO,
  mailText,
  newDetails,
  PASSWORD,
  post,
  signUp,
  tokensFor,
} from './account.ts';
import { curbside } from './proofs.ts';
import {
  anEmployer,
  ask,
  headersOf,
  newPoster,
  postReview,
  registeredPhysician,
  reviewOf,
  someEmployers,
} from './review.ts';
import type { TestServer } from './server.ts';

/** Adds a staff member by command, as an operator does. Returns the email address. */
export async function newStaff(server: TestServer, roles: readonly Role[]): Promise<string> {
  const { email } = newDetails();
  const command = ['admin', 'add', email, 'Bea', 'Example', '--roles', roles.join(',')];
  await curbside(server, command, PASSWORD);
  return email;
}

/** The open cases of a kind, or of all kinds, that an account sees. */
export async function openCases(server: TestServer, email: string, kind?: CaseKind) {
  const path = apiPath(caseEndpoints.list, { query: { page_size: 100, ...(kind && { kind }) } });
  return (await ask<ListPage<Case>>(server, path, await headersOf(server, email))).results;
}

const sendAs = async (server: TestServer, email: string, path: string, body: object = {}) =>
  post<{ id: string }>(server, path, body, await headersOf(server, email));

/** A review of DEMO.doctor that DEMO.pending has reported. */
export async function reportedReview(
  server: TestServer,
  position_title: string,
  report = { reason: 'abusive', note: 'It insults a nurse.' },
): Promise<string> {
  const employer = await anEmployer(server);
  const { id } = await postReview(server, DEMO.doctor, reviewOf(employer, { position_title }));
  const path = apiPath(feedbackEndpoints.report, { params: { id } });
  await sendAs(server, DEMO.pending, path, report);
  return id;
}

/** A review that the administrator has removed, and whose author appeals. */
export async function appealedReview(server: TestServer, text: string) {
  const { email } = await newPoster(server);
  const { id } = await postReview(server, email, reviewOf(await anEmployer(server)));
  const removal = apiPath(moderationEndpoints.remove, { params: { id } });
  await sendAs(server, DEMO.admin, removal, { reason: 'Off topic.' });
  await sendAs(server, email, apiPath(reviewEndpoints.appeal, { params: { id } }), { text });
  return { email, id };
}

/** Decides as the administrator until a decision is drawn for a second look by `other`. */
export async function drawnSecondLook(server: TestServer, other: string): Promise<void> {
  const employer = await anEmployer(server);
  const { id } = await postReview(
    server,
    DEMO.doctor,
    reviewOf(employer, { position_title: 'Drawn' }),
  );
  const headers = await headersOf(server, DEMO.admin);
  const path = apiPath(moderationEndpoints.keep, { params: { id } });
  do await post(server, path, {}, headers);
  while ((await openCases(server, other, 'second_look')).length === 0);
}

/** A doctor whose NPI another account has proven with an institution's email address. */
export async function evictedDoctor(server: TestServer): Promise<void> {
  const details = await registeredPhysician(server);
  await signUp(server, details);
  const doctorOf = async (email: string) =>
    ask<Doctor>(server, sessionEndpoints.doctor.path, await headersOf(server, email));
  await expect.poll(async () => (await doctorOf(details.email)).verified).toBe(true);
  const domain = ['clinic.example', '--kind', 'employer', '--name', 'Example Clinic'];
  await curbside(server, ['domains', 'add', ...domain]);
  const { email } = newDetails();
  await signUp(server, { ...details, email });
  // Until the registry has answered, there is nothing to prove.
  const statusOf = async () => (await doctorOf(email)).verification.status;
  await expect.poll(statusOf).not.toBe('pending');
  const mailbox = `${email.split('@')[0]}@clinic.example`;
  await sendAs(server, email, verificationEndpoints.mailMailboxCode.path, { email: mailbox });
  const code = /\b\d{6}\b/.exec(await mailText(server, mailbox, /\b\d{6}\b/))?.[0];
  await sendAs(server, email, verificationEndpoints.confirmMailbox.path, { code });
}

export const submittedEmployer = (server: TestServer, name: string) =>
  sendAs(server, DEMO.doctor, apiPath(employerEndpoints.add), { name });

/** Suggests a correction of the phone number of `count` employers. */
export async function corrections(server: TestServer, count: number): Promise<void> {
  for (const { id } of await someEmployers(server, count)) {
    const path = apiPath(employerEndpoints.correct, { params: { id } });
    await sendAs(server, DEMO.doctor, path, {
      field: 'phone',
      value: '(334) 555-0142',
      source: 'Their own page',
    });
  }
}

export const legalDemand = (server: TestServer, review: string | undefined) =>
  sendAs(server, DEMO.admin, legalEndpoints.record.path, {
    kind: 'subpoena',
    received_on: '2026-01-05',
    ...(review && { review }),
  });

/** A legal demand about a review, to which nothing was handed over. */
export async function decidedDemand(server: TestServer, review: string): Promise<void> {
  const { id } = await legalDemand(server, review);
  const decision = { outcome: 'unable', note: 'The review is locked.' };
  await sendAs(server, DEMO.admin, apiPath(legalEndpoints.decide, { params: { id } }), decision);
}

/** Creates an account that is waiting to represent an employer. Returns its email address. */
export async function newRepresentative(server: TestServer, employer: number): Promise<string> {
  const { npi: _, ...details } = { ...newDetails(), work_title: 'Chief of staff', employer };
  const { path } = representativeEndpoints.register;
  await post(server, path, { action: 'create_account', ...details });
  const otp_code = await codeFor(server, details.email);
  await post(server, path, { action: 'verify_otp', ...details, otp_code });
  return details.email;
}

/** A reply of an approved representative that DEMO.pending has reported. */
export async function reportedReply(server: TestServer): Promise<void> {
  const { id, employer } = await postReview(
    server,
    DEMO.doctor,
    reviewOf(await anEmployer(server), { position_title: 'Answered' }),
  );
  const email = await newRepresentative(server, employer.id);
  const { user } = await tokensFor(server, email);
  const approval = apiPath(representativeDecisionEndpoints.approve, { params: { id: user.id } });
  await sendAs(server, DEMO.admin, approval, { reason: 'Called the switchboard.' });
  const reply = apiPath(replyEndpoints.create, { params: { id } });
  await sendAs(server, email, reply, { text: 'Thank you. Nights have two hospitalists now.' });
  const report = apiPath(replyEndpoints.report, { params: { id } });
  await sendAs(server, DEMO.pending, report, { reason: 'other', note: 'It asks who wrote it.' });
}

/** Moves everything in the log back by a month. */
export async function passMonth({ dataDir }: TestServer) {
  const embedded = await startEmbedded({ dataDir });
  const database = openDatabase(embedded.connection, () => {});
  await database.pool.query("update audit_log set happened_on = happened_on - interval '1 month'");
  await database.close();
  await embedded.stop();
}
