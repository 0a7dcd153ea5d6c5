import { moderationEndpoints } from '#contract/endpoints/moderation.ts';
import { caseEndpoints, legalEndpoints } from '#contract/endpoints/office.ts';
import { reviewEndpoints } from '#contract/endpoints/reviews.ts';
import { DEMAND_MESSAGES } from '#contract/legal-demands/legal-demand-choices.ts';
import type {
  LegalDemandCorrection,
  LegalDemandRequest,
} from '#contract/legal-demands/legal-demands.ts';
import { titleCase } from '#contract/names.ts';
import { readRecord } from '#server/features/office/transparency/record.ts';
import { logOf, reviewOf, type TestAccount } from '#server/testing/factories.ts';
import { at, expect, invalid, type Site, testWith } from '#server/testing/site.ts';

const SUBPOENA = { kind: 'subpoena', received_on: '2026-11-20' } as const;
const UNABLE = { outcome: 'unable', note: 'The reviews are locked.' } as const;

const test = testWith()
  .extend('clock', { auto: true }, ({ site, eachTest: _ }) => {
    site.time.now = new Date('2026-11-22T12:00:00Z');
  })
  .extend('owner', ({ site, clock: _ }) => site.admin(['owner']))
  .extend('other', ({ site, owner: _ }) => site.admin(['owner']))
  .extend('author', ({ site, clock: _ }) => newAuthor(site))
  .extend('demands', ({ site, owner }) => demandsOf(site, owner));

async function newAuthor(site: Site) {
  const account = await site.doctor();
  return {
    ...account,
    ...site.as(account),
    posts: () => site.review({ by: account }),
    async sees(id: string) {
      const own = (await site.as(account).get(reviewEndpoints.listOwn)).body;
      return own.find((review) => review.id === id);
    },
  };
}

/** What an owner does with demands. */
function demandsOf(site: Site, by: TestAccount) {
  const client = site.as(by);
  const record = (fields: Partial<LegalDemandRequest> = {}) =>
    client.post(legalEndpoints.record, { ...SUBPOENA, ...fields });
  return {
    record,
    recorded: async (fields?: Partial<LegalDemandRequest>) => (await record(fields)).body,
    decide: (id: string, fields: object = {}) =>
      client.post(legalEndpoints.decide, { ...UNABLE, ...fields }, at(id)),
    correct: (id: string, fields: Partial<LegalDemandCorrection>) => {
      const correction = { review: '', note: 'Misread the letter.', ...fields };
      return client.post(legalEndpoints.correct, correction, at(id));
    },
    liftGag: (id: string) => client.post(legalEndpoints.liftGag, at(id)),
  };
}

const caseOf = async (site: Site, demand_id: string) =>
  (await site.rows('cases', { demand_id }))[0];
const acts = (site: Site, subject: string) =>
  logOf(site, subject, 'action', 'actor', 'details', 'happened_on');

test('an owner records, finds, and decides a demand', async ({ site, owner, author, demands }) => {
  const review = await author.posts();
  const address = `https://curbside.example/reviews/${review.id}?x=1#y`;
  const demand = await demands.recorded({ review: address });
  const { position_title, employer } = review;
  const open = { jurisdiction: '', is_gagged: false, outcome: null, decided_on: null };
  const unknown = { sender: '', docket: '', due_on: null, has_document: false };
  const named = { id: review.id, position_title, employer: employer.name, is_public: true };
  const id = expect.any(String);
  const version = expect.any(String);
  expect(demand).toEqual({ id, ...SUBPOENA, ...open, ...unknown, review: named, version });
  const { id: case_id = '' } = (await caseOf(site, demand.id)) ?? {};
  const client = site.as(owner);
  const queue = await client.get(caseEndpoints.list, { query: { kind: 'legal', page_size: 50 } });
  const shown = queue.body.results.find(({ id }) => id === case_id);
  const detail = titleCase(employer.name);
  const title = { kind: 'legal', title: 'Subpoena', detail };
  expect(shown).toMatchObject({ ...title, priority: 1, opened_on: '2026-11-22' });
  const { file } = (await client.get(caseEndpoints.read, at(case_id))).body;
  expect(file).toEqual({ type: 'legal', demand });
  const answer = await demands.decide(demand.id, { case_id });
  expect(answer.body).toMatchObject({ outcome: 'unable', decided_on: '2026-11-22' });
  expect(await caseOf(site, demand.id)).toBeUndefined();
  const by = { actor: owner.userId, happened_on: '2026-11-22' };
  const [received, unable] = [{ gagged: false }, { note: 'The reviews are locked.' }];
  expect(await acts(site, demand.id)).toEqual([
    { ...by, action: 'legal.receive', details: { kind: 'subpoena', ...received } },
    { ...by, action: 'legal.unable', details: { kind: 'subpoena', ...unable } },
  ]);
  expect((await demands.decide(demand.id)).problem).toMatchObject({ code: 'case_closed' });
});

