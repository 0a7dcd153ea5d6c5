import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { curbside } from '#server/cli/testing/curbside.ts';
import { buildTestApp, TEST_CONFIG, type TestApp } from '#server/testing/app.ts';
import {
  linkFor,
  logIn,
  NEW_PASSWORD,
  newMember,
  PASSWORD,
  send,
} from '../testing/account-flows.ts';
import {
  isLocked,
  lock,
  newPoster,
  onAnotherDevice,
  ownIds,
  post,
} from '../testing/locked-account.ts';
import { openAuthorSalt } from './author-salt.ts';

const [current, before, lost] = [randomBytes(32), randomBytes(32), randomBytes(32)];

/** Secrets with these authorship keys. */
const under = (...authorship: Buffer[]) => ({ ...TEST_CONFIG.secrets, authorship });

async function epochOf({ deps }: TestApp, { id }: { id: string }): Promise<string> {
  const { author_salt } = await deps.db
    .selectFrom('users')
    .select('author_salt')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return openAuthorSalt(deps.keys, id, author_salt).epoch;
}

test('a lost authorship key locks nobody out whose reviews are not locked', async () => {
  await using server = await buildTestApp({ config: { secrets: under(current, before) } });
  server.deps.keys.replace(under(lost));
  const member = await newPoster(server);
  server.deps.keys.replace(under(current, before));
  expect((await logIn(server, member.email, PASSWORD)).statusCode).toBe(200);
  expect(await curbside(server, ['authorship', 'rotate'])).toMatchObject({ code: 0 });
  // Locking creates a new salt.
  const locked = await lock(server, member);
  const review = await post(server, locked);
  const again = await onAnotherDevice(server, locked);
  expect([await isLocked(server, again), await ownIds(server, again)]).toEqual([true, [review.id]]);
});

test('with a lost authorship key, a password reset lets in an author with locked reviews', async () => {
  await using server = await buildTestApp({ config: { secrets: under(current) } });
  server.deps.keys.replace(under(lost));
  const member = await lock(server, await newPoster(server));
  server.deps.keys.replace(under(current));
  // A session must not write as an unlocked author without the user's knowledge.
  expect((await logIn(server, member.email, PASSWORD)).statusCode).toBe(500);
  await send(server, '/auth/password/reset/', { email: member.email });
  const link = await linkFor(server, member.email, '/password-reset');
  await send(server, '/auth/password/reset/confirm/', { ...link, new_password: NEW_PASSWORD });
  expect((await logIn(server, member.email, NEW_PASSWORD)).statusCode).toBe(200);
});

test('after a rotation, no salt shows whose reviews are locked', async () => {
  await using server = await buildTestApp({ config: { secrets: under(before) } });
  const members = [await lock(server, await newPoster(server)), await newMember(server)];
  server.deps.keys.replace(under(current, before));
  const [{ id: epoch }] = server.deps.keys.authorSalts;
  for (const member of members) {
    expect(await epochOf(server, member)).not.toBe(epoch);
    await onAnotherDevice(server, member);
    expect(await epochOf(server, member)).toBe(epoch);
  }
});
