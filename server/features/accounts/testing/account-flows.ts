import type { LightMyRequestResponse } from 'fastify';
import type { LoginResponse, SignupDetails } from '#contract/accounts.ts';
import type { Endpoint } from '#contract/endpoint.ts';
import type { MailMessage } from '#server/mail/mailer.ts';
import type { TestApp } from '#server/testing/app.ts';
import { type DoctorProfile, newEmail, newNpi, signUp } from '#server/testing/factories.ts';
import type { Reply } from '#server/testing/site.ts';
import { beginSession } from '../session/sessions.ts';
import { addDoctor } from '../signup/new-account.ts';

export const PASSWORD = 'Old-Stethoscope-1';
export const NEW_PASSWORD = 'New-Stethoscope-2';

/** Sign-up details of a new user. */
export function newDetails(fields: Partial<SignupDetails> = {}): SignupDetails {
  return {
    email: newEmail(),
    first_name: 'Ada',
    last_name: 'Example',
    npi: newNpi(),
    password: PASSWORD,
    ...fields,
  };
}

interface From {
  headers?: { authorization: string };
  /** The source network address. */
  from?: string;
  method?: 'POST' | 'PATCH';
}

/** Sends JSON to a path under `/api`. */
export function send(
  { app }: Pick<TestApp, 'app'>,
  path: string,
  payload: object,
  { headers = { authorization: '' }, from = '192.0.2.1', method = 'POST' }: From = {},
): Promise<LightMyRequestResponse> {
  return app.inject({ method, url: `/api${path}`, payload, headers, remoteAddress: from });
}

export const bearer = (access: string) => ({ authorization: `Bearer ${access}` });

/** A signed-in user with a password. */
export interface Member extends SignupDetails, Pick<LoginResponse, 'access' | 'refresh'> {
  id: string;
  headers: { authorization: string };
}

/** Adds an account to the database, and signs in. */
export async function addMember(
  { deps }: Pick<TestApp, 'deps'>,
  fields?: Partial<SignupDetails>,
  profile: DoctorProfile = {},
): Promise<Member> {
  const details = newDetails(fields);
  const id = await addDoctor(deps, { ...details, profile });
  const { access, refresh } = await beginSession(deps, deps.db, id);
  return { ...details, id, access, refresh, headers: bearer(access) };
}

/** A user who signs up through the API. */
export async function newMember(server: TestApp, fields?: Partial<SignupDetails>): Promise<Member> {
  const details = newDetails(fields);
  const { access, refresh, user } = await signUp(server, details);
  await server.jobs.idle();
  return { ...details, id: user.id, access, refresh, headers: bearer(access) };
}

export function logIn(server: TestApp, email: string, password: string, from?: string) {
  return send(server, '/auth/login/', { email, password }, from ? { from } : {});
}

/** The last mail to an address, after all due jobs have run. */
export async function lastMail({ jobs, mail }: TestApp, to: string): Promise<MailMessage> {
  await jobs.idle();
  const last = mail.findLast((message) => message.to === to);
  if (!last) throw new Error(`no mail to ${to}`);
  return last;
}

export async function codeFor(server: TestApp, email: string): Promise<string> {
  const { text } = await lastMail(server, email);
  const code = text.match(/\b\d{6}\b/)?.[0];
  if (!code) throw new Error(`no code in: ${text}`);
  return code;
}

/** The query of a link in a mail. Only password reset links have `uidb64`. */
export type LinkQuery = { token: string; uidb64: string };

/** The query of the link to a page in the last mail to an address. */
export async function linkFor(server: TestApp, to: string, page: string): Promise<LinkQuery> {
  const { text } = await lastMail(server, to);
  const link = text.match(new RegExp(`http://localhost:3000${page}\\?\\S+`))?.[0];
  if (!link) throw new Error(`no link to ${page} in: ${text}`);
  return Object.fromEntries(new URL(link).searchParams) as LinkQuery;
}

/** The members of an error response that differ between errors. */
export function refusalOf(answer: LightMyRequestResponse | Pick<Reply<Endpoint>, 'problem'>) {
  const { status, code, detail, errors } = 'problem' in answer ? answer.problem : answer.json();
  return { status, code, detail, ...(errors && { errors }) };
}

/** What `refusalOf` gives for a request with one invalid field. */
export const invalidField = (field: string, ...messages: readonly string[]) => ({
  status: 400,
  code: 'validation_error',
  detail: messages[0],
  errors: { [field]: messages },
});
