import { employerEndpoints } from '#contract/endpoints/employers.ts';
import { reviewEndpoints } from '#contract/endpoints/reviews.ts';
import { CUSTOM_EMPLOYER_ID } from '#contract/review-choices.ts';
import type { OwnReview, ReviewRequest } from '#contract/reviews/reviews.ts';
import { reviewOf } from '#server/testing/factories.ts';
import { expect, test as siteTest } from '#server/testing/site.ts';

const { add } = employerEndpoints;
const { create, edit, publish } = reviewEndpoints;
const at = (id: string) => ({ params: { id } });

const test = siteTest
  .extend('poster', async ({ site }) => site.as(await site.doctor()))
  .extend('other', async ({ site }) => site.as(await site.doctor()));

/** A name that no other test has. */
const newName = () => `Samaritan ${crypto.randomUUID().slice(0, 8)}`;
const naming = (employer: string, fields: Partial<ReviewRequest> = {}) =>
  reviewOf(0, { ...fields, employer, is_custom_employer: 'true' });

const DAYTON = { city: 'DAYTON', state: 'OH' };
const KEARNEY = { city: 'KEARNEY', state: 'NE' };
const SITKA = { city: 'Sitka', state: 'AK' };

test('a bare name is its only employer; of several, all are offered', async ({ site, poster }) => {
  const name = newName();
  const dayton = await site.employer({ name, ...DAYTON, address: '1 Main St' });
  expect((await poster.post(add, { name })).body.id).toBe(dayton);
  const kearney = await site.employer({ name: name.toUpperCase(), ...KEARNEY });

  const candidates = [
    { id: kearney, name: name.toUpperCase(), ...KEARNEY, address: null },
    { id: dayton, name, ...DAYTON, address: '1 Main St' },
  ];
  const errors = { employer: [expect.any(String)] };
  for (const { problem } of [
    await poster.post(add, { name }),
    await poster.post(create, naming(name)),
    await poster.post(create, naming(name, { publish: 'later' })),
  ]) {
    expect(problem).toMatchObject({ status: 400, code: 'several_employers', errors, candidates });
  }
  // The city and the state narrow them down, whatever their spelling.
  expect((await poster.post(add, { name, state: 'oh' })).body.id).toBe(dayton);
  expect((await poster.post(add, { name, city: ' kearney ' })).body.id).toBe(kearney);
  const { body } = await poster.post(create, naming(name, DAYTON));
  expect(body.employer).toEqual({ id: dayton, name, ...DAYTON });
});

test('the same name at another place, or at none, is a new employer', async ({ site, poster }) => {
  const name = newName();
  const dayton = await site.employer({ name, ...DAYTON });
  const posted = (await poster.post(create, naming(name, SITKA))).body;
  expect(posted.employer).toEqual({ id: expect.any(Number), name, ...SITKA });
  expect(posted.employer.id).not.toBe(dayton);
  expect((await poster.post(add, { name, city: 'SITKA', state: 'ak' })).body).toMatchObject({
    ...posted.employer,
    user_submitted: true,
  });
  // Null: there is one, but it is not known.
  const placeless = { city: null, state: null };
  const { body } = await poster.post(add, { name, ...placeless });
  expect([dayton, posted.employer.id]).not.toContain(body.id);
  expect(body).toMatchObject({ name, ...placeless });
  expect((await poster.post(add, { name, city: '', state: ' ' })).body.id).toBe(body.id);
});

test('a place and name of several employers is not settled silently', async ({ site, poster }) => {
  const name = newName();
  const place = { city: 'HARTFORD', state: 'CT' };
  const ids = [
    await site.employer({ name, ...place, address: '80 Seymour St' }),
    await site.employer({ name, ...place, address: '200 Retreat Ave' }),
  ];
  for (const { problem } of [
    await poster.post(add, { name, ...place }),
    await poster.post(create, naming(name, place)),
  ]) {
    expect(problem.code).toBe('several_employers');
    const found = problem['candidates'] as { id: number; address: string }[];
    expect(found.map(({ id, address }) => [id, address])).toEqual([
      [ids[1], '200 Retreat Ave'],
      [ids[0], '80 Seymour St'],
    ]);
  }
});

test('simultaneous requests for one name create one per place', async ({ poster, other }) => {
  const name = newName();
  const places = [SITKA, { city: 'sitka', state: 'ak' }, KEARNEY, DAYTON];
  const added = await Promise.all(
    [...places, ...places].map((place, n) =>
      (n % 2 ? poster : other).post(add, { name, ...place }),
    ),
  );
  const ids = added.map(({ body }) => body.id);
  expect(new Set(ids).size).toBe(3);
  expect([ids[1], ids[4], ids[5]]).toEqual([ids[0], ids[0], ids[0]]);
  const [one, two] = await Promise.all(
    [poster, other].map((author) => author.post(create, naming(`New ${name}`, SITKA))),
  );
  expect(one?.body.employer).toEqual(two?.body.employer);
});

test("a scheduled review keeps its employer's place, even if edited", async ({ poster, other }) => {
  const name = newName();
  const later = naming(name, { ...SITKA, publish: 'later' });
  const { body } = await poster.post(create, later);
  const employer = { id: CUSTOM_EMPLOYER_ID, name, ...SITKA };
  expect(body.employer).toEqual(employer);
  // The response was lost, and the form sends the same again.
  const again = (await poster.post(create, later)).problem;
  expect(again).toMatchObject({ code: 'duplicate_review', review_id: body.id, identical: true });
  // Another place is another job.
  expect((await poster.post(create, { ...later, ...KEARNEY })).status).toBe(201);
  const { publish: _, ...change } = naming(name, { ...DAYTON, cons: 'Stairs' });
  expect((await poster.patch(edit, change, at(body.id))).body.employer).toEqual(employer);
  const elsewhere = (await other.post(add, { name, ...DAYTON })).body;
  const published = (await poster.post(publish, at(body.id))).body;
  expect(published.employer).toEqual({ id: expect.any(Number), name, ...SITKA });
  expect(published.employer.id).not.toBe(elsewhere.id);
});

test('a waiting bare name goes live even if several have it by then', async ({ poster, other }) => {
  const name = newName();
  const scheduled = (await poster.post(create, naming(name, { publish: 'later' }))).body;
  const named = [];
  for (const place of [SITKA, KEARNEY])
    named.push((await other.post(add, { name, ...place })).body.id);
  const { body } = await poster.post(publish, at(scheduled.id));
  expect((body as OwnReview).status).toBe('published');
  expect(body.employer).toMatchObject({ name, city: null, state: null });
  expect(named).not.toContain(body.employer.id);
});

test('rejects an unknown state, a long city, and contact details', async ({ poster }) => {
  for (const [place, code] of [
    [{ state: 'ZZ' }, 'validation_error'],
    [{ city: 'x'.repeat(101) }, 'validation_error'],
    [{ city: 'Call 212-555-0134' }, 'identifying_text'],
  ] as const) {
    const answers = [
      await poster.post(add, { name: newName(), ...place }),
      await poster.post(create, naming(newName(), place)),
    ];
    for (const { problem } of answers) {
      expect(problem).toMatchObject({ status: 400, code });
      expect(Object.keys(problem.errors ?? {})).toEqual(Object.keys(place));
    }
  }
});
