import { correctionDecisionEndpoints, employerEndpoints } from '#contract/endpoints/employers.ts';
import { caseEndpoints } from '#contract/endpoints/office.ts';
import { logOf, type TestAccount } from '#server/testing/factories.ts';
import { expect, invalid, at as of, type Site, test as siteTest } from '#server/testing/site.ts';

const SOURCE = 'https://example.org/about';
type Decision = { by?: TestAccount; case_id?: string; value?: unknown; today?: unknown };

/** An employer, and what is done about its corrections. */
async function pageIn(site: Site, doctor: TestAccount, curator: TestAccount, fields: object) {
  const id = await site.employer(fields);
  return {
    id,
    propose(field: string, value: unknown, more: object = {}) {
      const correction = invalid({ field, value, source: SOURCE, ...more });
      return site.as(doctor).post(employerEndpoints.correct, correction, of(id));
    },
    async decide(decision: 'accept' | 'refuse', field: string, read: Decision = {}) {
      const { by = curator, ...seen } = read;
      // What a curator reads before deciding about a fact.
      const { rows } = await site.deps.database.pool.query(
        `select value, to_jsonb(employers) -> $2 as today
         from employers left join employer_corrections on employer_id = $1 and field = $2
         where employers.id = (select coalesce(merged_into, id) from employers where id = $1)`,
        [id, field],
      );
      const decided = { field, reason: 'Their own page says so.', ...rows[0], ...seen };
      return site.as(by).post(correctionDecisionEndpoints[decision], decided, of(id));
    },
    case: async () => (await site.rows('cases', { kind: 'correction', employer_id: id }))[0],
    phone: async () => (await site.visitor().get(employerEndpoints.read, of(id))).body.phone,
    acts: () => logOf(site, String(id), 'actor', 'action', 'details'),
  };
}

const test = siteTest
  .extend('one', ({ site }) => site.admin())
  .extend('other', ({ site }) => site.admin())
  // Neither verified nor allowed to post: anyone signed in may propose.
  .extend('doctor', ({ site }) => site.doctor({}))
  .extend(
    'newPage',
    ({ site, doctor, one }) =>
      (fields = {}) =>
        pageIn(site, doctor, one, fields),
  )
  .extend('page', ({ newPage }) => newPage({ phone: '(334) 555-0100' }));

const statuses = (replies: readonly { status: number }[]) =>
  replies.map(({ status }) => status).toSorted();

test('a correction waits as a case, and is public once accepted', async ({ site, one, page }) => {
  const { message } = (await page.propose('phone', '+1 334 555-0177')).body;
  expect(message).toBe('Thank you. A curator will look at it.');
  expect(await page.phone()).toBe('(334) 555-0100');

  const { id = '' } = (await page.case()) ?? {};
  // The first of the queue, whatever else waits.
  await site.change('cases', { id }, { opened_on: '2000-01-01' });
  const query = { kind: 'correction', page_size: 50 };
  const queue = (await site.as(one).get(caseEndpoints.list, { query })).body;
  const listed = expect.objectContaining({ id, kind: 'correction', priority: 3 });
  expect(queue.results).toContainEqual(listed);
  expect((await site.as(one).get(caseEndpoints.read, of(id))).body.file).toMatchObject({
    type: 'correction',
    employer: { id: page.id, phone: '(334) 555-0100' },
    corrections: [{ field: 'phone', value: '(334) 555-0177', source: SOURCE }],
  });

  const accepted = await page.decide('accept', 'phone', { case_id: id });
  expect(accepted.body).toMatchObject({ id: page.id, phone: '(334) 555-0177' });
  expect(await page.phone()).toBe('(334) 555-0177');
  expect(await page.case()).toBeUndefined();
  const details = { field: 'phone', value: '(334) 555-0177', reason: 'Their own page says so.' };
  expect(await page.acts()).toEqual([{ actor: one.userId, action: 'correction.accept', details }]);
  // The next import does not overwrite it.
  expect(await site.rows('employers', { id: page.id })).toMatchObject([
    { curated_fields: ['phone'] },
  ]);
});

test('a refused correction changes nothing; the log omits its value', async ({ one, newPage }) => {
  const page = await newPage({ bed_count: 12 });
  await page.propose('bed_count', 900, { source: 'Dr. Who told me' });
  expect((await page.decide('refuse', 'bed_count')).body).toMatchObject({ bed_count: 12 });
  const details = { field: 'bed_count', reason: 'Their own page says so.' };
  expect(await page.acts()).toEqual([{ actor: one.userId, action: 'correction.refuse', details }]);
  expect(await page.case()).toBeUndefined();
});

test('a correction can make a fact unknown', async ({ newPage }) => {
  const page = await newPage({ trauma_level: 'Level I', has_helipad: true });
  await page.propose('trauma_level', null);
  await page.propose('has_helipad', false);
  const { id: case_id = '' } = (await page.case()) ?? {};
  await page.decide('accept', 'trauma_level', { case_id });
  // The other one still waits.
  expect((await page.case())?.id).toBe(case_id);
  const decided = await page.decide('accept', 'has_helipad', { case_id });
  expect(decided.body).toMatchObject({ trauma_level: null, has_helipad: false });
  expect(await page.case()).toBeUndefined();
});

