import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { LOCK_MESSAGES } from '#contract/review-lock.ts';
import { buildTestApp, type TestApp } from '#server/testing/app.ts';
import { newEmployer, reviewOf } from '#server/testing/factories.ts';
import {
  bearer,
  newMember,
  PASSWORD,
  refusalOf,
  send,
  statusOf,
} from '../testing/account-flows.ts';
import { waitingForLocks } from '../testing/index-keys.ts';
import {
  askToLock,
  isLocked,
  lock,
  newPoster,
  onAnotherDevice,
  ownIds,
  post,
} from '../testing/locked-account.ts';

const vote = (server: TestApp, reviewId: string, member: Parameters<typeof ownIds>[1]) =>
  send(server, `/reviews/${reviewId}/helpful/`, {}, member);
const hex = (keys: readonly Buffer[]) => keys.map((key) => key.toString('hex'));

/** All author keys of reviews, votes, and reports in the database. */
async function storedKeys({ deps }: TestApp): Promise<string[]> {
  const { rows } = await deps.database.pool.query(`
    select encode(author_key, 'hex') as key from reviews
    union all select encode(voter_key, 'hex') from review_votes
    union all select encode(reporter_key, 'hex') from review_reports`);
  return rows.map(({ key }) => key);
}

test('no key of the server finds the reviews, votes, and reports of a locked account', async () => {
  await using server = await buildTestApp();
  const [member, other] = [await newPoster(server), await newPoster(server)];
  const own = await post(server, member);
  const others = await post(server, other);
  await vote(server, others.id, member);
  await send(server, `/reviews/${others.id}/report/`, { reason: 'other' }, member);
  const { keys } = server.deps;
  const named = hex([
    ...keys.authorKeys(member.id),
    ...keys.deedKeys('vote', member.id, others.id),
    ...keys.deedKeys('report', member.id, others.id),
  ]);
  expect(await storedKeys(server)).toEqual(expect.arrayContaining(named));

  const answer = await askToLock(server, member);
  expect([answer.statusCode, answer.json().message]).toEqual([200, LOCK_MESSAGES.locked]);
  const locked = { headers: bearer(answer.json().access) };
  const more = await post(server, locked);
  const stored = await storedKeys(server);
  expect(stored).toHaveLength(5);
  expect(stored.filter((key) => named.includes(key))).toEqual([]);
  const all = [own.id, others.id, more.id];
  const nameable = hex([
    ...keys.authorKeys(member.id),
    ...all.flatMap((id) => keys.deedKeys('vote', member.id, id)),
    ...all.flatMap((id) => keys.deedKeys('report', member.id, id)),
  ]);
  expect(stored.filter((key) => nameable.includes(key))).toEqual([]);
  // The keys of other authors are unchanged.
  expect(stored).toContain(keys.authorKey(other.id).toString('hex'));

  expect(await ownIds(server, locked)).toEqual([own.id, more.id].toSorted());
  const url = `/api/reviews/votes/?ids=${others.id},${own.id}`;
  const marks = await server.app.inject({ url, headers: locked.headers });
  expect(marks.json()).toEqual({
    own: [own.id],
    helpful: [others.id],
    not_helpful: [],
    reported: [others.id],
  });
});

test('a dump from before the lock does not lead to anything written after it', async () => {
  await using server = await buildTestApp();
  const member = await newPoster(server);
  const before = [await post(server, member), await post(server, member)];
  const locked = await lock(server, member);
  const after = await post(server, locked);
  const keyOf = async (id: string) =>
    (
      await server.deps.db
        .selectFrom('reviews')
        .select('author_key')
        .where('id', '=', id)
        .executeTakeFirstOrThrow()
    ).author_key.toString('hex');
  const [first, second] = await Promise.all(before.map(({ id }) => keyOf(id)));
  expect(first).toBe(second);
  expect(await keyOf(after.id)).not.toBe(first);
  // After unlocking and locking again, all of them count as written before the lock.
  const unlocked = await send(server, '/auth/reviews/unlock/', { password: PASSWORD }, locked);
  const again = await lock(server, { headers: bearer(unlocked.json().access) });
  expect(await keyOf(after.id)).toBe(await keyOf(before[0]?.id ?? ''));
  expect(await ownIds(server, again)).toHaveLength(3);
});

