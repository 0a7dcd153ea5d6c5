import { randomBytes } from 'node:crypto';
import { statSync } from 'node:fs';
import path from 'node:path';
import {
  castVoteEndpoints,
  feedbackEndpoints,
  takeVoteBackEndpoints,
} from '#contract/endpoints/feedback.ts';
import { legalEndpoints } from '#contract/endpoints/office.ts';
import { reviewEndpoints } from '#contract/endpoints/reviews.ts';
import { savedEndpoints } from '#contract/endpoints/saved.ts';
import { sessionEndpoints } from '#contract/endpoints/session.ts';
import { openAuthor } from '#server/anonymity/author.ts';
import { sealedWith } from '#server/anonymity/seal.ts';
import { storedSecrets } from '#server/config/stored-secrets.ts';
import { addMember, newDevice } from '#server/features/accounts/testing/account-flows.ts';
import { lock } from '#server/features/accounts/testing/locked-account.ts';
import { leaveReviews } from '#server/features/reviews/departed-authors.ts';
import { POSTER, reviewOf } from '#server/testing/factories.ts';
import { at, expect, newSite, type Site, test } from '#server/testing/site.ts';
import { curbside } from './testing/curbside.ts';
import { serverWithStoredSecrets } from './testing/stored-secrets.ts';

const { create, listOwn, publish } = reviewEndpoints;
const { ownVotes, report } = feedbackEndpoints;
const { helpful, not_helpful } = castVoteEndpoints;
type Account = Parameters<Site['as']>[0];

const ownIds = async (site: Site, account: Account) =>
  (await site.as(account).get(listOwn)).body.map(({ id }) => id);
const marksOf = async (site: Site, account: Account, ids: string) =>
  (await site.as(account).get(ownVotes, { query: { ids } })).body;
const column = async ({ deps }: Site, sql: string): Promise<string[]> =>
  (await deps.database.pool.query(sql)).rows.map((row) => Object.values(row).map(String).join());

test('rotates authorship while the server runs and doctors read, write, and vote', async () => {
  const { server, dataDir } = await serverWithStoredSecrets();
  const [author, reader] = [await server.doctor(), await server.doctor()];
  const [asAuthor, asReader] = [server.as(author), server.as(reader)];
  const employer = await server.employer();
  const review = await server.review({ by: author, at: employer });
  await asReader.post(helpful, at(review.id));
  await asReader.post(report, { reason: 'other' }, at(review.id));
  const later = { ...reviewOf(employer, { position_title: 'Later' }), publish: 'later' } as const;
  const scheduled = (await asAuthor.post(create, later)).body;
  const nobodys = await server.review({ by: reader });
  await leaveReviews(server.deps, openAuthor(server.deps.keys, reader.userId), 'keep');
  const keys = `select author_key from review_authors where review_id <> '${nobodys.id}'
    union all select voter_key from review_votes union all select reporter_key from review_reports`;
  const before = await column(server, keys);
  const keyOfNobodys = `select author_key from review_authors where review_id = '${nobodys.id}'`;
  const nobody = await column(server, keyOfNobodys);

  const saved = { entries: ['/employers/1'], weekly_mail: false };
  await asAuthor.post(savedEndpoints.save, { entries: saved.entries });
  const list = "select encode(sealed, 'hex') from saved_lists";
  const sealed = await column(server, list);

  let rotating = true;
  const rotation = curbside(server, ['authorship', 'rotate']).finally(() => {
    rotating = false;
  });
  while (rotating) {
    expect(await ownIds(server, author)).toEqual([scheduled.id, review.id]);
    const twice = await asAuthor.post(create, later);
    expect(twice.problem).toMatchObject({ identical: true, review_id: scheduled.id });
    const again = await asAuthor.post(create, reviewOf(employer));
    expect(again.problem).toMatchObject({ code: 'duplicate_review', review_id: review.id });
    const changed = await asReader.post(not_helpful, at(review.id));
    expect(changed.body).toEqual({ vote: 'not_helpful', helpful_count: 0 });
    const voted = await asReader.post(helpful, at(review.id));
    expect(voted.body).toEqual({ vote: 'helpful', helpful_count: 1 });
    const marks = { helpful: [review.id], reported: [review.id] };
    expect(await marksOf(server, reader, review.id)).toMatchObject(marks);
    expect((await asAuthor.get(savedEndpoints.list)).body).toEqual(saved);
  }
  expect(await rotation).toMatchObject({
    code: 0,
    output:
      '2 reviews, 2 votes and reports are under the new key.\n' +
      'Reviews of locked accounts follow when their owners next log in.\n',
  });

  const after = await column(server, keys);
  expect(after).toHaveLength(before.length);
  expect(after.filter((key) => before.includes(key))).toEqual([]);
  expect(await column(server, keyOfNobodys)).toEqual(nobody);
  expect(storedSecrets(dataDir).authorship).toHaveLength(1);
  expect(await column(server, list)).not.toEqual(sealed);
  expect((await asAuthor.get(savedEndpoints.list)).body).toEqual(saved);
  expect(statSync(path.join(dataDir, 'secrets.json')).mode & 0o777).toBe(0o600);
  const more = await server.review({ by: author });
  const own = (await ownIds(server, author)).toSorted();
  expect(own).toEqual([scheduled.id, review.id, more.id].toSorted());
  expect((await asAuthor.post(publish, at(scheduled.id))).status).toBe(200);
  const taken = await asReader.delete(takeVoteBackEndpoints.helpful, at(review.id));
  expect(taken.body).toEqual({ vote: null, helpful_count: 0 });
  await server.review({ by: reader });
});

