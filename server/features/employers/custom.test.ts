import { expect, test } from 'vitest';
import type { Employer, EmployerFilterOptions } from '#contract/employers.ts';
import { buildTestApp, type TestApp } from '#server/testing/app.ts';
import { newEmployer, signedInDoctor } from '#server/testing/factories.ts';

async function adder({ app, ...server }: TestApp) {
  const { headers } = await signedInDoctor({ app, ...server });
  return (name: unknown) =>
    app.inject({ method: 'POST', url: '/api/employers/custom/', headers, payload: { name } });
}

test('finds an existing name, whatever its case, spacing, accents, and punctuation', async () => {
  await using server = await buildTestApp();
  const add = await adder(server);
  const id = await newEmployer(server, { name: "ST. MARY'S HOSPITAL" });
  for (const name of ['st marys hospital', "  St.  Mary's-Hospital ", 'ST.MARY’S HOSPITÁL']) {
    expect((await add(name)).json()).toMatchObject({ id, user_submitted: false });
  }
});

test('a new name creates one employer, which the next responses count', async () => {
  await using server = await buildTestApp();
  const add = await adder(server);
  await newEmployer(server);
  const options = async () =>
    (
      await server.app.inject({ url: '/api/employers/filter_options/' })
    ).json<EmployerFilterOptions>();
  const list = async () => (await server.app.inject({ url: '/api/employers/' })).json().count;
  expect([(await options()).total_employers, await list()]).toEqual([1, 1]);
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, at) => add(at % 2 === 0 ? 'Nimbus Clinic' : 'NIMBUS  CLINIC!')),
  );
  const employers = answers.map((answer) => answer.json<Employer>());
  expect(new Set(employers.map(({ id }) => id)).size).toBe(1);
  expect(employers[0]).toMatchObject({
    employer_type: 'others',
    user_submitted: true,
    total_reviews: 0,
  });
  expect([(await options()).total_employers, await list()]).toEqual([2, 2]);
});

test('20 simultaneous requests for new names create 20 employers', async () => {
  await using server = await buildTestApp();
  const add = await adder(server);
  // The names share words in different orders: adding the words must not deadlock.
  const names = Array.from({ length: 20 }, (_, at) =>
    at % 2 === 0 ? `Quorl Zebrin Clinic ${at}` : `Clinic Zebrin Quorl ${at}`,
  );
  const answers = await Promise.all(names.map(add));
  expect(new Set(answers.map((answer) => answer.json<Employer>().id)).size).toBe(20);
});

test('one connection adds names one at a time, even after its statement has a cached plan', async () => {
  await using server = await buildTestApp();
  const add = await adder(server);
  for (let at = 1; at <= 10; at += 1) {
    expect([at, (await add(`Quorl Zebrin Clinic ${at}`)).statusCode]).toEqual([at, 200]);
  }
});

test.each(['', ' ', 'x', '!!!', '病院', 'x'.repeat(201), null])(
  'rejects the name %j',
  async (name) => {
    await using server = await buildTestApp();
    const answer = await (await adder(server))(name);
    expect(answer.statusCode).toBe(400);
    expect(Object.keys(answer.json().errors)).toEqual(['name']);
  },
);

test('rejects a name with contact details', async () => {
  await using server = await buildTestApp();
  const answer = await (await adder(server))('Call Dr. Quist at (212) 555-0134');
  expect(answer.statusCode).toBe(400);
  expect(answer.json()).toMatchObject({
    code: 'identifying_text',
    errors: { name: [expect.any(String)] },
  });
});

test('doctors who may not post may not add employers', async () => {
  await using server = await buildTestApp();
  const payload = { name: 'Nimbus Clinic' };
  const { headers } = await signedInDoctor(server, { verified: true, can_post_reviews: false });
  const add = (extra: object) =>
    server.app.inject({ method: 'POST', url: '/api/employers/custom/', payload, ...extra });
  expect((await add({})).statusCode).toBe(401);
  expect((await add({ headers })).statusCode).toBe(403);
});
