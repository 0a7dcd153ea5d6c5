import type { Page, Request, Route } from '@playwright/test';
import { expect } from '@playwright/test';
import type { SignupDetails } from '#contract/accounts/accounts.ts';
import { apiPath } from '#contract/api-path.ts';
import type { Answer, Argument, Endpoint, Input } from '#contract/endpoint.ts';
import { accountEndpoints } from '#contract/endpoints/account.ts';
import { sessionEndpoints } from '#contract/endpoints/session.ts';
import { hasValidCheckDigit } from '#contract/verification/doctors.ts';
import { paths } from '#web/lib/paths.ts';
import { fill, press } from './forms.ts';
import type { TestMail, TestServer } from './server.ts';

export const PHONE = { width: 375, height: 800 };
export const DESKTOP = { width: 1280, height: 900 };

/** Polls of the server, which answers at once. */
export const OFTEN = { intervals: [20] };

export const PASSWORD = 'Curbside-demo-1';
/** The demo accounts (README.md). */
export const DEMO = {
  doctor: 'doctor@curbside.example',
  pending: 'pending@curbside.example',
  readonly: 'readonly@curbside.example',
  admin: 'admin@curbside.example',
} as const;

export type Signup = SignupDetails;

/** Fails if the data for a test is missing. */
export function sure<T>(found: T | null | undefined): T {
  if (found === null || found === undefined) throw new Error('no such data');
  return found;
}

/** Twelve letters that no other call returns. Screening takes some digits for a phone number. */
export const newId = () =>
  crypto
    .randomUUID()
    .replaceAll('-', '')
    .slice(0, 12)
    .replaceAll(/\d/g, (digit) => 'ghijklmnop'.charAt(Number(digit)));

/** Replaces the last digit of a code. */
export const wrongFor = (code: string) => code.replace(/.$/, (last) => (last === '7' ? '8' : '7'));

/** Details that nobody has used and that no registry knows. */
export function newDetails(): Signup {
  return {
    email: `${newId()}@hospital.example`,
    first_name: 'Ines',
    last_name: 'Halloran',
    npi: unusedNpi(),
    password: PASSWORD,
  };
}

let npisUsed = 0;

function unusedNpi(): string {
  npisUsed += 1;
  const stem = `29${String(npisUsed).padStart(7, '0')}`;
  const npi = Array.from({ length: 10 }, (_, digit) => stem + digit).find(hasValidCheckDigit);
  if (!npi) throw new Error('every stem has a check digit');
  return npi;
}

/** The headers that authenticate an API call. */
export const headersOf = async (server: TestServer, email: string) => ({
  authorization: `Bearer ${(await tokensFor(server, email)).access}`,
});

/** An account's email address, or the headers of one of its sessions. */
type Caller = string | Awaited<ReturnType<typeof headersOf>>;

