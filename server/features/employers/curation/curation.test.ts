import { employerEndpoints } from '#contract/endpoints/employers.ts';
import { moderationEndpoints } from '#contract/endpoints/moderation.ts';
import { reviewEndpoints } from '#contract/endpoints/reviews.ts';
import { logOf, reviewOf } from '#server/testing/factories.ts';
import { expect, invalid, newSite, at as of, test as siteTest } from '#server/testing/site.ts';

const { curate, filterOptions, insights, list, listSubmitted, merge, read } = employerEndpoints;
const { correct, previewMerge, readFile, reviews } = employerEndpoints;

const test = siteTest
  .extend('curator', ({ site }) => site.admin())
  .extend('doctors', ({ site }) => Promise.all([site.doctor(), site.doctor(), site.doctor()]))
  .extend('into', ({ site }) => site.employer())
  .extend('from', ({ site }) => site.employer())
  .extend('third', ({ site }) => site.employer())
  .extend('client', ({ site, curator }) => site.as(curator))
  .extend('mergeInto', ({ client }) => (into: number, from: number) => {
    return client.post(merge, { into }, of(from));
  })
  .extend('change', ({ client }) => (id: number, facts: object) => {
    return client.patch(curate, invalid(facts), of(id));
  });

const SUBMITTED = { source: 'user', source_id: null, employer_type: 'others' };
const submitted = (name: string) => ({ name, ...SUBMITTED });

test('a merge moves reviews, figures, and links', async ({ site, curator, doctors, mergeInto }) => {
  const [ada, ben, eve] = doctors;
  const visitor = site.visitor();
  const into = await site.employer({ name: 'Wimbrel Valley Medical Center' });
  const from = await site.employer(submitted('Wimbrel Valley'));
  const earlier = await site.employer(submitted('Wimbrl'));
  await site.review({ by: ada, at: into, overall_rating: 1 });
  site.pass(60_000);
  await site.review({ by: ada, at: from, overall_rating: 5 });
  await site.review({ by: ada, at: from, overall_rating: 2, position_title: 'Nocturnist' });
  await site.review({ by: ben, at: from, overall_rating: 4 });
  const total = async () => (await visitor.get(filterOptions)).body.total_employers;
  const before = await total();

  expect((await mergeInto(from, earlier)).body).toMatchObject({ moved_reviews: 0 });
  const employer = { id: into, total_reviews: 4, overall_rating: 3 };
  expect((await mergeInto(into, from)).body).toMatchObject({ moved_reviews: 3, employer });
  const { results } = (await visitor.get(reviews, of(into))).body;
  expect(results.map((one) => one.overall_rating).sort()).toEqual([1, 2, 4, 5]);

  for (const id of [from, earlier]) {
    const moved = await visitor.get(reviews, { ...of(id), query: { page_size: 5 } });
    expect(moved.status).toBe(301);
    expect(moved.headers['location']).toBe(`/api/employers/${into}/reviews/?page_size=5`);
    expect((await visitor.get(read, of(id))).body).toEqual({ merged_into: into });
    expect((await visitor.get(insights, of(id))).status).toBe(301);
  }
  const found = (await visitor.get(list, { query: { search: 'wimbrel' } })).body;
  expect(found).toMatchObject({ count: 1, results: [{ id: into }] });
  expect(await total()).toBe(before - 2);
  expect((await visitor.get(list)).body.count).toBe(before - 2);

  const names = { ...reviewOf(0), employer: 'wimbrel VALLEY', is_custom_employer: 'true' as const };
  const named = await site.as(eve).post(reviewEndpoints.create, names);
  expect(named.body.employer.id).toBe(into);
  expect((await site.review({ at: from })).employer.id).toBe(into);

  const acts = await logOf(site, `${from}`, 'happened_on', 'actor', 'action', 'details');
  const happened_on = site.time.now.toISOString().slice(0, 10);
  const details = { into, moved_reviews: 3 };
  const entry = { happened_on, actor: curator.userId, action: 'employers.merge', details };
  expect(acts).toContainEqual(entry);
});