test('the author sees demands and outcomes at the review, by day', async ({ author, demands }) => {
  const review = await author.posts();
  expect(await author.sees(review.id)).not.toHaveProperty('legal_demands');
  const older = await demands.recorded({ review: review.id, received_on: '2026-11-02' });
  await demands.recorded({ review: review.id, kind: 'defamation_notice', jurisdiction: 'NY' });
  await demands.decide(older.id, { outcome: 'withdrawn' });
  const decided = { outcome: 'withdrawn', decided_on: '2026-11-22' };
  expect((await author.sees(review.id))?.legal_demands).toEqual([
    { kind: 'defamation_notice', received_on: '2026-11-20', outcome: null, decided_on: null },
    { kind: 'subpoena', received_on: '2026-11-02', ...decided },
  ]);
  // Nobody else does.
  const read = await author.get(reviewEndpoints.read, at(review.id));
  expect(read.body).not.toHaveProperty('legal_demands');
});

test('a wrong review can be corrected, even once decided', async ({ site, author, demands }) => {
  const [wrong, right] = [await author.posts(), await author.posts()];
  const { id } = await demands.recorded({ review: wrong.id });
  const errors = async (fields: object) => (await demands.correct(id, fields)).problem.errors;
  expect(await errors({ note: ' ' })).toEqual({ note: [DEMAND_MESSAGES.note] });
  expect(await errors({ due_on: 'soon' })).toEqual({ due_on: [DEMAND_MESSAGES.dueOn] });
  const unknown = { review: crypto.randomUUID() };
  expect(await errors(unknown)).toEqual({ review: [DEMAND_MESSAGES.review] });
  expect((await author.sees(wrong.id))?.legal_demands).toHaveLength(1);

  const corrected = await demands.correct(id, { review: right.id });
  expect(corrected.body).toMatchObject({ id, review: { id: right.id } });
  expect(await author.sees(wrong.id)).not.toHaveProperty('legal_demands');
  expect((await author.sees(right.id))?.legal_demands).toMatchObject([{ kind: 'subpoena' }]);
  // A second time changes nothing.
  await demands.correct(id, { review: `https://curbside.example/reviews/${right.id}` });
  await demands.decide(id);
  expect((await demands.correct(id, {})).body).toMatchObject({ review: null, outcome: 'unable' });
  expect(await author.sees(right.id)).not.toHaveProperty('legal_demands');

  const logged = (await acts(site, id)).filter(({ action }) => action === 'demand.correct');
  expect(logged).toHaveLength(2);
  expect(logged[0]?.details).toEqual({ note: 'Misread the letter.' });
  expect(JSON.stringify(logged)).not.toMatch(new RegExp(`${wrong.id}|${right.id}`));
  expect((await demands.correct(crypto.randomUUID(), {})).status).toBe(404);
});

test('a due date can be corrected, and moves the case', async ({ site, owner, demands }) => {
  const { id } = await demands.recorded({ due_on: '2026-11-21' });
  const dueOf = async () => {
    const { results } = (await site.as(owner).get(caseEndpoints.list)).body;
    const open = await caseOf(site, id);
    return results.find((one) => one.id === open?.id)?.due;
  };
  expect(await dueOf()).toEqual({ on: '2026-11-21', is_overdue: true });
  expect((await demands.correct(id, { due_on: '2026-12-04' })).body.due_on).toBe('2026-12-04');
  expect(await dueOf()).toEqual({ on: '2026-12-04', is_overdue: false });
  await demands.correct(id, {});
  expect(await dueOf()).toEqual({ on: '2026-12-04', is_overdue: false });
  await demands.correct(id, { due_on: null });
  expect(await dueOf()).toBeNull();
  await demands.decide(id);
  expect((await demands.correct(id, { due_on: '2026-12-05' })).body.due_on).toBe('2026-12-05');
});

