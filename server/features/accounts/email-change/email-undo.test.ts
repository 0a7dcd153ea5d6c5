import { expect, test } from 'vitest';
import { sealingKeysInUse } from '#server/db/sealing-keys-in-use.ts';
import { buildTestApp, type TestApp } from '#server/testing/app.ts';
import { newEmail } from '#server/testing/factories.ts';
import {
  bearer,
  codeFor,
  lastMail,
  linkFor,
  logIn,
  type Member,
  NEW_PASSWORD,
  newDetails,
  newMember,
  PASSWORD,
  refusalOf,
  send,
  statusOf,
} from '../testing/account-flows.ts';

const DAY_MS = 86_400_000;
const BAD_LINK = {
  status: 400,
  code: 'invalid_email_link',
  detail: 'This link is invalid or has expired.',
};
const UNDONE = 'The change has been undone. Your previous email address is in use again.';
const STOPPED = 'The change has been stopped. Your email address stays as it is.';

const wait = (server: TestApp, days: number) => {
  server.time.now = new Date(server.time.now.getTime() + days * DAY_MS);
};
const ask = async (server: TestApp, { id, headers }: Pick<Member, 'id' | 'headers'>, to: string) =>
  send(server, `/users/${id}/`, { email: to, password: PASSWORD }, { headers, method: 'PATCH' });
const confirm = (server: TestApp, link: object) => send(server, '/auth/email/confirm/', link);
const undo = (server: TestApp, link: object) => send(server, '/auth/email/stop/', link);
const undoLink = (server: TestApp, to: string) => linkFor(server, to, '/stop-email-change');

/** Signs in with one address and changes to another. Returns the undo link sent to the first. */
async function move(server: TestApp, { id }: Pick<Member, 'id'>, from: string, to: string) {
  const { access } = (await logIn(server, from, PASSWORD)).json();
  expect((await ask(server, { id, headers: bearer(access) }, to)).statusCode).toBe(200);
  expect((await confirm(server, await linkFor(server, to, '/confirm-email'))).statusCode).toBe(200);
  return undoLink(server, from);
}

async function addressOf({ deps, ...server }: TestApp, candidates: string[]) {
  const found: string[] = [];
  for (const email of candidates) {
    const login = await logIn({ deps, ...server }, email, PASSWORD);
    if (login.statusCode === 200) found.push(email);
  }
  return found;
}
const rowsOf = ({ deps }: TestApp) => deps.db.selectFrom('email_undos').selectAll().execute();

test('the old mailbox undoes a confirmed change, and ends all sessions', async () => {
  await using server = await buildTestApp();
  const member = await newMember(server);
  const email = newEmail();
  const link = await move(server, member, member.email, email);
  const elsewhere = (await logIn(server, email, PASSWORD)).json();
  await send(server, '/auth/password/reset/', { email });
  const reset = await linkFor(server, email, '/password-reset');

  const answer = await undo(server, link);
  expect([answer.statusCode, answer.json()]).toEqual([200, { message: UNDONE }]);
  expect(await statusOf(server, member.access)).toBe(401);
  expect(await statusOf(server, elsewhere.access)).toBe(401);
  const url = '/api/auth/password/reset/validate/';
  expect((await server.app.inject({ url, query: reset })).statusCode).toBe(400);
  // The owner set the current password, so it stays.
  expect(await addressOf(server, [member.email, email])).toEqual([member.email]);
  const told = await lastMail(server, email);
  expect(told.text).toContain('Your email address was changed back');
  expect(told.text).not.toContain('token=');

  expect(refusalOf(await undo(server, link))).toEqual(BAD_LINK);
  expect(await rowsOf(server)).toEqual([]);
});

test('works for 7 days after the confirmation, whenever that was', async () => {
  await using server = await buildTestApp();
  const members = [await newMember(server), await newMember(server)] as const;
  const links: Awaited<ReturnType<typeof undoLink>>[] = [];
  for (const member of members) {
    const email = newEmail();
    await ask(server, member, email);
    links.push(await undoLink(server, member.email));
    wait(server, 0.99);
    const waiting = await linkFor(server, email, '/confirm-email');
    expect((await confirm(server, waiting)).statusCode).toBe(200);
    wait(server, -0.99);
  }
  const [soon = { token: '' }, late = { token: '' }] = links;
  wait(server, 0.99 + 7);
  expect((await undo(server, soon)).json()).toEqual({ message: UNDONE });
  // The expiry is rounded to a day.
  wait(server, 1);
  expect(refusalOf(await undo(server, late))).toEqual(BAD_LINK);
});

test('the same link stops the change before it is confirmed', async () => {
  await using server = await buildTestApp();
  const member = await newMember(server);
  await ask(server, member, newEmail());
  const answer = await undo(server, await undoLink(server, member.email));
  expect([answer.statusCode, answer.json()]).toEqual([200, { message: STOPPED }]);
  expect(await statusOf(server, member.access)).toBe(401);
  expect(await addressOf(server, [member.email])).toEqual([member.email]);
});

