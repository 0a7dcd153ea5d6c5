import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Case, CaseFile } from '#contract/case-queue.ts';
import { buildTestApp, type TestApp } from '#server/testing/app.ts';
import { type ApiCall, callApi } from '#server/testing/call-api.ts';
import {
  newEmployer,
  signedInAdmin,
  signedInDoctor,
  type TestAccount,
} from '#server/testing/factories.ts';

const SOURCE = 'https://example.org/about';

let server: TestApp;
let one: TestAccount;
let other: TestAccount;
let doctor: TestAccount;

beforeAll(async () => {
  server = await buildTestApp();
  one = await signedInAdmin(server);
  other = await signedInAdmin(server);
  // Neither verified nor allowed to post: anyone signed in may propose.
  doctor = await signedInDoctor(server, {});
});
afterAll(() => server[Symbol.asyncDispose]());

const call = (...request: ApiCall) => callApi(server, ...request);
const propose = (employer: number, field: string, value: unknown, fields: object = {}) =>
  call('POST', `/employers/${employer}/corrections/`, doctor, {
    field,
    value,
    source: SOURCE,
    ...fields,
  });
/** What a curator reads before deciding about a fact. */
async function readBy(employer: number, field: string) {
  const { rows } = await server.deps.database.pool.query(
    `select value, to_jsonb(employers) -> $2 as today
     from employers left join employer_corrections on employer_id = $1 and field = $2
     where employers.id = (select coalesce(merged_into, id) from employers where id = $1)`,
    [employer, field],
  );
  return rows[0];
}
const decide = async (
  decision: 'accept' | 'refuse',
  employer: number,
  field: string,
  {
    by = one,
    ...read
  }: { by?: TestAccount; case_id?: string; value?: unknown; today?: unknown } = {},
) =>
  call('POST', `/admin/employers/${employer}/corrections/${decision}/`, by, {
    field,
    reason: 'Their own page says so.',
    ...(await readBy(employer, field)),
    ...read,
  });
const caseOf = async (employer: number) =>
  server.deps.db
    .selectFrom('cases')
    .selectAll()
    .where('employer_id', '=', employer)
    .where('kind', '=', 'correction')
    .executeTakeFirst();
const phoneOf = async (employer: number) =>
  (await call('GET', `/employers/${employer}/`)).json().phone;
const statuses = (answers: readonly { statusCode: number }[]) =>
  answers.map(({ statusCode }) => statusCode).toSorted();

test('a correction waits as a case, and changes the public page once a curator accepts it', async () => {
  const employer = await newEmployer(server, { phone: '(334) 555-0100' });
  expect((await propose(employer, 'phone', '+1 334 555-0177')).json()).toEqual({
    message: 'Thank you. A curator will look at it.',
  });
  expect(await phoneOf(employer)).toBe('(334) 555-0100');

  const queue = await call('GET', '/admin/cases/?kind=correction&page_size=50', one);
  const listed = queue.json<{ results: Case[] }>().results;
  const { id } = (await caseOf(employer)) ?? {};
  expect(listed).toContainEqual(expect.objectContaining({ id, kind: 'correction', priority: 3 }));
  const file = (await call('GET', `/admin/cases/${id}/`, one)).json<CaseFile>().file;
  expect(file).toMatchObject({
    type: 'correction',
    employer: { id: employer, phone: '(334) 555-0100' },
    corrections: [{ field: 'phone', value: '(334) 555-0177', source: SOURCE }],
  });

  const answer = await decide('accept', employer, 'phone', { case_id: id ?? '' });
  expect(answer.json()).toMatchObject({ id: employer, phone: '(334) 555-0177' });
  expect(await phoneOf(employer)).toBe('(334) 555-0177');
  expect(await caseOf(employer)).toBeUndefined();
  const acts = await server.deps.db
    .selectFrom('audit_log')
    .select(['actor', 'action', 'details'])
    .where('subject', '=', String(employer))
    .execute();
  const details = { field: 'phone', value: '(334) 555-0177', reason: 'Their own page says so.' };
  expect(acts).toEqual([{ actor: one.userId, action: 'correction.accept', details }]);
  const { curated_fields } = await server.deps.db
    .selectFrom('employers')
    .select('curated_fields')
    .where('id', '=', employer)
    .executeTakeFirstOrThrow();
  // The next import does not overwrite it.
  expect(curated_fields).toEqual(['phone']);
});

