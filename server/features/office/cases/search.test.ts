import type { CaseKind } from '#contract/cases.ts';
import { CASE_SEARCH_MESSAGES } from '#contract/cases.ts';
import { employerEndpoints } from '#contract/endpoints/employers.ts';
import { caseEndpoints, legalEndpoints } from '#contract/endpoints/office.ts';
import { SEARCH_MAX } from '#contract/limits.ts';
import { openCase } from '#server/cases/cases.ts';
import { report } from '#server/features/reviews/testing/moderation.ts';
import { newDoctor } from '#server/testing/factories.ts';
import { at, type Client, expect, testWith } from '#server/testing/site.ts';

const { changes, list, read } = caseEndpoints;

const NPI = '1234567893';

/** A hospital with a case of every kind that concerns it, and another one with a reported review. */
const test = testWith()
  .extend('owner', { scope: 'file' }, async ({ site }) =>
    site.as(await site.admin(['owner', 'moderator', 'curator'])),
  )
  .extend('verifier', { scope: 'file' }, async ({ site, owner: _ }) =>
    site.as(await site.admin(['verifier'])),
  )
  .extend('other', { scope: 'file' }, async ({ site, owner: _ }) => {
    const member = await site.admin(['moderator']);
    return { ...member, client: site.as(member) };
  })
  .extend('stock', { scope: 'file' }, async ({ site, owner, other }) => {
    const { db, clock } = site.deps;
    const hospital = await site.employer({ name: 'ÆRØ VALLEY HOSPITAL', state: 'OR' });
    const elsewhere = await site.employer({ name: 'BIRCH CLINIC', state: 'OR' });
    const author = await site.doctor();
    const one = await site.review({ at: hospital, by: author, position_title: 'Hospitalist' });
    const two = await site.review({ at: elsewhere, by: author, position_title: 'Intensivist' });
    for (const { id } of [one, two]) await report(site, id);
    const subject = { review_id: one.id };
    await openCase(db, clock, { kind: 'appeal', subject, priority: 2 });
    const look = { kind: 'second_look', subject, priority: 3 } as const;
    await openCase(db, clock, { ...look, decidedBy: other.userId });
    const speaker = await site.representative(hospital, { state: 'pending' });
    const account = { account_id: speaker.userId };
    await openCase(db, clock, { kind: 'representative', subject: account, priority: 2 });
    const body = { field: 'phone', value: '(334) 555-0142', source: 'Their own page' } as const;
    await site.as(author).post(employerEndpoints.correct, body, at(hospital));
    const received_on = '2025-01-05';
    await owner.post(legalEndpoints.record, { kind: 'subpoena', received_on, review: one.id });
    const doctor = await newDoctor(site, { first_name: 'Ida', last_name: 'Valley', npi: NPI });
    await openCase(db, clock, {
      kind: 'doctor',
      subject: { account_id: doctor.id },
      priority: 2,
    });
    return { hospital, elsewhere, one, two, author, doctor };
  });

const find = async (by: Client, search: string) =>
  (await by.get(list, { query: { search, page_size: 50 } })).body;
const kindsOf = async (by: Client, search: string) =>
  (await find(by, search)).results.map(({ kind }) => kind).toSorted();

const ALL: CaseKind[] = [
  'appeal',
  'correction',
  'legal',
  'report',
  'representative',
  'second_look',
];

test('finds all cases of an employer, by name or address', async ({ site, owner, stock }) => {
  const { publicUrl } = site.deps.config;
  for (const search of [
    ...['Ærø Valley', 'aero valley hospital', '  valley  ', 'vally hospital'],
    ...[`/employers/${stock.hospital}`, `${publicUrl}/employers/${stock.hospital}/?tab=all`],
    `/admin/employers/${stock.hospital}`,
  ]) {
    expect([search, await kindsOf(owner, search)]).toEqual([search, ALL]);
  }
  const { results, count } = await find(owner, 'birch');
  expect(results).toMatchObject([{ kind: 'report', title: 'Intensivist' }]);
  expect(count).toBe(1);
});

test('finds the cases of a review, by address or id', async ({ site, owner, stock }) => {
  const { publicUrl } = site.deps.config;
  const { id } = stock.one;
  const found = ['appeal', 'legal', 'report', 'second_look'];
  for (const search of [
    id,
    `/reviews/${id}`,
    `${publicUrl}/reviews/${id}`,
    `/admin/reviews/${id}`,
  ]) {
    expect([search, await kindsOf(owner, search)]).toEqual([search, found]);
  }
});