test("one author's two reviews look like two people's", async ({ site, doctors, mergeInto }) => {
  const [ada, ben, eve] = doctors;
  const [into, from] = [await site.employer(), await site.employer()];
  const first = await site.review({ by: ada, at: into, overall_rating: 2 });
  const second = await site.review({ by: ada, at: from, overall_rating: 5 });

  // The response is the same as for two reviews by two people.
  const [otherInto, otherFrom] = [await site.employer(), await site.employer()];
  await site.review({ by: ben, at: otherInto, overall_rating: 2 });
  await site.review({ by: eve, at: otherFrom, overall_rating: 5 });
  const shapeOf = async (merging: ReturnType<typeof mergeInto>) => {
    const { status, body } = await merging;
    const { employer, ...counts } = body;
    return [status, counts, employer.total_reviews, employer.overall_rating];
  };
  const shape = [200, { moved_reviews: 1 }, 2, 3.5];
  expect(await shapeOf(mergeInto(into, from))).toEqual(shape);
  expect(await shapeOf(mergeInto(otherInto, otherFrom))).toEqual(shape);

  const author = site.as(ada);
  const own = (await author.get(reviewEndpoints.listOwn)).body;
  expect(new Set(own.map(({ id }) => id))).toEqual(new Set([first.id, second.id]));
  // Both can still be edited, and each counts for the employer it was written for.
  for (const { id } of [first, second]) {
    const edit = reviewOf(into, { pros: 'Parking.' });
    const edited = await author.patch(reviewEndpoints.edit, edit, { params: { id } });
    expect([edited.status, edited.body.employer.id]).toEqual([200, into]);
  }
  for (const [employer, review] of [[into, first] as const, [from, second] as const]) {
    const { problem } = await author.post(reviewEndpoints.create, reviewOf(employer));
    expect(problem).toMatchObject({ code: 'duplicate_review', review_id: review.id });
  }
});

test('a preview moves nothing', async ({ site, client, doctors, into, from, mergeInto }) => {
  const earlier = await site.employer();
  const preview = (id: number, query: { into: number }) =>
    client.get(previewMerge, { ...of(id), query });
  const [hidden] = await Promise.all(doctors.map((by) => site.review({ by, at: from })));
  const removal = { params: { id: hidden?.id ?? '' } };
  await client.post(moderationEndpoints.remove, { reason: 'Not a review' }, removal);
  const correction = { field: 'phone', value: '334 555 0177', source: 'I called them' } as const;
  for (const employer of [from, earlier, into]) {
    await site.as(doctors[0]).post(correct, correction, of(employer));
  }
  await mergeInto(from, earlier);

  const shown = (await preview(from, { into })).body;
  expect(shown).toMatchObject({
    from: { id: from, total_reviews: 2 },
    into: { id: into, total_reviews: 0 },
    ...{ reviews: 3, redirects: 1, corrections: 2 },
  });
  // It counts neither accounts that saved the employer nor unpublished reviews.
  const keys = ['corrections', 'from', 'into', 'redirects', 'reviews', 'version'];
  expect(Object.keys(shown).toSorted()).toEqual(keys);
  expect((await site.visitor().get(read, of(from))).body).toMatchObject({ total_reviews: 2 });
  expect((await mergeInto(into, from)).body).toMatchObject({ moved_reviews: 3 });
  expect((await preview(from, { into })).problem.errors).toHaveProperty('id');
  expect((await preview(into, { into })).problem.errors).toHaveProperty('into');
  expect((await preview(999_999, { into })).status).toBe(404);
});

test('of two simultaneous merges, one is made', async ({ into, from, third, mergeInto }) => {
  const replies = await Promise.all([mergeInto(into, from), mergeInto(third, from)]);
  expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 400]);
});

test('rejects nonsensical merges', async ({ into, from, third, mergeInto }) => {
  await mergeInto(into, from);
  const refused = async (to: number, id: number) => {
    const { status, errors } = (await mergeInto(to, id)).problem;
    return [status, ...Object.keys(errors ?? {})];
  };
  expect(await refused(third, third)).toEqual([400, 'into']);
  expect(await refused(999_999, third)).toEqual([400, 'into']);
  expect(await refused(from, third)).toEqual([400, 'into']);
  expect(await refused(third, from)).toEqual([400, 'id']);
  expect(await refused(third, 999_999)).toEqual([404]);
});

test('reviews written during a merge all move with it', async ({ site, into, from, mergeInto }) => {
  const doctors = await Promise.all(Array.from({ length: 8 }, () => site.doctor()));
  const [merged] = await Promise.all([
    mergeInto(into, from),
    ...doctors.map((by) => site.review({ by, at: from })),
  ]);
  expect(merged.status).toBe(200);
  expect((await site.visitor().get(read, of(into))).body).toMatchObject({ total_reviews: 8 });
});