test('a refused correction changes nothing, and the log does not repeat it', async () => {
  const employer = await newEmployer(server, { bed_count: 12 });
  await propose(employer, 'bed_count', 900, { source: 'Dr. Who told me' });
  expect((await decide('refuse', employer, 'bed_count')).json()).toMatchObject({ bed_count: 12 });
  const acts = await server.deps.db
    .selectFrom('audit_log')
    .select(['action', 'details'])
    .where('subject', '=', String(employer))
    .execute();
  const details = { field: 'bed_count', reason: 'Their own page says so.' };
  expect(acts).toEqual([{ action: 'correction.refuse', details }]);
  expect(await caseOf(employer)).toBeUndefined();
});

test('a correction can make a fact unknown', async () => {
  const employer = await newEmployer(server, { trauma_level: 'Level I', has_helipad: true });
  await propose(employer, 'trauma_level', null);
  await propose(employer, 'has_helipad', false);
  const case_id = (await caseOf(employer))?.id ?? '';
  await decide('accept', employer, 'trauma_level', { case_id });
  // The other one still waits.
  expect((await caseOf(employer))?.id).toBe(case_id);
  const decided = await decide('accept', employer, 'has_helipad', { case_id });
  expect(decided.json()).toMatchObject({ trauma_level: null, has_helipad: false });
  expect(await caseOf(employer)).toBeUndefined();
});

test.each([
  ['phone', '12', 'Must be a phone number with ten digits'],
  ['zip', '1234', 'Must be five digits, or five and four'],
  ['state', 'ZZ', 'Must be the two letters of a state'],
  ['website', 'javascript:alert(1)', 'Must be a web address with https://'],
  ['bed_count', -1, 'Must be a whole number from 0 to 1000000'],
  ['trauma_level', 'Level X', 'Unknown trauma level'],
  ['name', '', 'Please enter a name'],
  ['city', 'Spring‮field', 'Must not contain control or invisible characters'],
  ['city', 'Springfield', 'The page already says this'],
])('rejects the %s %j', async (field, value, message) => {
  const answer = await propose(await newEmployer(server), field, value);
  expect([answer.statusCode, answer.json().errors]).toEqual([400, { value: [message] }]);
});

test.each([
  [{ source: '' }, 'source', 'Please say how you know'],
  [{ source: 'x'.repeat(301) }, 'source', 'Must be at most 300 characters'],
  [{ source: 'http://example.org' }, 'source', 'Must be an address with https://, or a text'],
  [{ field: 'rating' }, 'field', 'Please choose what to correct'],
])('rejects %j', async (fields, name, message) => {
  const answer = await propose(await newEmployer(server), 'phone', '334 555 0177', fields);
  expect([answer.statusCode, answer.json().errors]).toEqual([400, { [name]: [message] }]);
});

test('a name is screened, because it becomes public', async () => {
  const answer = await propose(await newEmployer(server), 'name', 'Call 334-555-0177 Clinic');
  expect(answer.json()).toMatchObject({ code: 'identifying_text', errors: { value: [/./] } });
});

test('needs a login, and an employer', async () => {
  const path = `/employers/${await newEmployer(server)}/corrections/`;
  const body = { field: 'phone', value: '334 555 0177', source: SOURCE };
  expect((await call('POST', path, undefined, body)).statusCode).toBe(401);
  expect((await propose(999_999, 'phone', '334 555 0177')).statusCode).toBe(404);
});