test('finds a representative by name, for curators', async ({ owner, verifier, other, stock }) => {
  const { results } = await find(owner, `/employers/${stock.hospital}`);
  const { title = '' } = results.find(({ kind }) => kind === 'representative') ?? {};
  expect(title).not.toBe('');
  expect(await kindsOf(owner, title)).toEqual(['representative']);
  for (const by of [verifier, other.client]) expect(await kindsOf(by, title)).toEqual([]);
});

test('finds cases of the roles of the caller only', async ({ verifier, other, stock }) => {
  const { id } = stock.one;
  for (const search of ['Valley', id, `/employers/${stock.hospital}`]) {
    expect(await kindsOf(verifier, search)).toEqual([]);
    // Without the second look at their own decision.
    expect(await kindsOf(other.client, search)).toEqual(['appeal', 'report']);
  }
  expect((await find(other.client, 'valley')).count).toBe(2);
});

test('never finds a doctor: by name, NPI, address, or account', async ({
  site,
  owner,
  verifier,
  stock: { doctor, author, one },
}) => {
  for (const search of [
    'Ida',
    'Ida Valley',
    'Ida Valley NPI',
    doctor.id,
    `/doctors/${doctor.id}`,
    // Not a number of ten digits, although it contains as many.
    '/doctors/a1234567-890b-4bcd-8bcd-abcdefabcdef',
  ]) {
    expect([search, await kindsOf(verifier, search)]).toEqual([search, []]);
  }
  const { npi } = CASE_SEARCH_MESSAGES;
  for (const search of [NPI, `NPI ${NPI}`, `Ida, ${NPI}`, '123-456-7893', '123 456 (7893)']) {
    for (const by of [owner, verifier]) {
      const answer = await by.get(list, { query: { search } });
      expect([search, answer.problem]).toMatchObject([search, { status: 400, detail: npi }]);
    }
  }
  const { email } = CASE_SEARCH_MESSAGES;
  const row = await site.deps.db.selectFrom('cases').select('id').executeTakeFirstOrThrow();
  for (const search of [author.email, 'ida@', '@mail.example', `/reviews/${one.id}?by=a@b.test`]) {
    for (const answer of [
      await verifier.get(list, { query: { search } }),
      await verifier.get(changes, { query: { search } }),
      await verifier.get(read, { params: { id: row.id }, query: { search } }),
    ]) {
      expect([search, answer.problem]).toMatchObject([search, { status: 400, detail: email }]);
    }
  }
  // The account of an author finds nothing, and neither does what an author key looks like.
  for (const search of [author.userId, 'a'.repeat(64)]) {
    expect(await kindsOf(owner, search)).toEqual([]);
  }
});

test('a search goes with filters, the next case, and changes', async ({ owner, stock }) => {
  const search = `/employers/${stock.hospital}`;
  const reports = { search, kind: 'report' };
  const { results } = (await owner.get(list, { query: reports })).body;
  expect(results).toMatchObject([{ kind: 'report', title: 'Hospitalist' }]);
  const [{ id = '' } = {}] = results;
  expect((await owner.get(read, { params: { id }, query: reports })).body.next_id).toBeNull();
  const { next_id } = (await owner.get(read, { params: { id }, query: { search } })).body;
  expect((await find(owner, search)).results.map((one) => one.id)).toContain(next_id);
  const news = await owner.get(changes, { query: { search, ids: id } });
  expect(news.body).toMatchObject({ cases: [{ id }], others: ALL.length - 1 });
});

test('a merged employer is found under both names and addresses', async ({ site, owner }) => {
  const from = await site.employer({ name: 'OLDBRIDGE INFIRMARY' });
  const into = await site.employer({ name: 'NEWBRIDGE HOSPITAL' });
  const { id } = await site.review({ at: from });
  await report(site, id);
  await owner.post(employerEndpoints.merge, { into }, at(from));
  for (const search of ['newbridge', `/employers/${from}`, `/employers/${into}`]) {
    expect([search, await kindsOf(owner, search)]).toEqual([search, ['report']]);
  }
});

test('hostile and meaningless searches find nothing; none fails', async ({ owner, stock: _ }) => {
  const nothing = [
    ...['!!!', '%', '_', "'; drop table cases; --", '/employers/999999999999', '/employers/0'],
    ...['/employers/abc', '/reviews/abc', '/reviews/-', `/employers/${'9'.repeat(9)}`, 'Zzyzx'],
    ...['<script>', crypto.randomUUID(), '\u202e'],
  ];
  for (const search of nothing) {
    expect([search, (await find(owner, search)).count]).toEqual([search, 0]);
  }
  const long = await owner.get(list, { query: { search: 'x'.repeat(SEARCH_MAX + 1) } });
  expect(long.status).toBe(400);
});
