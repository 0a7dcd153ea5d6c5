import { randomBytes } from 'node:crypto';
import { caseEndpoints, legalEndpoints } from '#contract/endpoints/office.ts';
import { reviewEndpoints } from '#contract/endpoints/reviews.ts';
import { DOCUMENT_MESSAGES } from '#contract/legal-demands/legal-demand-choices.ts';
import type { LegalDemandRequest } from '#contract/legal-demands/legal-demands.ts';
import { DEMAND_DOCUMENT_BYTES } from '#contract/limits.ts';
import { toDay } from '#server/anonymity/coarse-time.ts';
import { sealingKeysInUse } from '#server/db/sealed-table.ts';
import { readRecord } from '#server/features/office/transparency/record.ts';
import {
  lockDemand,
  putDocument,
  resealDocuments,
  sealDocument,
} from '#server/legal-demands/demands.ts';
import { logOf } from '#server/testing/factories.ts';
import {
  at,
  type Client,
  expect,
  invalid,
  newSite,
  type Site,
  testWith,
} from '#server/testing/site.ts';

const { record, upload, download, list, decide } = legalEndpoints;

const lines: string[] = [];
const test = testWith({ config: { logLevel: 'trace' }, logTo: (line) => lines.push(line) })
  .extend('owner', async ({ site }) => site.as(await site.admin(['owner'])))
  .extend('other', async ({ site, owner: _ }) => site.as(await site.admin(['owner'])));

const CANARY = 'Dear counsel, Vinciane Canary wrote this review.';
const fileOf = (...parts: (string | Uint8Array<ArrayBuffer>)[]) =>
  new File(parts, 'canary-name.pdf');
const PDF = fileOf('%PDF-1.7\n', CANARY);
const PNG = fileOf(Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0x80, 0, 0));
const JPEG = fileOf(Uint8Array.of(0xff, 0xd8, 0xff, 0xe0, 1, 2, 3));

const received = async (by: Client, fields: Partial<LegalDemandRequest> = {}) =>
  (await by.post(record, { kind: 'subpoena', received_on: '2026-01-05', ...fields })).body;
const bytesOf = async (file: Blob) => Buffer.from(await file.arrayBuffer());
const stored = ({ deps }: Site) =>
  deps.db.selectFrom('legal_documents').select(['demand_id', 'id', 'sealed']);

test('an owner adds a document, and another one downloads it', async ({ site, owner, other }) => {
  const kinds = [
    [PDF, 'application/pdf', 'legal-demand.pdf'],
    [PNG, 'image/png', 'legal-demand.png'],
    [JPEG, 'image/jpeg', 'legal-demand.jpg'],
  ] as const;
  for (const [file, type, name] of kinds) {
    const { id } = await received(owner);
    expect((await owner.post(upload, file, at(id))).body).toMatchObject({ id, has_document: true });
    const answer = await other.get(download, at(id));
    expect(await bytesOf(answer.body)).toEqual(await bytesOf(file));
    expect(answer.headers).toMatchObject({
      'content-type': type,
      'content-disposition': `attachment; filename="${name}"`,
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store, no-transform',
      'content-security-policy': expect.stringContaining("default-src 'none'"),
    });
    const acts = await logOf(site, id, 'action', 'details');
    expect(acts.filter(({ action }) => action !== 'legal.receive')).toEqual([
      { action: 'demand.document', details: {} },
    ]);
  }
});

test('neither the database nor log has anything of a document', async ({ site, owner }) => {
  const { id } = await received(owner);
  await owner.post(upload, PDF, at(id));
  expect((await owner.get(download, at(id))).status).toBe(200);
  await owner.post(upload, fileOf('no kind ', CANARY), at(id));
  const [row] = await stored(site).where('demand_id', '=', id).execute();
  // Its length is that of any small document.
  expect(row?.sealed.length).toBeGreaterThan(64 * 1024);
  const text = row?.sealed.toString('latin1') ?? '';
  for (const part of ['%PDF', 'Canary', 'counsel', 'canary-name']) {
    expect(text).not.toContain(part);
    expect(lines.join('\n')).not.toContain(part);
  }
  expect(lines.join('\n')).toContain('/document/');
  const acts = JSON.stringify(await logOf(site, id, 'action', 'details'));
  expect(acts).not.toMatch(/canary|pdf/i);
});

test('the largest document fits, whatever it ends with', async ({ site, owner }) => {
  const { id } = await received(owner);
  const rest = new Uint8Array(DEMAND_DOCUMENT_BYTES - 5);
  rest.fill(0x80, rest.length - 3);
  const largest = fileOf('%PDF-', rest);
  expect((await owner.post(upload, largest, at(id))).status).toBe(200);
  const read = await bytesOf((await owner.get(download, at(id))).body);
  expect(read.equals(await bytesOf(largest))).toBe(true);
  const answer = await owner.post(upload, fileOf('%PDF-', rest, 'x'), at(id));
  expect(answer.problem).toMatchObject({
    status: 413,
    detail: 'Must be at most 10 MB',
    errors: { document: ['Must be at most 10 MB'] },
  });
  expect(await stored(site).where('demand_id', '=', id).execute()).toHaveLength(1);
});

