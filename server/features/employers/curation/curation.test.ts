import { assert, expect, test } from 'vitest';
import type { EmployerMerge } from '#contract/employer-curation.ts';
import type { Employer } from '#contract/employers.ts';
import type { Page } from '#contract/paging.ts';
import type { Review, ReviewRequest } from '#contract/reviews.ts';
import { buildTestApp, type TestApp } from '#server/testing/app.ts';
import {
  newEmployer,
  reviewOf,
  signedInAdmin,
  signedInDoctor,
  type TestAccount,
} from '#server/testing/factories.ts';

async function write(
  { app }: TestApp,
  { headers }: TestAccount,
  employer: number,
  fields: Partial<ReviewRequest> = {},
) {
  const payload = reviewOf(employer, fields);
  return app.inject({ method: 'POST', url: '/api/reviews/', headers, payload });
}

async function curator(server: TestApp) {
  const { headers, userId } = await signedInAdmin(server);
  return {
    userId,
    merge: (from: number, into: number) =>
      server.app.inject({
        method: 'POST',
        url: `/api/admin/employers/${from}/merge/`,
        headers,
        payload: { into },
      }),
    read: (id: number) => server.app.inject({ url: `/api/admin/employers/${id}/`, headers }),
    preview: (from: number, into: number) =>
      server.app.inject({ url: `/api/admin/employers/${from}/merge/?into=${into}`, headers }),
    moderate: (id: string, act: string) =>
      server.app.inject({
        method: 'POST',
        url: `/api/admin/reviews/${id}/${act}/`,
        headers,
        payload: { reason: 'Not a review' },
      }),
    curate: (id: number, payload: object) =>
      server.app.inject({ method: 'PATCH', url: `/api/admin/employers/${id}/`, headers, payload }),
    submitted: () => server.app.inject({ url: '/api/admin/employers/submitted/', headers }),
  };
}

const submitted = (name: string) => ({
  name,
  source: 'user',
  source_id: null,
  employer_type: 'others',
});
const get = ({ app }: TestApp, path: string) => app.inject({ url: `/api/employers/${path}` });

test('a merge moves reviews and figures, and old links and names lead to the remaining employer', async () => {
  await using server = await buildTestApp();
  const { merge, userId } = await curator(server);
  const into = await newEmployer(server, { name: 'Penhallow Valley Medical Center' });
  const from = await newEmployer(server, submitted('Penhallow Valley'));
  const earlier = await newEmployer(server, submitted('Penhalow'));
  const [ada, ben] = [await signedInDoctor(server), await signedInDoctor(server)];
  await write(server, ada, into, { overall_rating: 1 });
  server.time.now = new Date(server.time.now.getTime() + 60_000);
  await write(server, ada, from, { overall_rating: 5 });
  await write(server, ada, from, { overall_rating: 2, position_title: 'Nocturnist' });
  await write(server, ben, from, { overall_rating: 4 });

  expect((await merge(earlier, from)).json()).toMatchObject({ moved_reviews: 0 });
  const merged = await merge(from, into);
  expect(merged.json()).toMatchObject({
    moved_reviews: 3,
    employer: { id: into, total_reviews: 4, overall_rating: 3 },
  });
  const reviews = (await get(server, `${into}/reviews/`)).json<Page<Review>>();
  expect(reviews.results.map((one) => one.overall_rating).sort()).toEqual([1, 2, 4, 5]);

  for (const id of [from, earlier]) {
    const moved = await get(server, `${id}/reviews/?page_size=5`);
    expect(moved.statusCode).toBe(301);
    expect(moved.headers.location).toBe(`/api/employers/${into}/reviews/?page_size=5`);
    expect((await get(server, `${id}/`)).json()).toEqual({ merged_into: into });
    expect((await get(server, `${id}/insights/`)).statusCode).toBe(301);
  }
  expect((await get(server, '')).json()).toMatchObject({ count: 1, results: [{ id: into }] });
  expect((await get(server, '?search=penhallow')).json<Page<Employer>>().count).toBe(1);
  expect((await get(server, 'filter_options/')).json()).toMatchObject({ total_employers: 1 });

  const named = await write(server, await signedInDoctor(server), 0, {
    employer: 'penhallow VALLEY',
    is_custom_employer: 'true',
  });
  expect(named.json<Review>().employer.id).toBe(into);
  const linked = await write(server, await signedInDoctor(server), from);
  expect(linked.json<Review>().employer.id).toBe(into);

  const acts = await server.deps.db.selectFrom('audit_log').selectAll().execute();
  expect(acts).toContainEqual({
    id: expect.any(String),
    happened_on: server.time.now.toISOString().slice(0, 10),
    actor: userId,
    action: 'employers.merge',
    subject: String(from),
    details: { into, moved_reviews: 3 },
  });
});

