import { expect, test } from 'vitest';
import { newRecoveryCode } from '#contract/recovery-code.ts';
import { buildTestApp, type TestApp } from '#server/testing/app.ts';
import { newEmployer } from '#server/testing/factories.ts';
import {
  bearer,
  linkFor,
  type Member,
  NEW_PASSWORD,
  newMember,
  PASSWORD,
  refusalOf,
  send,
  statusOf,
} from '../testing/account-flows.ts';
import {
  isLocked,
  lock,
  newPoster,
  onAnotherDevice,
  ownIds,
  post,
} from '../testing/locked-account.ts';

/** Resets the password to `NEW_PASSWORD` with the link from the mail. */
async function reset(
  server: TestApp,
  { email }: Pick<Member, 'email'>,
  { recovery_code, from }: { recovery_code?: string; from?: Pick<Member, 'headers'> } = {},
) {
  await send(server, '/auth/password/reset/', { email });
  const link = await linkFor(server, email, '/password-reset');
  const body = { ...link, new_password: NEW_PASSWORD, ...(recovery_code && { recovery_code }) };
  return send(server, '/auth/password/reset/confirm/', body, from);
}

async function lockedAuthor(server: TestApp) {
  const member = await newPoster(server);
  const employer = await newEmployer(server);
  const review = await post(server, member, employer);
  return { member: await lock(server, member), review, employer };
}
const publicStatus = async ({ app }: TestApp, id: string) =>
  (await app.inject({ url: `/api/reviews/${id}/` })).statusCode;

test('the new password unwraps the same secret', async () => {
  await using server = await buildTestApp();
  const { member, review } = await lockedAuthor(server);
  const change = { current_password: PASSWORD, new_password: NEW_PASSWORD };
  expect((await send(server, '/auth/password/change/', change, member)).statusCode).toBe(200);
  expect(await ownIds(server, member)).toEqual([review.id]);
  const again = await onAnotherDevice(server, member, NEW_PASSWORD);
  expect([await isLocked(server, again), await ownIds(server, again)]).toEqual([true, [review.id]]);
});

test('a reset from a browser that is still signed in keeps the reviews', async () => {
  await using server = await buildTestApp();
  const { member, review } = await lockedAuthor(server);
  expect((await reset(server, member, { from: member })).statusCode).toBe(200);
  expect(await statusOf(server, member.access)).toBe(401);
  const again = await onAnotherDevice(server, member, NEW_PASSWORD);
  expect([await isLocked(server, again), await ownIds(server, again)]).toEqual([true, [review.id]]);
});

test('a reset elsewhere with the recovery code keeps the reviews, and the code', async () => {
  await using server = await buildTestApp();
  const { member, review } = await lockedAuthor(server);
  // As typed from paper.
  const typed = member.code.toLowerCase().replaceAll('-', ' ').replaceAll('0', 'o');
  expect((await reset(server, member, { recovery_code: typed })).statusCode).toBe(200);
  const again = await onAnotherDevice(server, member, NEW_PASSWORD);
  expect([await isLocked(server, again), await ownIds(server, again)]).toEqual([true, [review.id]]);
  expect((await reset(server, member, { recovery_code: member.code })).statusCode).toBe(200);
  const third = await onAnotherDevice(server, member, NEW_PASSWORD);
  expect(await ownIds(server, third)).toEqual([review.id]);
});

test('a wrong recovery code changes nothing, and the link stays valid', async () => {
  await using server = await buildTestApp();
  const [{ member, review }, open] = [await lockedAuthor(server), await newMember(server)];
  for (const account of [member, open]) {
    const refused = await reset(server, account, { recovery_code: newRecoveryCode() });
    expect(refusalOf(refused)).toMatchObject({
      status: 400,
      errors: { recovery_code: ['This recovery code does not fit your account.'] },
    });
  }
  expect(await ownIds(server, member)).toEqual([review.id]);
  const link = await linkFor(server, member.email, '/password-reset');
  const body = { ...link, new_password: NEW_PASSWORD, recovery_code: member.code };
  expect((await send(server, '/auth/password/reset/confirm/', body)).statusCode).toBe(200);
});

test('a reset elsewhere without the code leaves the reviews public and without an owner', async () => {
  await using server = await buildTestApp();
  const { member, review } = await lockedAuthor(server);
  // Browsers of another account, and signed-out ones, do not have this account's secret.
  const stranger = (await lockedAuthor(server)).member;
  expect((await reset(server, member, { from: stranger })).statusCode).toBe(200);
  const again = await onAnotherDevice(server, member, NEW_PASSWORD);
  expect([await isLocked(server, again), await ownIds(server, again)]).toEqual([false, []]);
  expect(await publicStatus(server, review.id)).toBe(200);
});

test('a code that is found later restores the old reviews next to newer ones', async () => {
  await using server = await buildTestApp();
  const { member, review, employer } = await lockedAuthor(server);
  await reset(server, member);
  const again = await onAnotherDevice(server, member, NEW_PASSWORD);
  const since = await post(server, again);
  // A second review of the same job, because the first one has no owner.
  const double = await post(server, again, employer);
  expect((await reset(server, member, { recovery_code: member.code })).statusCode).toBe(200);
  const third = await onAnotherDevice(server, member, NEW_PASSWORD);
  expect(await ownIds(server, third)).toEqual([review.id, since.id].toSorted());
  expect(await publicStatus(server, double.id)).toBe(200);
});

test('a new recovery code replaces the old one', async () => {
  await using server = await buildTestApp();
  const { member, review } = await lockedAuthor(server);
  const renewed = await lock(server, member);
  expect((await reset(server, member, { recovery_code: member.code })).statusCode).toBe(400);
  expect((await reset(server, member, { recovery_code: renewed.code })).statusCode).toBe(200);
  const again = await onAnotherDevice(server, member, NEW_PASSWORD);
  expect(await ownIds(server, again)).toEqual([review.id]);
});

test('an ended session keeps no reviews through a reset', async () => {
  await using server = await buildTestApp();
  const { member } = await lockedAuthor(server);
  await send(server, '/auth/logout/', { refresh: member.refresh });
  expect(
    (await reset(server, member, { from: { headers: bearer(member.access) } })).statusCode,
  ).toBe(200);
  const again = await onAnotherDevice(server, member, NEW_PASSWORD);
  expect(await isLocked(server, again)).toBe(false);
});
