import { expect, test } from 'vitest';
import type { Tokens } from '#contract/accounts/accounts.ts';
import { newRecoveryCode, readPaperCode } from '#contract/accounts/recovery-code.ts';
import type { Endpoint } from '#contract/endpoint.ts';
import { accountEndpoints } from '#contract/endpoints/account.ts';
import { feedbackEndpoints } from '#contract/endpoints/feedback.ts';
import { reviewEndpoints } from '#contract/endpoints/reviews.ts';
import { sessionEndpoints } from '#contract/endpoints/session.ts';
import { reviewOf } from '#server/testing/factories.ts';
import { invalid, newSite, type Reply, type Site } from '#server/testing/site.ts';
import { readAccessToken } from '../session/tokens.ts';
import { deviceOf, linkFor, NEW_PASSWORD, newDevice, PASSWORD } from '../testing/account-flows.ts';
import { newPoster } from '../testing/locked-account.ts';
import { findTraces, readEverything } from '../testing/traces.ts';

/** A secret in every form in which it might be stored. */
const formsOf = (secret: Buffer) => [
  secret.toString('latin1'),
  secret.toString('hex'),
  secret.toString('base64'),
  secret.toString('base64url'),
  // As in JSON, and as in a log.
  [...secret].join(','),
  [...secret].map((byte) => byte.toString(16).padStart(2, '0')).join(' '),
];

/** Every flow of a locked account. Returns its secrets and recovery codes. */
async function live(site: Site, look: () => Promise<void>) {
  const secrets = new Map<string, Buffer>();
  const codes = Array.from({ length: 4 }, newRecoveryCode);
  const [first = '', replaced = '', wrong = '', last = ''] = codes;
  const looking = async <E extends Endpoint>(reply: Promise<Reply<E>>) => {
    await reply;
    await look();
    await site.jobs.idle();
    await look();
    return reply;
  };
  /** The device that got these tokens, which may contain the secret. */
  const hold = async (tokens: Tokens) => {
    const secret = (await readAccessToken(site.deps, tokens.access))?.authorSecret;
    if (secret) secrets.set(secret.toString('hex'), secret);
    return deviceOf(tokens);
  };
  const member = await newPoster(site);
  let device = await hold(member);
  const lock = async (recovery_code: string) => {
    const body = { password: PASSWORD, recovery_code };
    const reply = await looking(site.as(device).post(accountEndpoints.lockReviews, body));
    device = await hold(reply.body);
  };
  const write = async (fields = {}) => {
    const review = reviewOf(await site.employer(), fields);
    expect((await looking(site.as(device).post(reviewEndpoints.create, review))).status).toBe(201);
  };
  const report = (id: string, body: object) =>
    looking(site.as(device).post(feedbackEndpoints.report, invalid(body), { params: { id } }));

  const others = await site.review();
  await write();
  await lock(first);
  const { refresh } = device;
  await lock(replaced.toLowerCase());
  await write();
  await write({ publish: 'later' });
  expect((await report('not-an-id', { reason: first, note: replaced })).status).toBe(400);
  expect((await report(others.id, { reason: 'other' })).status).toBe(200);
  // The second lock has ended this session.
  await looking(site.visitor().post(sessionEndpoints.refresh, { refresh }));
  const change = { current_password: PASSWORD, new_password: NEW_PASSWORD };
  const changed = site.as(device).post(accountEndpoints.changePassword, change);
  expect((await looking(changed)).status).toBe(200);

  const { email } = member;
  await looking(site.visitor().post(accountEndpoints.requestPasswordReset, { email }));
  const reset = { ...(await linkFor(site, email, '/password-reset')), new_password: PASSWORD };
  const confirm = (recovery_code: string) =>
    looking(site.visitor().post(accountEndpoints.resetPassword, { ...reset, recovery_code }));
  expect((await confirm(wrong)).status).toBe(400);
  expect((await confirm(readPaperCode(replaced))).status).toBe(200);
  device = await hold(await newDevice(site, email));
  await look();
  await write();
  expect(secrets.size).toBe(1);
  const unlocking = site.as(device).post(accountEndpoints.unlockReviews, { password: PASSWORD });
  device = await hold((await looking(unlocking)).body);
  await lock(last);
  return { secrets: [...secrets.values()], codes };
}

test('no author secret or recovery code appears in the database, a job, a log, or a mail', {
  timeout: 120_000,
}, async () => {
  const lines: string[] = [];
  const config = { logLevel: 'trace' } as const;
  const site = await newSite({ config, logTo: (line) => lines.push(line) });
  const { pool } = site.deps.database;
  const seen: string[] = [];
  const look = async () => void seen.push(...(await readEverything(pool)));
  const { secrets, codes } = await live(site, look);
  expect([secrets.length, codes.length]).toEqual([2, 4]);
  const markers = [...secrets.flatMap(formsOf), ...codes, ...codes.map(readPaperCode)];
  const mails = site.mail.map((message) => JSON.stringify(message));
  for (const texts of [seen, lines, mails]) {
    expect(texts.length).toBeGreaterThan(1);
    expect(findTraces(texts, markers)).toEqual([]);
  }

  // The same search finds a secret that is stored unwrapped.
  const [secret = Buffer.alloc(0)] = secrets;
  const unwrapped = Buffer.concat([Buffer.alloc(28), secret]);
  await pool.query('update users set author_secret = $1', [unwrapped]);
  expect(findTraces(await readEverything(pool), markers)).not.toEqual([]);
});