test.for([
  ['empty', fileOf(), DOCUMENT_MESSAGES.empty],
  ['text', fileOf('Dear all,'), DOCUMENT_MESSAGES.fileKind],
  ['a page', fileOf('<html>%PDF-1.7'), DOCUMENT_MESSAGES.fileKind],
  ['a GIF', fileOf('GIF89a'), DOCUMENT_MESSAGES.fileKind],
  ['half a beginning', fileOf('%PDF'), DOCUMENT_MESSAGES.fileKind],
] as const)('refuses a file that is %s', async ([, file, message], { site, owner }) => {
  const { id } = await received(owner);
  const { problem } = await owner.post(upload, file, at(id));
  expect(problem).toMatchObject({ status: 400, errors: { document: [message] } });
  expect(await stored(site).where('demand_id', '=', id).execute()).toEqual([]);
  expect(await logOf(site, id, 'action')).toEqual([{ action: 'legal.receive' }]);
});

test('only owners add and read documents', async ({ site, owner }) => {
  const { id } = await received(owner);
  await owner.post(upload, PDF, at(id));
  const others = [
    site.as(await site.admin(['moderator', 'curator'])),
    site.as(await site.admin(['verifier'])),
    site.as(await site.admin(['auditor'])),
    site.as(await site.doctor()),
    site.visitor(),
  ];
  for (const by of others) {
    for (const answer of [await by.get(download, at(id)), await by.post(upload, PNG, at(id))]) {
      expect([401, 403]).toContain(answer.status);
      expect(answer.text).not.toContain('Canary');
    }
  }
  expect(await logOf(site, id, 'action')).toHaveLength(2);
});

test('no other route takes a file, or as much', async ({ site, owner }) => {
  const { id } = await received(owner);
  const file = invalid(PDF);
  for (const answer of [
    await owner.post(record, file),
    await owner.post(decide, file, at(id)),
    await owner.post(legalEndpoints.liftGag, file),
  ]) {
    expect([400, 415]).toContain(answer.status);
  }
  const long = invalid({ kind: 'subpoena', review: 'x'.repeat(70_000) });
  expect((await owner.post(record, long)).status).toBe(413);
  // Nor does this one take JSON.
  expect((await owner.post(upload, invalid({ document: 'x' }), at(id))).status).toBe(400);
  expect((await owner.post(upload, invalid({ x: 'x'.repeat(70_000) }), at(id))).status).toBe(413);
  expect(await stored(site).where('demand_id', '=', id).execute()).toEqual([]);
});

test('a document can be replaced, and is deleted with its demand', async ({ site, owner }) => {
  const unknown = crypto.randomUUID();
  expect((await owner.post(upload, PDF, at(unknown))).status).toBe(404);
  expect((await owner.get(download, at(unknown))).status).toBe(404);
  const demand = await received(owner);
  const { id } = demand;
  expect((await owner.get(download, at(id))).status).toBe(404);
  const first = (await owner.post(upload, PDF, at(id))).body;
  const second = (await owner.post(upload, PNG, at(id))).body;
  expect(new Set([demand.version, first.version, second.version]).size).toBe(3);
  expect((await owner.get(download, at(id))).body.type).toBe('image/png');
  const acts = (await logOf(site, id, 'action')).map(({ action }) => action);
  expect(acts.toSorted()).toEqual(['demand.document', 'demand.replace-document', 'legal.receive']);
  const outcome = { outcome: 'unable', note: 'Locked.' } as const;
  const changed = await owner.post(decide, { ...outcome, version: first.version }, at(id));
  expect(changed.problem.code).toBe('changed_meanwhile');
  // It stays with the demand once that is decided.
  expect((await owner.post(decide, outcome, at(id))).body.has_document).toBe(true);
  await site.deps.db.deleteFrom('legal_demands').where('id', '=', id).execute();
  expect(await stored(site).where('demand_id', '=', id).execute()).toEqual([]);
});

test('a sealed document does not open as that of another demand', async ({ site, owner }) => {
  const [one, two] = [await received(owner), await received(owner)];
  await owner.post(upload, PDF, at(one.id));
  await site.change('legal_documents', { demand_id: one.id }, { demand_id: two.id });
  expect((await owner.get(download, at(two.id))).status).toBe(500);
});

