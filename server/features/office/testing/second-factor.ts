import { Secret, TOTP } from 'otpauth';
import type { FactorSetup } from '#contract/staff.ts';
import type { TestApp } from '#server/testing/app.ts';
import type { TestAccount } from '#server/testing/factories.ts';

export const STEP_MS = 30_000;

/** The code that an app shows, now or some steps later or earlier. */
export const codeOf = (secret: string, now: Date, steps = 0): string =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({
    timestamp: now.getTime() + steps * STEP_MS,
  });

export interface Entered {
  secret: string;
  codes: string[];
  /** The cookie of the office pass. */
  cookies: Record<string, string>;
}

type Body = Record<string, unknown>;

/** Sends a request of the second factor. */
export const postFactor = (
  { app }: TestApp,
  { headers }: Pick<TestAccount, 'headers'>,
  path: '' | 'setup/' | 'enter/' | 'recovery-codes/' | 'remove/',
  payload: Body = {},
  cookies: Record<string, string> = {},
) => app.inject({ method: 'POST', url: `/api/admin/factor/${path}`, headers, cookies, payload });

export type FactorAnswer = Awaited<ReturnType<typeof postFactor>>;

export const passOf = ({ cookies }: FactorAnswer): Record<string, string> =>
  Object.fromEntries(cookies.map(({ name, value }) => [name, value]));

/** Sets up a second factor, which uses up the current step. */
export async function setUpFactor(
  server: TestApp,
  account: TestAccount,
  cookies: Record<string, string> = {},
): Promise<Entered> {
  const begun = await postFactor(server, account, 'setup/', {}, cookies);
  const { secret, setup }: FactorSetup = begun.json();
  const code = codeOf(secret, server.time.now);
  const confirmed = await postFactor(server, account, '', { setup, code }, cookies);
  if (confirmed.statusCode !== 200) throw new Error(confirmed.body);
  return { secret, codes: confirmed.json().recovery_codes, cookies: passOf(confirmed) };
}

/** Advances the server's clock. */
export function pass(server: TestApp, ms: number): void {
  server.time.now = new Date(server.time.now.getTime() + ms);
}