test('the notice says what its link does, for how long, and that it signs out everywhere', async () => {
  await using server = await buildTestApp();
  const member = await newMember(server);
  await ask(server, member, newEmail());
  const text = (await lastMail(server, member.email)).text.replaceAll(/\s+/g, ' ');
  expect(text).toContain(
    'It stops the change. If the change has already been made, the link undoes it for up to 7 days.',
  );
  expect(text).toContain('Either way, it signs out every device.');
});

test('a newer change leaves the links of earlier addresses valid', async () => {
  await using server = await buildTestApp();
  const member = await newMember(server);
  const [first, second, third] = [newEmail(), newEmail(), newEmail()];
  await ask(server, member, first);
  const earliest = await undoLink(server, member.email);
  await ask(server, member, second);
  const later = await undoLink(server, member.email);
  await confirm(server, await linkFor(server, second, '/confirm-email'));
  const theirs = await move(server, member, second, third);

  wait(server, 6);
  expect((await undo(server, earliest)).json()).toEqual({ message: UNDONE });
  for (const link of [later, theirs]) expect(refusalOf(await undo(server, link))).toEqual(BAD_LINK);
  expect(await addressOf(server, [member.email, first, second, third])).toEqual([member.email]);
});

test('of several addresses, the earliest one wins', async () => {
  await using server = await buildTestApp();
  const member = await newMember(server);
  const [first, second] = [newEmail(), newEmail()];
  const owners = await move(server, member, member.email, first);
  const theirs = await move(server, member, first, second);
  expect((await undo(server, theirs)).statusCode).toBe(200);
  expect(await addressOf(server, [member.email, first, second])).toEqual([first]);
  const again = await move(server, member, first, second);
  expect((await undo(server, owners)).statusCode).toBe(200);
  expect(refusalOf(await undo(server, again))).toEqual(BAD_LINK);
  expect(await addressOf(server, [member.email, first, second])).toEqual([member.email]);
});

test('an owner who returns by another email change invalidates all old links', async () => {
  await using server = await buildTestApp();
  const member = await newMember(server);
  const [first, second] = [newEmail(), newEmail()];
  await move(server, member, member.email, first);
  const theirs = await move(server, member, first, member.email);
  expect(refusalOf(await undo(server, theirs))).toEqual(BAD_LINK);
  const link = await move(server, member, member.email, second);
  expect(refusalOf(await undo(server, theirs))).toEqual(BAD_LINK);
  expect((await undo(server, link)).statusCode).toBe(200);
  expect(await addressOf(server, [member.email, first, second])).toEqual([member.email]);
});

test('invalidates a password that was set after the change was requested', async () => {
  await using server = await buildTestApp();
  const member = await newMember(server);
  const email = newEmail();
  const link = await move(server, member, member.email, email);
  const { access } = (await logIn(server, email, PASSWORD)).json();
  const change = { current_password: PASSWORD, new_password: NEW_PASSWORD };
  await send(server, '/auth/password/change/', change, { headers: bearer(access) });
  expect((await undo(server, link)).statusCode).toBe(200);
  for (const password of [PASSWORD, NEW_PASSWORD]) {
    expect((await logIn(server, member.email, password)).statusCode).toBe(401);
  }
  await send(server, '/auth/password/reset/', { email: member.email });
  const reset = await linkFor(server, member.email, '/password-reset');
  const chosen = { ...reset, new_password: 'Third-Stethoscope-3' };
  expect((await send(server, '/auth/password/reset/confirm/', chosen)).statusCode).toBe(200);
  expect((await logIn(server, member.email, 'Third-Stethoscope-3')).statusCode).toBe(200);
});

test('nobody else can take the old address while the change can be undone', async () => {
  await using server = await buildTestApp();
  const [member, other] = [await newMember(server), await newMember(server)];
  const link = await move(server, member, member.email, newEmail());

  const details = newDetails({ email: member.email.toUpperCase() });
  const free = newDetails();
  const register = (payload: object) => send(server, '/auth/register/', payload);
  const answers = [
    await register({ action: 'create_account', ...details }),
    await register({ action: 'create_account', ...free }),
  ];
  expect(answers.map(({ statusCode, body }) => [statusCode, body])).toEqual(
    Array(2).fill([200, answers[1]?.body]),
  );
  const told = await lastMail(server, details.email);
  expect(told.text).toContain('until a few days ago');
  expect(told.text).not.toMatch(/\b\d{6}\b/);

  expect((await ask(server, other, member.email)).json().pending_email).toBe(member.email);
  const offered = await lastMail(server, member.email);
  expect(offered.text).toContain('until a few days ago');
  expect(offered.text).not.toContain('token=');

  expect((await undo(server, link)).statusCode).toBe(200);
  expect(await addressOf(server, [member.email])).toEqual([member.email]);
});