test.for([
  ['phone', '12', 'Must be a phone number with ten digits'],
  ['zip', '1234', 'Must be five digits, or five and four'],
  ['state', 'ZZ', 'Must be the two letters of a state'],
  ['website', 'javascript:alert(1)', 'Must be a web address with https://'],
  ['bed_count', -1, 'Must be a whole number from 0 to 1000000'],
  ['trauma_level', 'Level X', 'Unknown trauma level'],
  ['name', '', 'Please enter a name'],
  ['city', 'Spring‮field', 'Must not contain control or invisible characters'],
  ['city', 'Springfield', 'The page already says this'],
] as const)('rejects the %s %j', async ([field, value, message], { page }) => {
  const { problem } = await page.propose(field, value);
  expect([problem.status, problem.errors]).toEqual([400, { value: [message] }]);
});

test.for([
  [{ source: '' }, 'source', 'Please say how you know'],
  [{ source: 'x'.repeat(301) }, 'source', 'Must be at most 300 characters'],
  [{ source: 'http://example.org' }, 'source', 'Must be an address with https://, or a text'],
  [{ field: 'rating' }, 'field', 'Please choose what to correct'],
] as const)('rejects %j', async ([fields, name, message], { page }) => {
  const { problem } = await page.propose('phone', '334 555 0177', fields);
  expect([problem.status, problem.errors]).toEqual([400, { [name]: [message] }]);
});

test('a name is screened, because it becomes public', async ({ page }) => {
  const { problem } = await page.propose('name', 'Call 334-555-0177 Clinic');
  expect(problem).toMatchObject({ code: 'identifying_text', errors: { value: [/./] } });
});

test('needs a login, and an employer', async ({ site, doctor, page }) => {
  const correction = { field: 'phone', value: '334 555 0177', source: SOURCE } as const;
  const { status } = await site.visitor().post(employerEndpoints.correct, correction, of(page.id));
  expect(status).toBe(401);
  const nowhere = await site.as(doctor).post(employerEndpoints.correct, correction, of(999_999));
  expect(nowhere.status).toBe(404);
});

test('of simultaneous proposals for one fact, one waits; others may follow', async ({ page }) => {
  const phones = ['334 555 0171', '334 555 0172', '334 555 0173'];
  const replies = await Promise.all(phones.map((phone) => page.propose('phone', phone)));
  expect(statuses(replies)).toEqual([200, 409, 409]);
  expect(replies.find(({ status }) => status === 409)?.problem).toMatchObject({
    code: 'correction_waiting',
    detail: 'A correction of this is already waiting for a curator.',
  });
  expect((await page.propose('zip', '62701')).status).toBe(200);
  await page.decide('refuse', 'phone');
  expect((await page.propose('phone', '334 555 0174')).status).toBe(200);
});

test('of two curators, one decides; a claim keeps others out', async ({ site, other, page }) => {
  await page.propose('phone', '334 555 0171');
  const { id: case_id = '' } = (await page.case()) ?? {};
  await site.as(other).post(caseEndpoints.claim, of(case_id));
  const claimed = await page.decide('accept', 'phone', { case_id });
  expect(claimed.problem).toMatchObject({ code: 'case_claimed' });
  expect(await page.phone()).toBe('(334) 555-0100');
  await site.as(other).post(caseEndpoints.release, of(case_id));

  const replies = await Promise.all([
    page.decide('accept', 'phone', { case_id }),
    page.decide('refuse', 'phone', { case_id, by: other }),
  ]);
  expect(statuses(replies)).toEqual([200, 409]);
  const isAccepted = replies[0].status === 200;
  expect(await page.phone()).toBe(isAccepted ? '(334) 555-0171' : '(334) 555-0100');
  const late = await page.decide('accept', 'phone', { case_id });
  expect(late.problem).toMatchObject({ code: 'case_closed' });
});

test('a decision names the old and new value the curator read', async ({ site, other, page }) => {
  await page.propose('phone', '334 555 0171');
  const read = { value: '(334) 555-0171', today: '(334) 555-0100' };
  // Another curator refuses it, and another value is proposed.
  await page.decide('refuse', 'phone', { by: other });
  await page.propose('phone', '334 555 0199');
  const decisions = ['accept', 'refuse'] as const;
  for (const decision of decisions) {
    const { problem } = await page.decide(decision, 'phone', read);
    expect([problem.status, problem.code]).toEqual([409, 'changed_meanwhile']);
  }
  // Another curator has changed the page.
  const second = { value: '(334) 555-0199', today: '(334) 555-0100' };
  const change = { phone: '334 555 0155' };
  await site.as(other).patch(employerEndpoints.curate, change, of(page.id));
  for (const decision of decisions) {
    const { problem } = await page.decide(decision, 'phone', second);
    expect(problem).toMatchObject({ code: 'changed_meanwhile' });
  }
  expect(await page.phone()).toBe('(334) 555-0155');
  expect(await page.case()).toBeDefined();
  const third = { ...second, today: '(334) 555-0155' };
  expect((await page.decide('accept', 'phone', third)).status).toBe(200);
});