/** Calls an endpoint of the API, `as` an account or as a visitor. */
export async function call<const E extends Endpoint>(
  server: TestServer,
  endpoint: E,
  ...[input]: Argument<Input<E> & { as?: Caller }>
): Promise<Answer<E>> {
  const { as, body, ...url } = { ...input } as { as?: Caller; body?: unknown };
  const path = apiPath(endpoint, url);
  const answer = await fetch(`${server.url}/api${path}`, {
    method: endpoint.method,
    headers: {
      ...(typeof as === 'string' ? await headersOf(server, as) : as),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return (answer.status === 204 ? undefined : await answer.json()) as Answer<E>;
}

/** The requests that a page sends from now on, and that are to be watched. */
export function requestsOf(page: Page, isWatched: (request: Request) => boolean): Request[] {
  const sent: Request[] = [];
  page.on('request', (request) => {
    if (isWatched(request)) sent.push(request);
  });
  return sent;
}

/**
 * Waits for an email with these words that is not one of the `earlier` ones. Returns the text of the
 * newest. All subjects are the same.
 */
export async function mailText(
  server: TestServer,
  to: string,
  words: RegExp,
  earlier: readonly TestMail[] = [],
): Promise<string> {
  let text = '';
  const isNew = ({ id }: TestMail) => earlier.every((mail) => mail.id !== id);
  await expect
    .poll(async () => {
      const mails = (await server.mailTo(to)).filter(isNew);
      const mail = mails.find((each) => words.test(each.text));
      text = mail?.text ?? '';
      return text;
    }, OFTEN)
    .not.toBe('');
  return text;
}

/** The six digits in the newest email with a code. */
export async function codeFor(server: TestServer, email: string): Promise<string> {
  const code = /\b\d{6}\b/.exec(await mailText(server, email, /Your verification code/))?.[0];
  if (!code) throw new Error('no code in the email');
  return code;
}

/** The path and query of a link to one of our pages, in the newest email with these words. */
export async function linkIn(
  server: TestServer,
  to: string,
  words: RegExp,
  path: string,
  earlier: readonly TestMail[] = [],
) {
  const text = await mailText(server, to, words, earlier);
  const link = text.match(/https?:\/\/\S+/g)?.find((url) => new URL(url).pathname === path);
  if (!link) throw new Error(`no link to ${path} in:\n${text}`);
  return path + new URL(link).search;
}

/** Creates an account through the API. */
export async function signUp(server: TestServer, details = newDetails()): Promise<Signup> {
  const { register } = sessionEndpoints;
  await call(server, register, { body: { action: 'create_account', ...details } });
  const otp_code = await codeFor(server, details.email);
  await call(server, register, { body: { action: 'verify_otp', ...details, otp_code } });
  return details;
}

/** Requests a password reset through the API and returns the link from the email. */
export async function newResetLink(server: TestServer, email: string): Promise<string> {
  const earlier = await server.mailTo(email);
  await call(server, accountEndpoints.requestPasswordReset, { body: { email } });
  return resetLink(server, email, earlier);
}

export const resetLink = (server: TestServer, email: string, earlier: readonly TestMail[] = []) =>
  linkIn(server, email, /Choose a new password/, paths.passwordReset(), earlier);

export const tokensFor = (server: TestServer, email: string) =>
  call(server, sessionEndpoints.login, { body: { email, password: PASSWORD } });

/** Asks for another address through the API. It waits for the links in two emails. */
export async function requestEmailChange(server: TestServer, as: string, email: string) {
  const { id } = (await tokensFor(server, as)).user;
  await call(server, accountEndpoints.update, { as, body: { email }, params: { id } });
}

/** A page without script. Others would notice changes in the storage, and might redirect. */
const QUIET_PAGE = '/robots.txt';

/** Stores tokens as a login does, without using the screen. */
export async function storeTokens(page: Page, tokens: { access: string; refresh: string }) {
  await page.goto(QUIET_PAGE);
  await page.evaluate(({ access, refresh }) => {
    localStorage.setItem('access_token', access);
    localStorage.setItem('refresh_token', refresh);
  }, tokens);
}

/** Signs in without using the screen, and opens a page. */
export async function signIn(page: Page, server: TestServer, email: string, path?: string) {
  await storeTokens(page, await tokensFor(server, email));
  if (path) await page.goto(path);
}

/** Sends a form whose session the server has ended, which the page does not know, and logs in again. */
export async function sendExpired(
  page: Page,
  server: TestServer,
  email: string,
  send: () => Promise<void>,
): Promise<void> {
  const refresh = sure(await page.evaluate(() => localStorage.getItem('refresh_token')));
  await call(server, sessionEndpoints.logout, { body: { refresh } });
  const leaves = page.waitForURL(paths.login({ expired: true }));
  await send();
  await leaves;
  await logIn(page, email);
}

/** What the browser keeps of forms that were not sent. */
export const draftKeys = (page: Page) =>
  page.evaluate(() => Object.keys(localStorage).filter((key) => key.includes('draft')));

/** Signs out without using the screen. */
export async function signOut(page: Page): Promise<void> {
  await page.goto(QUIET_PAGE);
  await page.evaluate(() => localStorage.clear());
}

/** Opens the profile of a new account. */
export async function openProfile(page: Page, server: TestServer): Promise<Signup> {
  const details = await signUp(server);
  await signIn(page, server, details.email);
  await page.goto(paths.profile());
  await expect(page.getByRole('heading', { name: 'My Account', level: 1 })).toBeVisible();
  return details;
}

/** The fields of the first step of the sign-up. */
export const signupFields = ({ email, first_name, last_name, npi, password }: Signup) => ({
  Email: email,
  'First name': first_name,
  'Last name': last_name,
  'NPI Number': npi,
  Password: password,
  'Confirm password': password,
});

/** Fills in the first step of the sign-up. */
export async function fillInSignup(page: Page, details: Signup): Promise<void> {
  // The login, which links here, has some of the same fields.
  await expect(page.getByRole('heading', { name: 'Join Curbside' })).toBeVisible();
  await fill(page, signupFields(details));
}

/** Signs up on the screen, up to the field for the code. */
export async function toCodeStep(page: Page, details = newDetails()): Promise<Signup> {
  await page.goto(paths.signup());
  await fillInSignup(page, details);
  await press(page, 'Sign up');
  await expect(page.getByText('Verification code sent to your email address')).toBeVisible();
  return details;
}

/** Fills in the login form and sends it. */
export async function logIn(page: Page, email: string, password = PASSWORD): Promise<void> {
  await fill(page, { Email: email, Password: password });
  await press(page, 'Sign in');
}

export const accessToken = (page: Page) =>
  page.evaluate(() => localStorage.getItem('access_token'));

/** Answers a call with an error: `page.route(url, refuse(502))`. */
export const refuse =
  (status: number, body: object = {}, headers: Record<string, string> = {}) =>
  (route: Route) =>
    route.fulfill({ status, json: body, headers });

export const TOO_OFTEN_TEXT = 'Rate limit exceeded. Please try again in 60 seconds.';
/** The server's answer over a limit (server/rate-limits/rate-limits.ts). */
const [detail, message, error] = Array(3).fill(TOO_OFTEN_TEXT);
export const TOO_OFTEN = refuse(
  429,
  { code: 'rate_limited', detail, message, error },
  { 'retry-after': '60' },
);

/** Asserts what the page's alert says about each failure of a call. */
export async function expectFailures(
  page: Page,
  url: string,
  send: () => Promise<void>,
  failures: readonly (readonly [fail: (route: Route) => Promise<void>, text: string])[],
  alert = page.getByRole('alert'),
): Promise<void> {
  for (const [fail, text] of failures) {
    await page.route(url, fail, { times: 1 });
    // Otherwise, the alert about the previous failure would do if its text is the same.
    const sent = page.waitForRequest(url);
    await send();
    await sent;
    await expect(alert).toHaveText(text);
  }
}

/** Delays a call until `release` is called, to check what is shown in the meantime. */
export async function hold(page: Page, url: string) {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await page.route(url, async (route) => {
    await released;
    await route.continue();
  });
  return { release };
}

/** On a phone whose clock stands still, follows a link that is slow to open, which must win. */
export async function browseSlowly(page: Page, meanwhileMs: number): Promise<void> {
  const { release } = await hold(page, '**/*');
  const browse = page
    .getByRole('navigation', { name: 'Tabs' })
    .getByRole('link', { name: 'Browse' });
  await browse.click();
  await expect(browse).toHaveAttribute('aria-current', 'page');
  await page.clock.runFor(meanwhileMs);
  release();
  await expect(page).toHaveURL(paths.reviews());
  await expect(page.getByRole('heading', { name: 'Reviews by practitioners' })).toBeVisible();
}