test('a code sent before the address was reserved creates no account', async () => {
  await using server = await buildTestApp();
  const member = await newMember(server);
  const details = newDetails({ email: newEmail() });
  await send(server, '/auth/register/', { action: 'create_account', ...details });
  const otp_code = await codeFor(server, details.email);
  // Changes to the address, and then to another one.
  await move(server, member, member.email, details.email);
  const link = await move(server, member, details.email, newEmail());
  const verify = { action: 'verify_otp', ...details, otp_code };
  expect(refusalOf(await send(server, '/auth/register/', verify)).code).toBe('invalid_code');
  expect((await undo(server, link)).statusCode).toBe(200);
});

test('after 7 days the old address is free', async () => {
  await using server = await buildTestApp();
  const member = await newMember(server);
  await move(server, member, member.email, newEmail());
  wait(server, 8);
  const again = await newMember(server, { email: member.email });
  expect(again.id).not.toBe(member.id);
});

test('two people who open the link at the same time undo the change once', async () => {
  await using server = await buildTestApp();
  const member = await newMember(server);
  const link = await move(server, member, member.email, newEmail());
  const answers = await Promise.all([undo(server, link), undo(server, link), undo(server, link)]);
  expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 400, 400]);
  expect(await addressOf(server, [member.email])).toEqual([member.email]);
});

test('when the change is undone and confirmed at the same time, the account keeps the old address', async () => {
  await using server = await buildTestApp();
  for (let round = 0; round < 5; round += 1) {
    const member = await newMember(server);
    const email = newEmail();
    await ask(server, member, email);
    const back = await undoLink(server, member.email);
    const onward = await linkFor(server, email, '/confirm-email');
    const [undone] = await Promise.all([undo(server, back), confirm(server, onward)]);
    expect(undone.statusCode).toBe(200);
    expect(refusalOf(await confirm(server, onward))).toEqual(BAD_LINK);
    expect(await addressOf(server, [member.email, email])).toEqual([member.email]);
  }
});

test('when the change is undone while a thief requests another one, no change stays pending', async () => {
  await using server = await buildTestApp();
  const member = await newMember(server);
  const email = newEmail();
  const link = await move(server, member, member.email, email);
  const { access } = (await logIn(server, email, PASSWORD)).json();
  const thief = { id: member.id, headers: bearer(access) };
  await Promise.all([
    undo(server, link),
    ...Array.from({ length: 5 }, () => ask(server, thief, newEmail())),
  ]);
  const { user } = (await logIn(server, member.email, PASSWORD)).json();
  expect(user).toMatchObject({ email: member.email, pending_email: null });
});

test('a stored link reveals no address, account, or time, and is deleted on time', async () => {
  await using server = await buildTestApp();
  const member = await newMember(server);
  await move(server, member, member.email, newEmail());
  const [row] = await rowsOf(server);
  const end = new Date(server.time.now.getTime() + 8 * DAY_MS).toISOString().slice(0, 10);
  expect(row?.expires_on).toBe(end);
  expect(row?.sealed.length).toBeLessThan(300);
  for (const key of [row?.token_hash, row?.account_key, row?.address_key]) {
    expect(key).toHaveLength(32);
  }
  expect(await sealingKeysInUse(server.deps.db)).toEqual(new Set(['k1']));
  const { rows } = await server.deps.database.pool.query(
    'select from email_changes join email_undos using (account_key)',
  );
  expect(rows).toEqual([]);

  const retain = async () => {
    await server.deps.jobs.enqueue(server.deps.db, 'retention', {});
    await server.jobs.idle();
    return (await rowsOf(server)).length;
  };
  wait(server, 7);
  expect(await retain()).toBe(1);
  wait(server, 1);
  expect(await retain()).toBe(0);
});

test('a change that nobody confirms leaves nothing behind', async () => {
  await using server = await buildTestApp();
  const member = await newMember(server);
  await ask(server, member, newEmail());
  expect(await rowsOf(server)).toHaveLength(1);
  wait(server, 2);
  await server.deps.jobs.enqueue(server.deps.db, 'retention', {});
  await server.jobs.idle();
  expect(await rowsOf(server)).toEqual([]);
});

test('deleting the account deletes its links, and mail queued for old addresses', async () => {
  await using server = await buildTestApp();
  const { deps } = server;
  const member = await newMember(server);
  const email = newEmail();
  const link = await move(server, member, member.email, email);
  const mail = { to: member.email, template: 'verified', props: {} } as const;
  await deps.jobs.enqueue(deps.db, 'send-mail', mail, { startAfterSeconds: 3600 });
  const { access } = (await logIn(server, email, PASSWORD)).json();
  const deletion = { password: PASSWORD, reviews: 'delete' };
  await send(server, '/auth/delete-account/', deletion, { headers: bearer(access) });
  expect(await rowsOf(server)).toEqual([]);
  const jobs = await deps.database.pool.query("select from pgboss.job where name = 'send-mail'");
  expect(jobs.rowCount).toBe(0);
  expect(refusalOf(await undo(server, link))).toEqual(BAD_LINK);
  // The address is free again.
  await newMember(server, { email: member.email });
});