test('everything works as before, on every device', async () => {
  await using server = await buildTestApp();
  const member = await newPoster(server);
  const employer = await newEmployer(server);
  const review = await post(server, member, employer);
  const here = await lock(server, member);
  const there = await onAnotherDevice(server, member);
  expect([await isLocked(server, here), await isLocked(server, there)]).toEqual([true, true]);
  for (const device of [here, there]) {
    expect(await ownIds(server, device)).toEqual([review.id]);
    const again = await send(server, '/reviews/', reviewOf(employer), device);
    expect(again.json()).toMatchObject({ code: 'duplicate_review', review_id: review.id });
    expect((await vote(server, review.id, device)).json()).toMatchObject({ code: 'own_review' });
    const change = reviewOf(employer, { review_text: 'Fewer nights by now.' });
    const url = `/api/reviews/${review.id}/`;
    const { headers } = device;
    const edited = await server.app.inject({ method: 'PATCH', url, headers, payload: change });
    expect(edited.statusCode).toBe(200);
    const data = await server.app.inject({ url: '/api/auth/export/', headers });
    expect(data.json().reviews).toMatchObject([{ id: review.id }]);
  }
  // A refreshed session still has the secret.
  const refreshed = await send(server, '/auth/token/refresh/', { refresh: there.refresh });
  expect(await ownIds(server, { headers: bearer(refreshed.json().access) })).toEqual([review.id]);
  const removal = { password: PASSWORD, reviews: 'delete' };
  expect((await send(server, '/auth/delete-account/', removal, here)).statusCode).toBe(200);
  expect(await storedKeys(server)).toEqual([]);
});

test('locking and unlocking end all sessions, because their tokens contain the previous author', async () => {
  await using server = await buildTestApp();
  const member = await newPoster(server);
  const other = await onAnotherDevice(server, member);
  const locked = await lock(server, member);
  for (const { access } of [member, other]) expect(await statusOf(server, access)).toBe(401);
  const second = await onAnotherDevice(server, member);
  const review = await post(server, second);

  const answer = await send(server, '/auth/reviews/unlock/', { password: PASSWORD }, locked);
  expect([answer.statusCode, answer.json().message]).toEqual([200, LOCK_MESSAGES.unlocked]);
  for (const { access } of [locked, second]) expect(await statusOf(server, access)).toBe(401);
  const unlocked = { headers: bearer(answer.json().access) };
  expect(await isLocked(server, unlocked)).toBe(false);
  expect(await ownIds(server, unlocked)).toEqual([review.id]);
  expect(await storedKeys(server)).toEqual(hex(server.deps.keys.authorKeys(member.id)));
});

test('a request in progress writes nothing under the earlier keys', async () => {
  await using server = await buildTestApp();
  const member = await newPoster(server);
  const first = await post(server, member);
  const employers = [];
  for (let at = 0; at < 6; at += 1) employers.push(await newEmployer(server));
  const [locking, ...answers] = await Promise.all([
    askToLock(server, member),
    ...employers.map((employer) => send(server, '/reviews/', reviewOf(employer), member)),
    send(server, `/reviews/${first.id}/report/`, { reason: 'other' }, member),
  ]);
  expect(locking?.statusCode).toBe(200);
  const posted = answers.filter(({ statusCode }) => statusCode === 201);
  const refused = answers.filter(({ statusCode }) => statusCode !== 201);
  for (const answer of refused) expect([401, 403]).toContain(answer.statusCode);
  const locked = { headers: bearer(locking?.json().access) };
  expect(await ownIds(server, locked)).toHaveLength(posted.length + 1);
  const named = hex(server.deps.keys.authorKeys(member.id));
  expect((await storedKeys(server)).filter((key) => named.includes(key))).toEqual([]);
});