test('renames, retypes, and closes an employer at once', async ({ site, change }) => {
  const find = async (query: object) => (await site.visitor().get(list, { query })).body;
  const id = await site.employer(submitted('thornqist vally'));
  await site.employer(submitted('Tarn Clinic of Curation'));
  const search = 'thornquist';
  expect((await find({ search })).results[0]?.id).toBe(id);
  const facts = { name: 'Thornquist Valley', employer_type: 'clinic', hospital_status: 'Closed' };
  expect((await change(id, facts)).body).toMatchObject({ id, ...facts });
  const closed = await find({ hospital_status: 'Closed', employer_type: 'clinic', search });
  expect(closed).toMatchObject({ count: 1, results: [facts] });
  const curated_fields = ['employer_type', 'hospital_status', 'name'];
  expect(await site.rows('employers', { id })).toMatchObject([{ curated_fields }]);

  const taken = { name: 'TARN clinic of curation' };
  for (const wrong of [taken, { name: '?' }, { employer_type: 'ward' }]) {
    const { problem } = await change(id, wrong);
    expect(Object.keys(problem.errors ?? {})).toEqual(Object.keys(wrong));
  }
  expect((await change(id, {})).status).toBe(400);
  expect((await change(999_999, facts)).status).toBe(404);
});

test('changes any fact, even to unknown, with a reason for the log', async ({ site, change }) => {
  const known = { name: 'Ostrelby Hospital', trauma_level: 'Level I', has_helipad: true };
  const id = await site.employer(known);
  const facts = {
    ...{ address: '1 Main Street', city: 'Boise', state: 'id', zip: '83702', website: null },
    ...{ phone: '208.555.0100', bed_count: 0, trauma_level: null, has_helipad: false },
  };
  const changed = { ...facts, state: 'ID', phone: '(208) 555-0100' };
  const reason = 'Their own page says so.';
  expect((await change(id, { ...facts, reason })).body).toMatchObject({ id, ...changed });
  expect((await site.visitor().get(read, of(id))).body).toMatchObject(changed);
  const query = { state: 'ID', search: 'ostrelby' };
  const found = (await site.visitor().get(list, { query })).body;
  expect(found).toMatchObject({ results: [{ id }] });
  const entry = { action: 'employers.curate', details: { ...changed, reason } };
  expect(await logOf(site, String(id), 'action', 'details')).toEqual([entry]);
  const name = ['Please specify at least one change'];
  expect((await change(id, { reason })).problem.errors).toEqual({ name });
  expect((await change(id, { zip: '1' })).problem.errors).toHaveProperty('zip');
  expect((await change(id, { id: 7 })).status).toBe(400);
});

test('curators see the likely duplicates of any employer', async ({ site, curator, mergeInto }) => {
  const file = (id: number) => site.as(curator).get(readFile, of(id));
  const name = 'Brindlecote Marlwick Medical Center';
  const known = await site.employer({ name });
  const other = await site.employer({ name: 'Brindlecote Marlwick Medical Centre' });
  expect((await file(other)).body).toMatchObject({
    employer: { id: other },
    merged_into: null,
    candidates: [{ id: known }],
  });
  await mergeInto(known, other);
  expect((await file(other)).body.merged_into).toEqual({ id: known, name });
  expect((await file(999_999)).status).toBe(404);
});

test('of likely duplicates, those under one roof come first', async ({ site, curator }) => {
  const place = { city: 'QUARLEY', state: 'TX', zip: '77030' };
  const name = 'Brackenshaw Long Term Hospital';
  const id = await site.employer({
    name,
    ...place,
    address: '12 First Street',
    phone: '7135550100',
  });
  const roof = await site.employer({
    ...{ name: 'Zephyr Rehabilitation', ...place, address: '12 1ST ST' },
    phone: '(713) 555-0100',
  });
  const phone = await site.employer({ name: 'Osk Clinic', ...place, phone: '713-555-0100' });
  await site.employer({ name: 'Unrelated Clinic', ...place, address: '9 Elm St' });
  const elsewhere = await site.employer({
    name: 'Brackenshaw Long Term Acute Hospital',
    city: 'ELKO',
    state: 'NV',
  });
  const { candidates, in_common } = (await site.as(curator).get(readFile, of(id))).body;
  expect(candidates.map((each) => each.id)).toEqual([roof, phone, elsewhere]);
  expect(in_common).toEqual([
    { id: roof, facts: ['address', 'phone'] },
    { id: phone, facts: ['phone'] },
    { id: elsewhere, facts: [] },
  ]);
});

test('lists employers added by doctors with possible duplicates', async () => {
  const site = await newSite();
  const known = await site.employer({ name: 'Penhallow Valley Medical Center' });
  const added = await site.employer(submitted('Penhalow Valley Hospital'));
  expect((await site.as(await site.admin()).get(listSubmitted)).body).toMatchObject({
    count: 1,
    results: [{ employer: { id: added, user_submitted: true }, candidates: [{ id: known }] }],
  });
});