test('a corrected demand under a gag is shown to nobody', async ({ author, demands }) => {
  const [wrong, right] = [await author.posts(), await author.posts()];
  const { id } = await demands.recorded({ review: wrong.id, is_gagged: true });
  await demands.correct(id, { review: right.id });
  expect(await author.sees(right.id)).not.toHaveProperty('legal_demands');
  await demands.liftGag(id);
  expect((await author.sees(right.id))?.legal_demands).toHaveLength(1);
  expect(await author.sees(wrong.id)).not.toHaveProperty('legal_demands');
});

test('the public record is the same after a correction', async ({ site, author, demands }) => {
  const record = () => readRecord(site.deps);
  const review = await author.posts();
  const { id } = await demands.recorded({ review: review.id });
  // In the next month, which has nothing else.
  site.time.now = new Date('2026-12-05T12:00:00Z');
  const before = await record();
  const late = demandsOf(site, await site.admin(['owner']));
  expect((await late.correct(id, {})).status).toBe(200);
  expect(await record()).toEqual(before);
  site.time.now = new Date('2027-01-05T12:00:00Z');
  expect((await record()).months).toEqual(before.months);
});

test('nothing in the office shows who wrote a review', async ({ site, owner, author, demands }) => {
  const review = await author.posts();
  const demand = await demands.recorded({ review: review.id });
  const { id: case_id = '' } = (await caseOf(site, demand.id)) ?? {};
  const client = site.as(owner);
  for (const { text, headers } of [
    await client.get(legalEndpoints.list),
    await client.get(caseEndpoints.list),
    await client.get(caseEndpoints.read, at(case_id)),
  ]) {
    expect(text).not.toMatch(/_key|author|reporter|voter|review_text/);
    expect(text).not.toContain(author.userId);
    expect(headers['cache-control']).toBe('no-store, no-transform');
  }
});

test('a gag hides the demand from the author until lifted', async ({ site, author, demands }) => {
  const review = await author.posts();
  const { id } = await demands.recorded({ review: review.id, is_gagged: true });
  await demands.decide(id, { outcome: 'complied_in_part' });
  expect(await author.sees(review.id)).not.toHaveProperty('legal_demands');
  for (const times of [1, 2]) {
    expect((await demands.liftGag(id)).body, `${times}`).toMatchObject({ is_gagged: false });
  }
  const shown = (await author.sees(review.id))?.legal_demands;
  expect(shown).toMatchObject([{ outcome: 'complied_in_part' }]);
  const lifted = (await acts(site, id)).filter(({ action }) => action === 'gag.lift');
  expect(lifted).toHaveLength(1);
  expect((await demands.liftGag(crypto.randomUUID())).status).toBe(404);
});

test('a contested demand returns to the queue, to be decided again', async ({
  site,
  owner: account,
  demands,
}) => {
  const owner = site.as(account);
  const { id } = await demands.recorded({ kind: 'court_order' });
  const before = await caseOf(site, id);
  const case_id = before?.id ?? '';
  await owner.post(caseEndpoints.claim, at(case_id));
  await owner.post(caseEndpoints.note, { text: 'Their lawyer called.' }, at(case_id));
  const contested = { outcome: 'contested', note: 'Too broad.' };
  expect((await demands.decide(id, contested)).body).toMatchObject({ outcome: 'contested' });
  const after = await caseOf(site, id);
  expect(after).toMatchObject({ id: before?.id, opened_on: before?.opened_on, holder: null });
  const { body } = await owner.get(caseEndpoints.read, at(case_id));
  expect(body.notes).toMatchObject([{ text: 'Their lawyer called.' }]);
  expect((await demands.decide(id, contested)).problem).toMatchObject({ code: 'case_closed' });
  expect((await demands.decide(id, { outcome: 'complied' })).status).toBe(200);
  expect(await caseOf(site, id)).toBeUndefined();
});

test('of two owners, one decides, for good or not', async ({ site, other, demands }) => {
  const both = [demands, demandsOf(site, other)];
  for (const outcome of ['complied', 'contested']) {
    const { id } = await demands.recorded();
    const answers = await Promise.all(both.map(({ decide }) => decide(id, { outcome })));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    const logged = (await acts(site, id)).map(({ action }) => action);
    expect(logged.filter((action) => action === `legal.${outcome}`)).toHaveLength(1);
  }
});