test('two simultaneous lock requests leave one secret, which the last recovery code restores', async () => {
  await using server = await buildTestApp();
  const member = await newPoster(server);
  const review = await post(server, member);
  const { db } = server.deps.database.background;
  // Otherwise the first may end the session before the second request is authenticated.
  const { asked } = await db.transaction().execute(async (trx) => {
    await sql`select from users where id = ${member.id} for update`.execute(trx);
    const asked = Promise.all([askToLock(server, member), askToLock(server, member)]);
    await expect.poll(() => waitingForLocks(db)).toBe(2);
    return { asked };
  });
  const answers = await asked;
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200]);
  expect(answers.map((answer) => answer.json().message).toSorted()).toEqual(
    [LOCK_MESSAGES.locked, LOCK_MESSAGES.codeReplaced].toSorted(),
  );
  const again = await onAnotherDevice(server, member);
  expect(await ownIds(server, again)).toEqual([review.id]);
});

test('requires a login, the password, and a complete recovery code', async () => {
  await using server = await buildTestApp({ config: { rateLimitFactor: 0.1 } });
  const member = await newMember(server);
  const wrong = await askToLock(server, member, { password: 'Wrong-password-1' });
  expect(refusalOf(wrong)).toMatchObject({
    status: 400,
    errors: { password: ['Incorrect password.'] },
  });
  for (const [recovery_code, message] of [
    ['', 'Recovery code is required'],
    ['7K2MD', 'A recovery code has 25 letters and digits. Please check what you typed.'],
    ['U'.repeat(25), 'A recovery code has 25 letters and digits. Please check what you typed.'],
  ]) {
    const answer = await askToLock(server, member, { recovery_code: recovery_code ?? '' });
    expect(refusalOf(answer)).toMatchObject({ status: 400, errors: { recovery_code: [message] } });
  }
  const stranger = await send(server, '/auth/reviews/lock/', {});
  expect(stranger.statusCode).toBe(401);
  expect(await isLocked(server, member)).toBe(false);
});

test('locking is rate-limited, so that nobody can force endless rewrites', async () => {
  await using server = await buildTestApp({ config: { rateLimitFactor: 0.2 } });
  const member = await newPoster(server);
  const locked = await lock(server, member);
  const unlocked = await send(server, '/auth/reviews/unlock/', { password: PASSWORD }, locked);
  const third = await askToLock(server, { headers: bearer(unlocked.json().access) });
  expect(third.statusCode).toBe(429);
});

test('no column shows whether an account is locked', async () => {
  await using server = await buildTestApp();
  const [member, open] = [await newPoster(server), await newPoster(server)];
  await lock(server, member);
  const rows = await server.deps.db.selectFrom('users').selectAll().execute();
  const shapes = rows.map((row) =>
    Object.entries(row).map(([name, value]) => [
      name,
      Buffer.isBuffer(value) ? value.length : typeof value,
    ]),
  );
  expect(rows.map(({ id }) => id).toSorted()).toEqual([member.id, open.id].toSorted());
  expect(shapes[0]).toEqual(shapes[1]);
});

test('several locks within minutes share one rewrite', async () => {
  await using server = await buildTestApp();
  for (const member of [await newPoster(server), await newPoster(server)]) {
    await lock(server, await lock(server, member));
  }
  const { rows } = await server.deps.database.pool.query(
    "select extract(epoch from start_after - now()) as wait from pgboss.job where name = 'rewrite'",
  );
  // Two if a time slot ended in between.
  expect([1, 2]).toContain(rows.length);
  for (const { wait } of rows) expect(Number(wait)).toBeGreaterThan(300);
});