test('no simultaneous change of a fact is overwritten unread', async ({ site, other, newPage }) => {
  for (let round = 0; round < 6; round += 1) {
    const page = await newPage({ phone: '(334) 555-0100' });
    await page.propose('phone', '334 555 0171');
    const read = { value: '(334) 555-0171', today: '(334) 555-0100' };
    const change = { phone: '334 555 0155' };
    const [decided] = await Promise.all([
      page.decide('accept', 'phone', read),
      site.as(other).patch(employerEndpoints.curate, change, of(page.id)),
    ]);
    expect([200, 409]).toContain(decided.status);
    // Nobody read the change, so it stays.
    expect(await page.phone()).toBe('(334) 555-0155');
  }
});

test('a proposal during the last decision is never left without a case', async ({ page }) => {
  for (let round = 0; round < 8; round += 1) {
    await page.propose('phone', '334 555 0171');
    await Promise.all([page.decide('refuse', 'phone'), page.propose('zip', '62701')]);
    expect(await page.case(), `round ${round}`).toBeDefined();
    expect((await page.decide('refuse', 'zip')).status).toBe(200);
    expect(await page.case()).toBeUndefined();
  }
});

test('a proposal does not lock the case before its employer', async ({ site, page }) => {
  const { pool } = site.deps.database;
  await page.propose('phone', '334 555 0171');
  const decision = await pool.connect();
  try {
    await decision.query('begin');
    const lock = 'select pg_backend_pid() as pid from employers where id = $1 for update';
    const { rows } = await decision.query(lock, [page.id]);
    const proposing = page.propose('zip', '62701');
    const blocked = 'select from pg_stat_activity where $1 = any(pg_blocking_pids(pid))';
    const waiting = async () => (await pool.query(blocked, [rows[0].pid])).rowCount;
    await expect.poll(waiting).toBe(1);
    await decision.query('select from cases where employer_id = $1 for update nowait', [page.id]);
    await decision.query('rollback');
    expect((await proposing).status).toBe(200);
  } finally {
    decision.release(true);
  }
});

test('a correction follows a merge of its employer', async ({ site, one, page: from, newPage }) => {
  const into = await newPage();
  await from.propose('phone', '334 555 0171');
  await site.as(one).post(employerEndpoints.merge, { into: into.id }, of(from.id));
  const { id = '' } = (await from.case()) ?? {};
  expect((await site.as(one).get(caseEndpoints.read, of(id))).body.file).toMatchObject({
    employer_id: from.id,
    employer: { id: into.id },
    corrections: [{ field: 'phone' }],
  });
  // An old link leads to the remaining employer.
  expect((await from.propose('zip', '62701')).status).toBe(200);
  expect(await into.case()).toBeDefined();
  await from.decide('accept', 'phone', { case_id: id });
  expect(await into.phone()).toBe('(334) 555-0171');
});

test('its history shows decisions across a merge', async ({ site, one, page: from, newPage }) => {
  const into = await newPage();
  await from.propose('phone', '334 555 0171');
  await from.decide('refuse', 'phone');
  await from.propose('phone', '334 555 0172');
  await site.as(one).post(employerEndpoints.merge, { into: into.id }, of(from.id));
  await from.decide('accept', 'phone');
  const query = { kind: 'correction', subject: String(from.id) } as const;
  const { acts } = (await site.as(one).get(caseEndpoints.history, { query })).body;
  const named = acts.map(({ act }) => act).toSorted();
  expect(named).toEqual(['correction.accept', 'correction.refuse']);
});

test('a correction to the name of a submitted employer keeps waiting', async ({ newPage }) => {
  const submitted = { source: 'user', source_id: null };
  await newPage({ name: 'Tarn Clinic of Corrections', ...submitted });
  const page = await newPage({ name: 'Tarm of Corrections', ...submitted });
  await page.propose('name', 'Tarn clinic of corrections');
  const { errors } = (await page.decide('accept', 'name')).problem;
  const taken = 'Another employer has this name and place. Please merge the two instead.';
  expect(errors).toEqual({ name: [taken] });
  expect(await page.case()).toBeDefined();
});

test('nothing stores who proposed a correction, or the day', async ({ site, doctor, page }) => {
  await page.propose('phone', '334 555 0171');
  const [row = {}] = await site.rows('employer_corrections', { employer_id: page.id });
  expect(Object.keys(row).toSorted()).toEqual(['employer_id', 'field', 'id', 'source', 'value']);
  const opened = new Date(`${(await page.case())?.opened_on}T00:00:00Z`);
  expect(opened.getUTCDate()).toBe(1);
  expect(await site.rows('audit_log', { actor: doctor.userId })).toEqual([]);
});