test('nobody can decide a case that another has claimed', async ({ site, other, demands }) => {
  const { id } = await demands.recorded();
  const { id: case_id = '' } = (await caseOf(site, id)) ?? {};
  await site.as(other).post(caseEndpoints.claim, at(case_id));
  for (const outcome of ['complied', 'contested']) {
    expect((await demands.decide(id, { outcome })).problem).toMatchObject({ code: 'case_claimed' });
  }
  expect(await caseOf(site, id)).toMatchObject({ id: case_id, holder: other.userId });
  const theirs = demandsOf(site, other);
  const unknown = await theirs.decide(id, { case_id: crypto.randomUUID() });
  expect(unknown.problem.code).toBe('case_closed');
  expect((await theirs.decide(id, { case_id })).status).toBe(200);
});

test.for([
  [{ kind: 'gossip' }, { kind: [DEMAND_MESSAGES.kind] }],
  [{ received_on: 'yesterday' }, { received_on: [DEMAND_MESSAGES.receivedOn] }],
  [{ received_on: '0001-01-01' }, { received_on: [DEMAND_MESSAGES.receivedOn] }],
  [{ received_on: '2026-11-23' }, { received_on: [DEMAND_MESSAGES.future] }],
  [{ review: 'https://curbside.example/employers/7' }, { review: [DEMAND_MESSAGES.review] }],
  [{ review: crypto.randomUUID() }, { review: [DEMAND_MESSAGES.review] }],
  [{ due_on: 'soon' }, { due_on: [DEMAND_MESSAGES.dueOn] }],
  [{ due_on: '2100-01-01' }, { due_on: [DEMAND_MESSAGES.dueOn] }],
  [{ sender: 'x'.repeat(201) }, { sender: ['Must be at most 200 characters'] }],
  [{ docket: 'x'.repeat(101) }, { docket: ['Must be at most 100 characters'] }],
  [{ jurisdiction: 'x'.repeat(101) }, { jurisdiction: ['Must be at most 100 characters'] }],
] as const)('rejects %j', async ([fields, errors], { site, demands }) => {
  const before = await site.rows('cases');
  const { problem } = await demands.record(invalid(fields));
  expect(problem).toMatchObject({ status: 400 });
  expect(problem.errors).toEqual(errors);
  expect(await site.rows('cases')).toHaveLength(before.length);
});

test('a decision needs an outcome and a note, and a demand that exists', async ({ demands }) => {
  const { id } = await demands.recorded();
  const empty = await demands.decide(id, { outcome: 'ignored', note: ' ' });
  const { outcome, note } = DEMAND_MESSAGES;
  expect(empty.problem.errors).toEqual({ outcome: [outcome], note: [note] });
  expect((await demands.decide(crypto.randomUUID())).status).toBe(404);
});

test('a removed review can be named, but not a waiting one', async ({ site, author, demands }) => {
  const scheduled = { ...reviewOf(await site.employer()), publish: 'later' } as const;
  const later = (await author.post(reviewEndpoints.create, scheduled)).body;
  expect((await demands.record({ review: later.id })).status).toBe(400);
  const review = await author.posts();
  const moderator = site.as(await site.admin(['moderator']));
  await moderator.post(moderationEndpoints.remove, { reason: 'Not a review.' }, at(review.id));
  const demand = await demands.recorded({ review: review.id });
  expect(demand.review).toMatchObject({ is_public: false });
});

test('a demand outlives its review', async ({ site, owner, author, demands }) => {
  await demands.recorded();
  const review = await author.posts();
  const demand = await demands.recorded({ review: review.id, jurisdiction: ' Cook County, IL ' });
  await author.delete(reviewEndpoints.delete, at(review.id));
  expect(await caseOf(site, demand.id)).toBeDefined();
  const decided = { review: null, jurisdiction: 'Cook County, IL', outcome: 'complied' };
  const { body } = await demands.decide(demand.id, { outcome: 'complied' });
  expect(body).toMatchObject(decided);
  const query = { page_size: 100 };
  const { results } = (await site.as(owner).get(legalEndpoints.list, { query })).body;
  expect(results.find(({ id }) => id === demand.id)).toMatchObject({ outcome: 'complied' });
  const days = results.map(({ received_on }) => received_on);
  expect(days).toEqual(days.toSorted().toReversed());
  const second = { query: { page: 2, page_size: 1 } };
  const { body: page } = await site.as(owner).get(legalEndpoints.list, second);
  expect(page.results.map(({ id }) => id)).toEqual([results[1]?.id]);
});
