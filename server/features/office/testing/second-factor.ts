import { Secret, TOTP } from 'otpauth';
import type { FactorRecoveryCodes, FactorSetup } from '#contract/office/staff.ts';
import { beginSession } from '#server/features/accounts/session/sessions.ts';
import type { TestApp } from '#server/testing/app.ts';
import type { TestAccount } from '#server/testing/factories.ts';

export const STEP_MS = 30_000;

/** The code that an app shows, now or some steps later or earlier. */
export const codeOf = (secret: string, now: Date, steps = 0): string =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({
    timestamp: now.getTime() + steps * STEP_MS,
  });

const codesOf = (secret: string, now: Date, ...[from, to]: [from: number, to: number]) =>
  Array.from({ length: to - from + 1 }, (_, at) => codeOf(secret, now, from + at));

/** A code that is not accepted now. */
export function wrongCode(secret: string, now: Date): string {
  const accepted = codesOf(secret, now, -1, 1);
  return ['000000', '111111', '222222', '333333'].find((code) => !accepted.includes(code)) ?? '';
}

/** Sends a request of the second factor. */
export const postFactor = (
  { app }: TestApp,
  { headers }: Pick<TestAccount, 'headers'>,
  path: '' | 'setup/' | 'enter/',
  payload: object,
  cookies: Record<string, string> = {},
) => app.inject({ method: 'POST', url: `/api/admin/factor/${path}`, headers, cookies, payload });

/**
 * Sets up a second factor, which uses up the current step. Its codes of the next minutes all differ,
 * so that a wrong one is never accepted by chance. Returns the cookie of the office pass, too.
 */
export async function setUpFactor(
  server: TestApp,
  account: TestAccount,
  pass: Record<string, string> = {},
) {
  const begin = async () =>
    (await postFactor(server, account, 'setup/', {}, pass)).json<FactorSetup>();
  let { secret, setup } = await begin();
  const nearby = () => codesOf(secret, server.time.now, -3, 20);
  while (new Set(nearby()).size < nearby().length) ({ secret, setup } = await begin());
  const code = codeOf(secret, server.time.now);
  const confirmed = await postFactor(server, account, '', { setup, code }, pass);
  if (confirmed.statusCode !== 200) throw new Error(confirmed.body);
  const cookies = Object.fromEntries(confirmed.cookies.map(({ name, value }) => [name, value]));
  return { secret, codes: confirmed.json<FactorRecoveryCodes>().recovery_codes, cookies };
}

/** Another login of the account, by its owner or by someone who knows the password. */
export async function newLogin(
  { deps }: Pick<TestApp, 'deps'>,
  { userId }: Pick<TestAccount, 'userId'>,
): Promise<Pick<TestAccount, 'headers'>> {
  const { access } = await beginSession(deps, deps.db, userId);
  return { headers: { authorization: `Bearer ${access}` } };
}