test('a merge keeps both reviews of one author, and does not reveal that one person wrote them', async () => {
  await using server = await buildTestApp();
  const { merge } = await curator(server);
  const [into, from] = [await newEmployer(server), await newEmployer(server)];
  const [ada, ben, eve] = await Promise.all([1, 2, 3].map(() => signedInDoctor(server)));
  assert(ada && ben && eve);
  const first = (await write(server, ada, into, { overall_rating: 2 })).json<Review>();
  const second = (await write(server, ada, from, { overall_rating: 5 })).json<Review>();

  // The response is the same as for two reviews by two people.
  const [otherInto, otherFrom] = [await newEmployer(server), await newEmployer(server)];
  await write(server, ben, otherInto, { overall_rating: 2 });
  await write(server, eve, otherFrom, { overall_rating: 5 });
  const [of, ofOthers] = [await merge(from, into), await merge(otherFrom, otherInto)];
  const shape = (answer: typeof of) => {
    const { employer, ...counts } = answer.json<EmployerMerge>();
    return [answer.statusCode, counts, employer.total_reviews, employer.overall_rating];
  };
  expect(shape(of)).toEqual(shape(ofOthers));
  expect(shape(of)).toEqual([200, { moved_reviews: 1 }, 2, 3.5]);

  const own = await server.app.inject({ url: '/api/reviews/my_reviews/', headers: ada.headers });
  expect(new Set(own.json<Review[]>().map(({ id }) => id))).toEqual(new Set([first.id, second.id]));
  // Both can still be edited, and each counts for the employer it was written for.
  for (const { id } of [first, second]) {
    const { employer: _, is_custom_employer: __, ...edit } = reviewOf(into, { pros: 'Parking.' });
    const url = `/api/reviews/${id}/`;
    const edited = await server.app.inject({
      method: 'PATCH',
      url,
      headers: ada.headers,
      payload: edit,
    });
    expect([edited.statusCode, edited.json<Review>().employer.id]).toEqual([200, into]);
  }
  expect((await write(server, ada, into)).json()).toMatchObject({
    code: 'duplicate_review',
    review_id: first.id,
  });
  expect((await write(server, ada, from)).json()).toMatchObject({
    code: 'duplicate_review',
    review_id: second.id,
  });
});

test('a preview shows what a merge will move, and moves nothing', async () => {
  await using server = await buildTestApp();
  const { merge, preview, moderate } = await curator(server);
  const [into, from, earlier] = [
    await newEmployer(server),
    await newEmployer(server),
    await newEmployer(server),
  ];
  const doctors = await Promise.all([1, 2, 3].map(() => signedInDoctor(server)));
  for (const doctor of doctors) await write(server, doctor, from);
  const hidden = (await get(server, `${from}/reviews/`)).json<Page<Review>>().results[0]?.id;
  await moderate(hidden ?? '', 'remove');
  const [doctor] = doctors;
  for (const [employer, field] of [
    [from, 'phone'],
    [earlier, 'phone'],
    [into, 'phone'],
  ] as const) {
    await server.app.inject({
      method: 'POST',
      url: `/api/employers/${employer}/corrections/`,
      headers: doctor?.headers ?? {},
      payload: { field, value: '334 555 0177', source: 'I called them' },
    });
  }
  await merge(earlier, from);

  const shown = await preview(from, into);
  expect(shown.json()).toMatchObject({
    from: { id: from, total_reviews: 2 },
    into: { id: into, total_reviews: 0 },
    reviews: 3,
    redirects: 1,
    corrections: 2,
  });
  // It counts neither accounts that saved the employer nor unpublished reviews.
  expect(Object.keys(shown.json()).toSorted()).toEqual([
    ...['corrections', 'from', 'into', 'redirects', 'reviews'],
  ]);
  expect((await get(server, `${from}/`)).json()).toMatchObject({ total_reviews: 2 });
  expect((await merge(from, into)).json()).toMatchObject({ moved_reviews: 3 });
  expect((await preview(from, into)).json().errors).toHaveProperty('id');
  expect((await preview(into, into)).json().errors).toHaveProperty('into');
  expect((await preview(999_999, into)).statusCode).toBe(404);
});

test('of two simultaneous merges of one employer, one is made', async () => {
  await using server = await buildTestApp();
  const { merge } = await curator(server);
  const [from, a, b] = [
    await newEmployer(server),
    await newEmployer(server),
    await newEmployer(server),
  ];
  const answers = await Promise.all([merge(from, a), merge(from, b)]);
  expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 400]);
});

test('rejects nonsensical merges', async () => {
  await using server = await buildTestApp();
  const { merge } = await curator(server);
  const [a, b, c] = [
    await newEmployer(server),
    await newEmployer(server),
    await newEmployer(server),
  ];
  await merge(a, b);
  const refused = async (from: number, into: number) => {
    const answer = await merge(from, into);
    return [answer.statusCode, ...Object.keys(answer.json().errors ?? {})];
  };
  expect(await refused(c, c)).toEqual([400, 'into']);
  expect(await refused(c, 999_999)).toEqual([400, 'into']);
  expect(await refused(c, a)).toEqual([400, 'into']);
  expect(await refused(a, c)).toEqual([400, 'id']);
  expect(await refused(999_999, c)).toEqual([404]);
});