test('a rotation waits for transactions that may write under the old key', async () => {
  const { server } = await serverWithStoredSecrets();
  const { keys, database } = server.deps;
  const author = await server.doctor();
  await server.review({ by: author });
  const [old] = openAuthor(keys, author.userId).keys;
  const authors = () => column(server, 'select author_key from review_authors');
  const [key] = await authors();
  const client = await database.pool.connect();
  try {
    await client.query('begin');
    let isDone = false;
    const rotation = curbside(server, ['authorship', 'rotate']).finally(() => {
      isDone = true;
    });
    const asks = `select from pg_stat_activity
      where query like '%xact_start <%' and pid <> pg_backend_pid()`;
    const isWaiting = async () => isDone || (await database.pool.query(asks)).rowCount !== 0;
    await expect.poll(isWaiting).toBe(true);
    const insert = `insert into review_authors (author_key, job) values ($1, public.review_job(1, null, null, null, 'Locum'))`;
    await client.query(insert, [old]);
    await client.query('commit');
    expect(await rotation).toMatchObject({ code: 0 });
  } finally {
    client.release(true);
  }
  expect(await authors()).not.toContain(key);
});

test('rotates sealing keys while the server runs', async () => {
  const { server, dataDir } = await serverWithStoredSecrets();
  const doctor = await server.doctor();
  const me = async () => (await server.as(doctor).get(sessionEndpoints.doctor)).body;
  const before = await me();
  const owner = server.as(await server.admin(['owner']));
  const demand = { kind: 'subpoena', received_on: '2026-01-05' } as const;
  const { id } = (await owner.post(legalEndpoints.record, demand)).body;
  const document = new File(['%PDF-1.7 A long letter.'], '');
  await owner.post(legalEndpoints.upload, document, at(id));
  const rotation = curbside(server, ['keys', 'rotate']);
  expect(await me()).toEqual(before);
  const output = '2 accounts are sealed under the new key.\n';
  expect(await rotation).toMatchObject({ code: 0, output });
  expect(await me()).toEqual(before);
  const { sealing } = storedSecrets(dataDir);
  expect(sealing).toHaveLength(1);
  const { rows } = await server.deps.database.pool.query('select sealed from users');
  expect(sealedWith(rows[0].sealed)).toBe(sealing[0]?.id);
  expect(sealing[0]?.id).not.toBe('k1');
  const documents = await server.deps.database.pool.query('select sealed from legal_documents');
  expect(documents.rows.map(({ sealed }) => sealedWith(sealed))).toEqual([sealing[0]?.id]);
  const read = (await owner.get(legalEndpoints.download, at(id))).body;
  expect(await read.text()).toBe(await document.text());
});

test('keeps and names a sealing key that pending data still needs', async () => {
  const { server, dataDir } = await serverWithStoredSecrets();
  const { jobs, db } = server.deps;
  await jobs.enqueue(db, 'verify-npi', { userId: 'someone' }, { startAfterSeconds: 3600 });
  const { output } = await curbside(server, ['keys', 'rotate']);
  expect(output).toContain('Key k1 is still needed');
  expect(storedSecrets(dataDir).sealing.map(({ id }) => id)).toContain('k1');
});

test.for([
  [['authorship', 'rotate'], 'AUTHORSHIP_KEY has one key'],
  [['keys', 'rotate'], 'SEALING_KEYS has one key'],
] as const)('%s says what to do first if secrets are set', async ([args, message], { site }) => {
  const { code, errors } = await curbside(site, [...args]);
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
  const site = await newSite({ config: { secrets } });
  const [author, reader] = [await site.doctor(), await site.doctor()];
  site.deps.keys.replace({ ...secrets, authorship: secrets.authorship.toReversed() });
  const { id } = await site.review({ by: author });
  await site.as(reader).post(helpful, at(id));
  site.deps.keys.replace(secrets);
  const changed = await site.as(reader).post(not_helpful, at(id));
  expect(changed.body).toEqual({ vote: 'not_helpful', helpful_count: 0 });
  const { output } = await curbside(site, ['authorship', 'rotate']);
  expect(output).toContain('1 reviews, 1 votes and reports are under the new key.');
  expect(output).toContain('remove the old key');
  site.deps.keys.replace({ ...secrets, authorship: secrets.authorship.slice(0, 1) });
  expect(await ownIds(site, author)).toEqual([id]);
  expect(await marksOf(site, reader, id)).toMatchObject({ helpful: [], not_helpful: [id] });
});

test('reviews of a locked account follow at its next login, on every device', async () => {
  const { server, dataDir } = await serverWithStoredSecrets();
  const member = await lock(server, await addMember(server, {}, POSTER));
  const others = await server.review();
  const own = await server.review({ by: member });
  await server.as(member).post(helpful, at(others.id));
  const keys = `select encode(author_key, 'hex') from review_authors where review_id = '${own.id}'`;
  const before = await column(server, keys);
  const [old] = storedSecrets(dataDir).authorship;

  expect(await curbside(server, ['authorship', 'rotate'])).toMatchObject({ code: 0 });
  expect(storedSecrets(dataDir).authorship).not.toContainEqual(old);
  // Sessions go on, and find what is under the older salt.
  expect(await column(server, keys)).toEqual(before);
  expect(await ownIds(server, member)).toEqual([own.id]);

  const again = await newDevice(server, member.email);
  const after = await column(server, keys);
  expect(after).toHaveLength(before.length);
  expect(after.filter((key) => before.includes(key))).toEqual([]);
  for (const device of [member, again]) {
    expect(await ownIds(server, device)).toEqual([own.id]);
    expect(await marksOf(server, device, others.id)).toMatchObject({ helpful: [others.id] });
  }
  // One login is enough.
  await newDevice(server, member.email);
  expect(await column(server, keys)).toEqual(after);
});