test('of two simultaneous proposals for one fact, one is accepted; other facts are unaffected', async () => {
  const employer = await newEmployer(server);
  const answers = await Promise.all(
    ['334 555 0171', '334 555 0172', '334 555 0173'].map((phone) =>
      propose(employer, 'phone', phone),
    ),
  );
  expect(statuses(answers)).toEqual([200, 409, 409]);
  expect(answers.find(({ statusCode }) => statusCode === 409)?.json()).toMatchObject({
    code: 'correction_waiting',
    detail: 'A correction of this is already waiting for a curator.',
  });
  expect((await propose(employer, 'zip', '62701')).statusCode).toBe(200);
  await decide('refuse', employer, 'phone');
  expect((await propose(employer, 'phone', '334 555 0174')).statusCode).toBe(200);
});

test('of two curators who decide at the same time, one succeeds; a claim keeps others out', async () => {
  const employer = await newEmployer(server, { phone: '(334) 555-0100' });
  await propose(employer, 'phone', '334 555 0171');
  const { id: case_id = '' } = (await caseOf(employer)) ?? {};
  await call('POST', `/admin/cases/${case_id}/claim/`, other);
  expect((await decide('accept', employer, 'phone', { case_id })).json()).toMatchObject({
    code: 'case_claimed',
  });
  expect(await phoneOf(employer)).toBe('(334) 555-0100');
  await call('POST', `/admin/cases/${case_id}/release/`, other);

  const answers = await Promise.all([
    decide('accept', employer, 'phone', { case_id }),
    decide('refuse', employer, 'phone', { case_id, by: other }),
  ]);
  expect(statuses(answers)).toEqual([200, 409]);
  const isAccepted = answers[0]?.statusCode === 200;
  expect(await phoneOf(employer)).toBe(isAccepted ? '(334) 555-0171' : '(334) 555-0100');
  const late = await decide('accept', employer, 'phone', { case_id });
  expect(late.json()).toMatchObject({ code: 'case_closed' });
});

test('a decision names the proposed and the current value that the curator read', async () => {
  const employer = await newEmployer(server, { phone: '(334) 555-0100' });
  await propose(employer, 'phone', '334 555 0171');
  const read = { value: '(334) 555-0171', today: '(334) 555-0100' };
  // Another curator refuses it, and another value is proposed.
  await decide('refuse', employer, 'phone', { by: other });
  await propose(employer, 'phone', '334 555 0199');
  const decisions = ['accept', 'refuse'] as const;
  for (const decision of decisions) {
    const answer = await decide(decision, employer, 'phone', read);
    expect([answer.statusCode, answer.json().code]).toEqual([409, 'changed_meanwhile']);
  }
  // Another curator has changed the page.
  const second = { value: '(334) 555-0199', today: '(334) 555-0100' };
  await call('PATCH', `/admin/employers/${employer}/`, other, { phone: '334 555 0155' });
  for (const decision of decisions) {
    expect((await decide(decision, employer, 'phone', second)).json()).toMatchObject({
      code: 'changed_meanwhile',
    });
  }
  expect(await phoneOf(employer)).toBe('(334) 555-0155');
  expect(await caseOf(employer)).toBeDefined();
  const third = { ...second, today: '(334) 555-0155' };
  expect((await decide('accept', employer, 'phone', third)).statusCode).toBe(200);
});

test('with a simultaneous decision and change of a fact, neither is overwritten unread', async () => {
  for (let round = 0; round < 6; round += 1) {
    const employer = await newEmployer(server, { phone: '(334) 555-0100' });
    await propose(employer, 'phone', '334 555 0171');
    const read = { value: '(334) 555-0171', today: '(334) 555-0100' };
    const [decided] = await Promise.all([
      decide('accept', employer, 'phone', read),
      call('PATCH', `/admin/employers/${employer}/`, other, { phone: '334 555 0155' }),
    ]);
    expect([200, 409]).toContain(decided.statusCode);
    // Nobody read the change, so it stays.
    expect(await phoneOf(employer)).toBe('(334) 555-0155');
  }
});

