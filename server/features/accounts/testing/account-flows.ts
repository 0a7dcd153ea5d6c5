import type { LightMyRequestResponse } from 'fastify';
import { expect } from 'vitest';
import type {
  LoginResponse,
  RegisterRequest,
  SignupDetails,
  Tokens,
} from '#contract/accounts/accounts.ts';
import type { Endpoint } from '#contract/endpoint.ts';
import { accountEndpoints } from '#contract/endpoints/account.ts';
import { sessionEndpoints } from '#contract/endpoints/session.ts';
import type { MailMessage } from '#server/mail/mailer.ts';
import type { TestApp } from '#server/testing/app.ts';
import { type DoctorProfile, newEmail, newNpi, signUp } from '#server/testing/factories.ts';
import type { Reply, Site } from '#server/testing/site.ts';
import { beginSession } from '../session/sessions.ts';
import { addDoctor } from '../signup/signup.ts';

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

type Options = Parameters<Site['visitor']>[0];
type Signed = Pick<Member, 'headers'>;

export const logIn = (site: Site, email: string, password = PASSWORD, options?: Options) =>
  site.visitor(options).post(sessionEndpoints.login, { email, password });

export const refreshWith = (site: Site, { refresh }: Pick<Tokens, 'refresh'>) =>
  site.visitor().post(sessionEndpoints.refresh, { refresh });

/** A device that got these tokens. */
export const deviceOf = <T extends Tokens>(tokens: T) => ({
  ...tokens,
  headers: bearer(tokens.access),
});

/** Logs in on another device. */
export const newDevice = async (site: Site, email: string, password = PASSWORD) =>
  deviceOf((await logIn(site, email, password)).body);

/** Whether the address and the password are those of an account. */
export async function canLogIn(site: Site, email: string, password = PASSWORD): Promise<boolean> {
  const { status } = await logIn(site, email, password);
  expect([200, 401]).toContain(status);
  return status === 200;
}

export async function isSignedIn(site: Site, device: Signed): Promise<boolean> {
  const { status } = await site.as(device).get(sessionEndpoints.user);
  expect([200, 401]).toContain(status);
  return status === 200;
}

export const profileOf = async (site: Site, device: Signed) =>
  (await site.as(device).get(sessionEndpoints.user)).body;

export const register = (site: Site, request: RegisterRequest, options?: Options) =>
  site.visitor(options).post(sessionEndpoints.register, request);

/** Another sign-up code than this one. */
export const wrongCode = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0');

/** Requests a link for a new password, and reads it in the mail. */
export async function resetLink(site: Site, email: string) {
  await site.visitor().post(accountEndpoints.requestPasswordReset, { email });
  return linkFor(site, email, '/password-reset');
}

/** Sets a new password with the link from the mail. */
export async function resetPassword(site: Site, email: string, new_password: string) {
  const link = await resetLink(site, email);
  return site.visitor().post(accountEndpoints.resetPassword, { ...link, new_password });
}

export const changeProfile = (
  site: Site,
  { id, headers }: Pick<Member, 'id' | 'headers'>,
  changes: Partial<Pick<Member, 'email' | 'first_name' | 'last_name' | 'password'>>,
) => site.as({ headers }).patch(accountEndpoints.update, changes, { params: { id } });

export const confirmEmail = (site: Site, { token }: { token: string }) =>
  site.visitor().post(accountEndpoints.confirmEmail, { token });

export const STOPPED = {
  message: 'The change has been stopped. Your email address stays as it is.',
};
/** What `refusalOf` gives for a link of an email change that is not valid. */
export const BAD_LINK = {
  status: 400,
  code: 'invalid_email_link',
  detail: 'This link is invalid or has expired.',
};

/** Follows the link in the old mailbox, which stops or undoes a change of address. */
export const stopEmailChange = (site: Site, { token }: { token: string }) =>
  site.visitor().post(accountEndpoints.stopEmailChange, { token });