test('reviews written during a merge all end up with the remaining employer', async () => {
  await using server = await buildTestApp();
  const { merge } = await curator(server);
  const [into, from] = [await newEmployer(server), await newEmployer(server)];
  const doctors = await Promise.all(Array.from({ length: 8 }, () => signedInDoctor(server)));
  const [merged, ...written] = await Promise.all([
    merge(from, into),
    ...doctors.map((doctor) => write(server, doctor, from)),
  ]);
  expect([merged.statusCode, ...written.map((one) => one.statusCode)]).toEqual([
    200,
    ...doctors.map(() => 201),
  ]);
  expect((await get(server, `${into}/`)).json()).toMatchObject({ total_reviews: 8 });
});

test('renames, retypes, and closes an employer, visible in the next response', async () => {
  await using server = await buildTestApp();
  const { curate } = await curator(server);
  const id = await newEmployer(server, submitted('penhalow vally'));
  await newEmployer(server, submitted('Tarn Clinic'));
  expect((await get(server, '?search=penhallow')).json().results[0]?.id).toBe(id);
  const change = { name: 'Penhallow Valley', employer_type: 'clinic', hospital_status: 'Closed' };
  expect((await curate(id, change)).json()).toMatchObject({ id, ...change });
  expect((await get(server, '?hospital_status=Closed&employer_type=clinic')).json()).toMatchObject({
    count: 1,
    results: [change],
  });
  const { curated_fields } = await server.deps.db
    .selectFrom('employers')
    .select('curated_fields')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  expect(curated_fields).toEqual(['employer_type', 'hospital_status', 'name']);

  expect((await curate(id, { name: 'TARN clinic' })).json().errors).toHaveProperty('name');
  expect((await curate(id, {})).statusCode).toBe(400);
  expect((await curate(id, { name: '?' })).json().errors).toHaveProperty('name');
  expect((await curate(id, { employer_type: 'ward' })).json().errors).toHaveProperty(
    'employer_type',
  );
  expect((await curate(999_999, change)).statusCode).toBe(404);
});

test('changes any fact, with a reason for the log; a fact may become unknown', async () => {
  await using server = await buildTestApp();
  const { curate } = await curator(server);
  const id = await newEmployer(server, { trauma_level: 'Level I', has_helipad: true });
  const facts = {
    ...{ address: '1 Main Street', city: 'Boise', state: 'id', zip: '83702', website: null },
    ...{ phone: '208.555.0100', bed_count: 0, trauma_level: null, has_helipad: false },
  };
  const changed = { ...facts, state: 'ID', phone: '(208) 555-0100' };
  const reason = 'Their own page says so.';
  expect((await curate(id, { ...facts, reason })).json()).toMatchObject({ id, ...changed });
  expect((await get(server, `${id}/`)).json()).toMatchObject(changed);
  expect((await get(server, '?state=ID')).json()).toMatchObject({ results: [{ id }] });
  const act = await server.deps.db
    .selectFrom('audit_log')
    .select('details')
    .where('action', '=', 'employers.curate')
    .executeTakeFirst();
  expect(act?.details).toEqual({ ...changed, reason });
  expect((await curate(id, { reason })).json().errors).toEqual({
    name: ['Please specify at least one change'],
  });
  expect((await curate(id, { zip: '1' })).json().errors).toHaveProperty('zip');
  expect((await curate(id, { id: 7 })).statusCode).toBe(400);
});

test('curators can read any employer with its likely duplicates, including merged ones', async () => {
  await using server = await buildTestApp();
  const { merge, read } = await curator(server);
  const known = await newEmployer(server, { name: 'Penhallow Valley Medical Center' });
  const other = await newEmployer(server, { name: 'Penhallow Valley Medical Centre' });
  expect((await read(other)).json()).toMatchObject({
    employer: { id: other },
    merged_into: null,
    candidates: [{ id: known }],
  });
  await merge(other, known);
  expect((await read(other)).json().merged_into).toEqual({
    id: known,
    name: 'Penhallow Valley Medical Center',
  });
  expect((await read(999_999)).statusCode).toBe(404);
});

test('lists employers added by doctors with possible duplicates', async () => {
  await using server = await buildTestApp();
  const known = await newEmployer(server, { name: 'Penhallow Valley Medical Center' });
  const added = await newEmployer(server, submitted('Penhalow Valley Hospital'));
  const { submitted: list } = await curator(server);
  expect((await list()).json()).toMatchObject({
    count: 1,
    results: [{ employer: { id: added, user_submitted: true }, candidates: [{ id: known }] }],
  });
});

test('only administrators can curate', async () => {
  await using server = await buildTestApp();
  const { headers } = await signedInDoctor(server);
  const call = (extra: object) =>
    server.app.inject({
      method: 'POST',
      url: '/api/admin/employers/1/merge/',
      payload: { into: 2 },
      ...extra,
    });
  expect((await call({})).statusCode).toBe(401);
  expect((await call({ headers })).statusCode).toBe(403);
});