test('the key of a document is in use until it is resealed', async ({ site, owner }) => {
  const { id } = await received(owner);
  const { db, keys } = site.deps;
  const old = { id: 'kold', key: randomBytes(32) };
  const both = { sealing: [old, ...keys.sealing] };
  await putDocument(db, id, await sealDocument(both, id, PDF));
  expect(await sealingKeysInUse(db)).toContain('kold');
  const later = { ...keys, sealing: [...keys.sealing, old] };
  await resealDocuments({ db, keys: later });
  expect(await sealingKeysInUse(db)).not.toContain('kold');
  expect(await (await owner.get(download, at(id))).body.text()).toBe(await PDF.text());
});

test('a server reads four files at a time', async ({ site, owner }) => {
  const { id } = await received(owner);
  let uploads: ReturnType<typeof add>[] = [];
  const add = async () => (await owner.post(upload, PDF, at(id))).status;
  await site.deps.db.transaction().execute(async (trx) => {
    // Nobody finishes until this transaction does.
    await lockDemand(trx, id);
    uploads = Array.from({ length: 5 }, add);
    expect(await Promise.race(uploads)).toBe(503);
  });
  expect((await Promise.all(uploads)).toSorted()).toEqual([200, 200, 200, 200, 503]);
  expect(await add()).toBe(200);
});

test('documents count toward their own limit', async () => {
  const site = await newSite({ config: { rateLimitFactor: 1 } });
  const owner = site.as(await site.admin(['owner']));
  const { id } = await received(owner);
  const statuses = [];
  for (let times = 0; times <= 30; times += 1) {
    statuses.push((await owner.post(upload, PDF, at(id))).status);
  }
  expect(statuses).toEqual([...Array.from({ length: 30 }, () => 200), 429]);
});

test('authors do not see the sender, docket, or due date of a demand', async ({ site, owner }) => {
  const author = await site.doctor();
  const review = await site.review({ by: author });
  const facts = { sender: 'Canary & Partners', docket: '26-CV-1138', due_on: '2099-12-03' };
  const { id } = await received(owner, { ...facts, review: review.id });
  await owner.post(upload, PDF, at(id));
  const { results } = (await owner.get(list, { query: { page_size: 100 } })).body;
  expect(results.find((demand) => demand.id === id)).toMatchObject(facts);
  const own = await site.as(author).get(reviewEndpoints.listOwn);
  expect(own.text).toContain('legal_demands');
  expect(own.text).not.toMatch(/sender|docket|due_on|document|Canary|2099-12-03/);
  const acts = JSON.stringify(await logOf(site, id, 'details'));
  expect(acts).not.toMatch(/Canary|26-CV-1138|2099-12-03/);
});

test('overdue demands come first in the queue, and in the order of next cases', async () => {
  const site = await newSite();
  const owner = site.as(await site.admin());
  const today = toDay(site.time.now);
  const review = await site.review();
  await site.deps.db
    .insertInto('cases')
    .values({ kind: 'report', review_id: review.id, priority: 1, opened_on: '2026-01-01' })
    .execute();
  const due = { in_time: '2099-12-03', today, overdue: '2026-01-06', none: null };
  const ids: Record<string, string> = {};
  for (const [name, due_on] of Object.entries(due)) {
    ids[name] = (await received(owner, { due_on })).id;
  }
  const cases = await site.rows('cases', {}, ['id', 'demand_id']);
  const caseOf = (name: string) => cases.find(({ demand_id }) => demand_id === ids[name])?.id ?? '';
  const { results } = (await owner.get(caseEndpoints.list)).body;
  expect(results).toHaveLength(5);
  expect(results[0]).toMatchObject({
    id: caseOf('overdue'),
    due: { on: '2026-01-06', is_overdue: true },
  });
  expect(results[1]).toMatchObject({ kind: 'report', due: null });
  const dueOf = (name: string) => results.find(({ id }) => id === caseOf(name))?.due;
  expect(dueOf('in_time')).toEqual({ on: '2099-12-03', is_overdue: false });
  expect(dueOf('today')).toEqual({ on: today, is_overdue: false });
  expect(dueOf('none')).toBeNull();
  // The next case of each is the one after it, and that of the last one is the first.
  const order = results.map(({ id }) => id);
  for (const [place, id] of order.entries()) {
    const { next_id } = (await owner.get(caseEndpoints.read, at(id))).body;
    expect(next_id).toBe(order[(place + 1) % order.length]);
  }
  // A contested demand keeps its due date.
  const contested = { outcome: 'contested', note: 'Too broad.' } as const;
  await owner.post(decide, contested, at(ids['overdue'] ?? ''));
  const [first] = (await owner.get(caseEndpoints.list)).body.results;
  expect(first?.due).toEqual({ on: '2026-01-06', is_overdue: true });
});

test('documents change nothing in the public record', async ({ site, owner }) => {
  const { id } = await received(owner);
  const before = await readRecord(site.deps);
  await owner.post(upload, PDF, at(id));
  expect(await readRecord(site.deps)).toEqual(before);
});
