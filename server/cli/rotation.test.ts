import { randomBytes } from 'node:crypto';
import { statSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { Review } from '#contract/reviews.ts';
import { openAuthor } from '#server/anonymity/author.ts';
import { sealedWith } from '#server/anonymity/seal.ts';
import { send } from '#server/features/accounts/testing/account-flows.ts';
import {
  lock,
  newPoster,
  post as newReview,
  onAnotherDevice,
  ownIds as ownReviewIds,
} from '#server/features/accounts/testing/locked-account.ts';
import { leaveReviews } from '#server/features/reviews/service.ts';
import { storedSecrets } from '#server/stored-secrets.ts';
import { buildTestApp, type TestApp } from '#server/testing/app.ts';
import { callApi } from '#server/testing/call-api.ts';
import {
  newEmployer,
  reviewOf,
  signedInDoctor,
  type TestAccount,
} from '#server/testing/factories.ts';
import { curbside } from './testing/curbside.ts';
import { serverWithStoredSecrets } from './testing/stored-secrets.ts';

async function post(server: TestApp, account: TestAccount, employer: number): Promise<Review> {
  const response = await callApi(server, 'POST', '/reviews/', account, reviewOf(employer));
  expect(response.statusCode, response.body).toBe(201);
  return response.json();
}
const ownIds = async (server: TestApp, account: TestAccount) =>
  (await callApi(server, 'GET', '/reviews/my_reviews/', account))
    .json<Review[]>()
    .map(({ id }) => id);
const column = async ({ deps }: TestApp, sql: string): Promise<string[]> =>
  (await deps.database.pool.query(sql)).rows.map((row) => Object.values(row).map(String).join());

test('rotates authorship while the server runs and doctors read, write, and vote', async () => {
  const { server, dataDir } = await serverWithStoredSecrets();
  const doctors = [await signedInDoctor(server), await signedInDoctor(server)] as const;
  const [author, reader] = doctors;
  const employers = [];
  for (let at = 0; at < 4; at += 1) employers.push(await newEmployer(server));
  const [first = 0, second = 0, third = 0, fourth = 0] = employers;
  const review = await post(server, author, first);
  await callApi(server, 'POST', `/reviews/${review.id}/helpful/`, reader);
  await callApi(server, 'POST', `/reviews/${review.id}/report/`, reader, { reason: 'other' });
  const payload = { ...reviewOf(first, { position_title: 'Later' }), publish: 'later' };
  const scheduled = (await callApi(server, 'POST', '/reviews/', author, payload)).json<Review>();
  const nobodys = await post(server, reader, fourth);
  await leaveReviews(server.deps, openAuthor(server.deps.keys, reader.userId), 'keep');
  const keys = `select author_key from reviews where id <> '${nobodys.id}'
    union all select author_key from scheduled_reviews
    union all select voter_key from review_votes union all select reporter_key from review_reports`;
  const before = await column(server, keys);
  const nobody = await column(server, `select author_key from reviews where id = '${nobodys.id}'`);

  const saved = { entries: ['/employers/1'], weekly_mail: false };
  await callApi(server, 'POST', '/saved/', author, { entries: saved.entries });
  const list = "select encode(sealed, 'hex') from saved_lists";
  const sealed = await column(server, list);

  let rotating = true;
  const rotation = curbside(server, ['authorship', 'rotate']).finally(() => {
    rotating = false;
  });
  while (rotating) {
    expect(await ownIds(server, author)).toEqual([scheduled.id, review.id]);
    const twice = await callApi(server, 'POST', '/reviews/', author, payload);
    expect(twice.json()).toMatchObject({ identical: true, review_id: scheduled.id });
    const again = await callApi(server, 'POST', '/reviews/', author, reviewOf(first));
    expect(again.json()).toMatchObject({ code: 'duplicate_review', review_id: review.id });
    const changed = await callApi(server, 'POST', `/reviews/${review.id}/not-helpful/`, reader);
    expect(changed.json()).toEqual({ vote: 'not_helpful', helpful_count: 0 });
    const voted = await callApi(server, 'POST', `/reviews/${review.id}/helpful/`, reader);
    expect(voted.json()).toEqual({ vote: 'helpful', helpful_count: 1 });
    const marks = await callApi(server, 'GET', `/reviews/votes/?ids=${review.id}`, reader);
    expect(marks.json()).toMatchObject({ helpful: [review.id], reported: [review.id] });
    expect((await callApi(server, 'GET', '/saved/', author)).json()).toEqual(saved);
  }
  expect(await rotation).toMatchObject({ code: 0 });
  expect((await rotation).output).toBe(
    '2 reviews, 2 votes and reports are under the new key.\n' +
      'Reviews of locked accounts follow when their owners next log in.\n',
  );

  const after = await column(server, keys);
  expect(after).toHaveLength(before.length);
  expect(after.filter((key) => before.includes(key))).toEqual([]);
  expect(await column(server, `select author_key from reviews where id = '${nobodys.id}'`)).toEqual(
    nobody,
  );
  expect(storedSecrets(dataDir).authorship).toHaveLength(1);
  expect(await column(server, list)).not.toEqual(sealed);
  expect((await callApi(server, 'GET', '/saved/', author)).json()).toEqual(saved);
  expect(statSync(path.join(dataDir, 'secrets.json')).mode & 0o777).toBe(0o600);
  const more = await post(server, author, second);
  expect(new Set(await ownIds(server, author))).toEqual(
    new Set([scheduled.id, review.id, more.id]),
  );
  const published = await callApi(server, 'POST', `/reviews/${scheduled.id}/publish/`, author);
  expect(published.statusCode).toBe(200);
  const taken = await callApi(server, 'DELETE', `/reviews/${review.id}/helpful/`, reader);
  expect(taken.json()).toEqual({ vote: null, helpful_count: 0 });
  await post(server, reader, third);
});

test('rotates sealing keys while the server runs', async () => {
  const { server, dataDir } = await serverWithStoredSecrets();
  const doctor = await signedInDoctor(server);
  const me = () => callApi(server, 'GET', '/doctors/me/', doctor);
  const before = (await me()).json();
  const rotation = curbside(server, ['keys', 'rotate']);
  expect((await me()).json()).toEqual(before);
  expect(await rotation).toMatchObject({
    code: 0,
    output: '1 accounts are sealed under the new key.\n',
  });
  expect((await me()).json()).toEqual(before);
  const { sealing } = storedSecrets(dataDir);
  expect(sealing).toHaveLength(1);
  const { sealed } = await server.deps.db
    .selectFrom('users')
    .select('sealed')
    .executeTakeFirstOrThrow();
  expect(sealedWith(sealed)).toBe(sealing[0]?.id);
  expect(sealing[0]?.id).not.toBe('k1');
});

test('keeps and names a sealing key that pending data still needs', async () => {
  const { server, dataDir } = await serverWithStoredSecrets();
  await server.deps.jobs.enqueue(
    server.deps.db,
    'verify-npi',
    { userId: 'someone' },
    { startAfterSeconds: 3600 },
  );
  const { output } = await curbside(server, ['keys', 'rotate']);
  expect(output).toContain('Key k1 is still needed');
  expect(storedSecrets(dataDir).sealing.map(({ id }) => id)).toContain('k1');
});

test.each([
  [['authorship', 'rotate'], 'AUTHORSHIP_KEY has one key'],
  [['keys', 'rotate'], 'SEALING_KEYS has one key'],
])('%s explains what to do first if the operator sets the secrets', async (args, message) => {
  await using server = await buildTestApp();
  const { code, errors } = await curbside(server, args);
  expect(code).toBe(1);
  expect(errors).toContain(message);
});

test('with two keys set by the operator, everything moves to the first one', async () => {
  const key = randomBytes(32);
  const secrets = {
    sealing: [{ id: 'k1', key }],
    index: [key],
    authorship: [randomBytes(32), randomBytes(32)],
    session: key,
  };
  await using server = await buildTestApp({ config: { secrets } });
  const author = await signedInDoctor(server);
  const reader = await signedInDoctor(server);
  server.deps.keys.replace({ ...secrets, authorship: secrets.authorship.toReversed() });
  const review = await post(server, author, await newEmployer(server));
  await callApi(server, 'POST', `/reviews/${review.id}/helpful/`, reader);
  server.deps.keys.replace(secrets);
  const changed = await callApi(server, 'POST', `/reviews/${review.id}/not-helpful/`, reader);
  expect(changed.json()).toEqual({ vote: 'not_helpful', helpful_count: 0 });
  const { output } = await curbside(server, ['authorship', 'rotate']);
  expect(output).toContain('1 reviews, 1 votes and reports are under the new key.');
  expect(output).toContain('remove the old key');
  server.deps.keys.replace({ ...secrets, authorship: secrets.authorship.slice(0, 1) });
  expect(await ownIds(server, author)).toEqual([review.id]);
  const marks = await callApi(server, 'GET', `/reviews/votes/?ids=${review.id}`, reader);
  expect(marks.json()).toMatchObject({ helpful: [], not_helpful: [review.id] });
});

test('reviews of a locked account follow at its next login, on every device', async () => {
  const { server, dataDir } = await serverWithStoredSecrets();
  const member = await lock(server, await newPoster(server));
  const others = await post(server, await signedInDoctor(server), await newEmployer(server));
  const own = await newReview(server, member);
  await send(server, `/reviews/${others.id}/helpful/`, {}, member);
  const keys = `select encode(author_key, 'hex') from reviews where id = '${own.id}'
    union all select encode(voter_key, 'hex') from review_votes`;
  const before = await column(server, keys);
  const [old] = storedSecrets(dataDir).authorship;

  expect(await curbside(server, ['authorship', 'rotate'])).toMatchObject({ code: 0 });
  expect(storedSecrets(dataDir).authorship).not.toContainEqual(old);
  // The older salt still identifies the author in its own sessions.
  expect(await column(server, keys)).toEqual(before);
  expect(await ownReviewIds(server, member)).toEqual([own.id]);

  const again = await onAnotherDevice(server, member);
  const after = await column(server, keys);
  expect(after).toHaveLength(before.length);
  expect(after.filter((key) => before.includes(key))).toEqual([]);
  for (const device of [member, again]) {
    expect(await ownReviewIds(server, device)).toEqual([own.id]);
    const url = `/api/reviews/votes/?ids=${others.id}`;
    const marks = await server.app.inject({ url, headers: device.headers });
    expect(marks.json()).toMatchObject({ helpful: [others.id] });
  }
  // One login is enough.
  await onAnotherDevice(server, member);
  expect(await column(server, keys)).toEqual(after);
});
