import { employerEndpoints } from '#contract/endpoints/employers.ts';
import { expect, invalid, test as siteTest } from '#server/testing/site.ts';

const { add, filterOptions, list } = employerEndpoints;
const test = siteTest.extend('poster', async ({ site }) => site.as(await site.doctor()));

test('finds a name in any case, spacing, accents, punctuation', async ({ site, poster }) => {
  const id = await site.employer({ name: "ST. QUORLA'S HOSPITAL" });
  for (const name of ['st quorlas hospital', "  St.  Quorla's-Hospital ", 'ST.QUORLA’S HOSPITÁL']) {
    expect((await poster.post(add, { name })).body).toMatchObject({ id, user_submitted: false });
  }
});

test('names in other scripts, or with emoji, are different employers', async ({ poster }) => {
  const names = [
    ...['山田 Clinic', '田中 Clinic', '🏥 Clinic 👍', 'Клиника Павлова', 'Клиника Иванова'],
    ...['عيادة الأمل', 'عيادة النور', '서울 병원', '부산 병원'],
  ];
  const idsOf = async (typed: string[]) => {
    const ids: number[] = [];
    for (const name of typed) ids.push((await poster.post(add, { name })).body.id);
    return ids;
  };
  const ids = await idsOf(names);
  expect(new Set(ids).size).toBe(names.length);
  const again = ['山田・CLINIC!', '田中\u3000clinic', '🏥\ufe0f clinic 👍', 'КЛИНИКА «ПАВЛОВА»'];
  expect(await idsOf(again)).toEqual(ids.slice(0, again.length));
  expect(await idsOf(names.map((name) => name.normalize('NFD')))).toEqual(ids);
});

test('a new name creates one employer that later responses count', async ({ site, poster }) => {
  const counts = async () => {
    const [options, page] = [await poster.get(filterOptions), await poster.get(list)];
    return [options.body.total_employers, page.body.count];
  };
  await site.employer();
  const [before = 0, ...same] = await counts();
  expect(same).toEqual([before]);
  const replies = await Promise.all(
    Array.from({ length: 20 }, (_, at) =>
      poster.post(add, { name: at % 2 === 0 ? 'Nimbus Clinic' : 'NIMBUS  CLINIC!' }),
    ),
  );
  const employers = replies.map(({ body }) => body);
  expect(new Set(employers.map(({ id }) => id)).size).toBe(1);
  const submitted = { employer_type: 'others', user_submitted: true, total_reviews: 0 };
  expect(employers[0]).toMatchObject(submitted);
  expect(await counts()).toEqual([before + 1, before + 1]);
});

test('20 simultaneous requests for new names create 20 employers', async ({ poster }) => {
  // The names share new words in different orders: adding the words must not deadlock.
  const names = Array.from({ length: 20 }, (_, at) =>
    at % 2 === 0 ? `Quorl Zebrin Clinic ${at}` : `Clinic Zebrin Quorl ${at}`,
  );
  const replies = await Promise.all(names.map((name) => poster.post(add, { name })));
  expect(new Set(replies.map(({ body }) => body.id)).size).toBe(20);
});

test('one connection adds names one by one, even once its plan is cached', async ({ poster }) => {
  for (let at = 1; at <= 10; at += 1) {
    const { status } = await poster.post(add, { name: `Plumbel Ostrik Clinic ${at}` });
    expect([at, status]).toEqual([at, 200]);
  }
});

const NO_NAMES = ['', ' ', 'x', '!!!', '-1', '24/7', '🏥🏥', '\u3164\u3164', 'x'.repeat(201), null];
test.for(NO_NAMES)('rejects the name %j', async (name, { poster }) => {
  const { problem } = await poster.post(add, { name: invalid(name) });
  expect([problem.status, Object.keys(problem.errors ?? {})]).toEqual([400, ['name']]);
});

test('rejects a name with contact details', async ({ poster }) => {
  const { problem } = await poster.post(add, { name: 'Call Dr. Quist at (212) 555-0134' });
  const errors = { name: [expect.any(String)] };
  expect(problem).toMatchObject({ status: 400, code: 'identifying_text', errors });
});

test('doctors who may not post may not add employers', async ({ site }) => {
  const reader = await site.doctor({ verified: true });
  const employer = { name: 'Nimbus of Readers' };
  expect((await site.visitor().post(add, employer)).status).toBe(401);
  expect((await site.as(reader).post(add, employer)).status).toBe(403);
});