test('a proposal during the last decision is never left without a case', async () => {
  const employer = await newEmployer(server);
  for (let round = 0; round < 8; round += 1) {
    await propose(employer, 'phone', '334 555 0171');
    await Promise.all([decide('refuse', employer, 'phone'), propose(employer, 'zip', '62701')]);
    expect(await caseOf(employer), `round ${round}`).toBeDefined();
    expect((await decide('refuse', employer, 'zip')).statusCode).toBe(200);
    expect(await caseOf(employer)).toBeUndefined();
  }
});

test('a proposal does not lock the case before its employer', async () => {
  const employer = await newEmployer(server);
  await propose(employer, 'phone', '334 555 0171');
  const decision = await server.deps.database.pool.connect();
  try {
    await decision.query('begin');
    const { rows } = await decision.query(
      'select pg_backend_pid() as pid from employers where id = $1 for update',
      [employer],
    );
    const proposing = propose(employer, 'zip', '62701');
    await expect
      .poll(async () => {
        const waiting = await server.deps.database.pool.query(
          'select from pg_stat_activity where $1 = any(pg_blocking_pids(pid))',
          [rows[0].pid],
        );
        return waiting.rowCount;
      })
      .toBe(1);
    await decision.query('select from cases where employer_id = $1 for update nowait', [employer]);
    await decision.query('rollback');
    expect((await proposing).statusCode).toBe(200);
  } finally {
    decision.release(true);
  }
});

test('a correction follows its employer through a merge', async () => {
  const [from, into] = [await newEmployer(server), await newEmployer(server)];
  await propose(from, 'phone', '334 555 0171');
  await call('POST', `/admin/employers/${from}/merge/`, one, { into });
  const { id = '' } = (await caseOf(from)) ?? {};
  const file = (await call('GET', `/admin/cases/${id}/`, one)).json<CaseFile>().file;
  expect(file).toMatchObject({
    employer_id: from,
    employer: { id: into },
    corrections: [{ field: 'phone' }],
  });
  // An old link leads to the remaining employer.
  expect((await propose(from, 'zip', '62701')).statusCode).toBe(200);
  expect(await caseOf(into)).toBeDefined();
  await decide('accept', from, 'phone', { case_id: id });
  expect(await phoneOf(into)).toBe('(334) 555-0171');
});

test('accepting a name that another submitted employer has fails, and the correction keeps waiting', async () => {
  await newEmployer(server, { name: 'Tarn Clinic', source: 'user', source_id: null });
  const employer = await newEmployer(server, { name: 'Tarm', source: 'user', source_id: null });
  await propose(employer, 'name', 'Tarn clinic');
  const answer = await decide('accept', employer, 'name');
  expect(answer.json().errors).toEqual({
    name: ['Another employer has this name. Please merge the two instead.'],
  });
  expect(await caseOf(employer)).toBeDefined();
});

test('nothing stores who proposed a correction, or on which day', async () => {
  const employer = await newEmployer(server);
  await propose(employer, 'phone', '334 555 0171');
  const { db } = server.deps;
  const row = await db
    .selectFrom('employer_corrections')
    .selectAll()
    .where('employer_id', '=', employer)
    .executeTakeFirstOrThrow();
  expect(Object.keys(row).toSorted()).toEqual(['employer_id', 'field', 'id', 'source', 'value']);
  const opened = new Date(`${(await caseOf(employer))?.opened_on}T00:00:00Z`);
  expect(opened.getUTCDate()).toBe(1);
  const log = await db.selectFrom('audit_log').selectAll().execute();
  expect(log.filter(({ actor }) => actor === doctor.userId)).toEqual([]);
});
