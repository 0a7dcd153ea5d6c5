import { expect } from 'vitest';
import type { RegisterRequest, Tokens } from '#contract/accounts.ts';
import { accountEndpoints } from '#contract/endpoints/account.ts';
import { sessionEndpoints } from '#contract/endpoints/session.ts';
import type { Site } from '#server/testing/site.ts';
import { bearer, linkFor, type Member, PASSWORD } from './account-flows.ts';

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
