import { expect, test } from 'vitest';
import { MINUTE_MS } from '#contract/limits.ts';
import type { VerificationSteps } from '#contract/verification.ts';
import { toDay } from '#server/anonymity/coarse-time.ts';
import { rewriteTables } from '#server/db/rewrite.ts';
import { retention } from '#server/features/accounts/retention.ts';
import { lastMail, PASSWORD, send } from '#server/features/accounts/testing/account-flows.ts';
import { findTraces, readEverything } from '#server/features/accounts/testing/traces.ts';
import type { TestApp } from '#server/testing/app.ts';
import {
  type MatchedDoctor,
  matchedDoctor,
  proofServer,
  verification,
} from '#server/testing/matched-doctor.ts';

const WRONG = '000000';

async function siteWithDomains(options?: Parameters<typeof proofServer>[0]) {
  const server = await proofServer(options);
  await server.deps.db
    .insertInto('institution_domains')
    .values([
      { domain: 'wrenfield.example', kind: 'employer', name: 'Wrenfield' },
      { domain: 'residents.example', kind: 'residency', name: 'Wrenfield Residency' },
    ])
    .execute();
  return server;
}
const ask = (server: TestApp, doctor: MatchedDoctor, email: string) =>
  verification(server, doctor, 'mailbox/', { email });
const confirm = (server: TestApp, doctor: MatchedDoctor, code: string) =>
  verification(server, doctor, 'mailbox/confirm/', { code });
const waits = async (server: TestApp, doctor: MatchedDoctor) =>
  (await verification(server, doctor, '')).json<VerificationSteps>().mailbox_code_waits;
const marks = ({ deps }: TestApp) => deps.db.selectFrom('mailbox_marks').selectAll().execute();
const codes = ({ deps }: TestApp) => deps.db.selectFrom('mailbox_codes').selectAll().execute();

/** Requests a code and returns it from the mail. */
async function mailed(server: TestApp, doctor: MatchedDoctor, email: string): Promise<string> {
  const answer = await ask(server, doctor, email);
  expect([answer.statusCode, answer.json()]).toEqual([
    200,
    { message: 'We sent a code to this mailbox. Please enter it within 10 minutes.' },
  ]);
  const { text } = await lastMail(server, email);
  return text.match(/\b\d{6}\b/)?.[0] ?? '';
}
const wrongFor = (code: string) => (code === WRONG ? '000001' : WRONG);

test("the code sent to an institution's mailbox verifies a doctor", async () => {
  const server = await siteWithDomains();
  const doctor = await matchedDoctor(server);
  expect(await waits(server, doctor)).toBe(false);
  const code = await mailed(server, doctor, 'Ada.Exemplar@Wrenfield.example');
  expect(await waits(server, doctor)).toBe(true);
  const confirmed = await confirm(server, doctor, code);
  const on = toDay(server.time.now);
  expect(confirmed.json()).toMatchObject({
    verified: true,
    can_post_reviews: true,
    verification: { status: 'passed', proofs: [{ kind: 'mailbox', on }] },
  });
  expect(await codes(server)).toEqual([]);
  expect(await marks(server)).toHaveLength(1);
  expect((await confirm(server, doctor, code)).json().code).toBe('nothing_to_prove');
  expect((await ask(server, doctor, 'other@wrenfield.example')).json().code).toBe(
    'nothing_to_prove',
  );
});

test('the mail does not say what it is for', async () => {
  const server = await siteWithDomains();
  await mailed(server, await matchedDoctor(server), 'ada@wrenfield.example');
  const mail = await lastMail(server, 'ada@wrenfield.example');
  expect(mail.subject).toBe('About your request');
  const [body = ''] = mail.text.split('Curbside, anonymous workplace reviews');
  expect(body).toMatch(/Your code/);
  expect(body).not.toMatch(/review|verif|doctor|physician|NPI|sign|account/i);
});

test.each([
  ['another domain', 'ada@elsewhere.example'],
  ['a domain under a listed one', 'ada@alumni.wrenfield.example'],
  ['a domain that starts with a listed one', 'ada@wrenfield.example.evil.example'],
  ['a domain that ends with a listed one', 'ada@notwrenfield.example'],
])('rejects %s at its field', async (_, email) => {
  const server = await siteWithDomains();
  const answer = await ask(server, await matchedDoctor(server), email);
  expect([answer.statusCode, answer.json().code]).toEqual([400, 'mailbox_not_listed']);
  expect(answer.json().errors).toEqual({
    email: ['This mailbox does not belong to an institution that we know.'],
  });
  await server.jobs.idle();
  expect(server.mail).toEqual([]);
  expect(await codes(server)).toEqual([]);
});

test('six simultaneous wrong codes get five attempts; a new code has its own', async () => {
  const server = await siteWithDomains();
  const doctor = await matchedDoctor(server);
  const code = await mailed(server, doctor, 'ada@wrenfield.example');
  const tries = Array.from({ length: 6 }, () => confirm(server, doctor, wrongFor(code)));
  for (const answer of await Promise.all(tries)) {
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toMatchObject({
      code: 'invalid_proof_code',
      errors: { code: ['This code is wrong or has expired.'] },
    });
  }
  const [row] = await codes(server);
  expect(row?.attempts).toBe(5);
  expect((await confirm(server, doctor, code)).statusCode).toBe(400);
  expect(await waits(server, doctor)).toBe(false);
  const next = await mailed(server, doctor, 'ada@wrenfield.example');
  if (next !== code) expect((await confirm(server, doctor, code)).statusCode).toBe(400);
  expect((await confirm(server, doctor, next)).statusCode).toBe(200);
});

test('a code works for ten minutes and is then deleted', async () => {
  const server = await siteWithDomains();
  const doctor = await matchedDoctor(server);
  const code = await mailed(server, doctor, 'ada@wrenfield.example');
  const tidy = retention(server.deps);
  server.time.now = new Date(server.time.now.getTime() + 9 * MINUTE_MS);
  await tidy({});
  expect(await codes(server)).toHaveLength(1);
  server.time.now = new Date(server.time.now.getTime() + 1 * MINUTE_MS);
  expect((await confirm(server, doctor, code)).statusCode).toBe(400);
  expect(await waits(server, doctor)).toBe(false);
  await tidy({});
  expect(await codes(server)).toEqual([]);
});

test('a code works only for its own account', async () => {
  const server = await siteWithDomains();
  const [one, other] = [await matchedDoctor(server), await matchedDoctor(server)];
  const code = await mailed(server, one, 'ada@wrenfield.example');
  expect((await confirm(server, other, code)).json().code).toBe('invalid_proof_code');
  await mailed(server, other, 'bea@wrenfield.example');
  const [row] = await server.deps.db
    .selectFrom('mailbox_codes')
    .selectAll()
    .where('user_id', '=', one.userId)
    .execute();
  // A row copied to another account does not work either.
  await server.deps.db
    .updateTable('mailbox_codes')
    .set({ sealed: row?.sealed ?? Buffer.alloc(0), attempts: 0 })
    .where('user_id', '=', other.userId)
    .execute();
  expect((await confirm(server, other, code)).json().code).toBe('invalid_proof_code');
});

test('a mailbox proves one account, however it is spelled, and only its owner learns that', async () => {
  const server = await siteWithDomains();
  const first = await matchedDoctor(server);
  await confirm(server, first, await mailed(server, first, 'ada@wrenfield.example'));
  for (const email of [
    'ada@wrenfield.example',
    'ADA@WRENFIELD.example',
    'ada+x+y@wrenfield.example',
  ]) {
    const second = await matchedDoctor(server);
    const code = await mailed(server, second, email);
    expect((await confirm(server, second, wrongFor(code))).json().code).toBe('invalid_proof_code');
    const used = await confirm(server, second, code);
    expect([used.statusCode, used.json().code]).toEqual([409, 'mailbox_used']);
    expect((await confirm(server, second, code)).json().code).toBe('invalid_proof_code');
    expect((await verification(server, second, '')).json().letter_from).not.toBeNull();
  }
  // With a dot, it is a different mailbox.
  const third = await matchedDoctor(server);
  const dotted = await mailed(server, third, 'a.da@wrenfield.example');
  expect((await confirm(server, third, dotted)).statusCode).toBe(200);
  expect(await marks(server)).toHaveLength(2);
});

test('of two accounts that use one mailbox at the same time, exactly one is verified', async () => {
  const server = await siteWithDomains();
  const doctors = [
    await matchedDoctor(server),
    await matchedDoctor(server),
    await matchedDoctor(server),
  ];
  const attempts: [MatchedDoctor, string][] = [];
  for (const doctor of doctors) {
    attempts.push([doctor, await mailed(server, doctor, 'ada@wrenfield.example')]);
  }
  const answers = await Promise.all(
    attempts.map(([doctor, code]) => confirm(server, doctor, code)),
  );
  expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 409, 409]);
  expect(await marks(server)).toHaveLength(1);
  const verified = await server.deps.db
    .selectFrom('doctors')
    .select('verified')
    .where('verified', '=', true)
    .execute();
  expect(verified).toHaveLength(1);
});

test('the mailbox of a deleted account proves no other account', async () => {
  const server = await siteWithDomains();
  const first = await matchedDoctor(server);
  await confirm(server, first, await mailed(server, first, 'ada@wrenfield.example'));
  await server.deps.db.deleteFrom('users').where('id', '=', first.userId).execute();
  const second = await matchedDoctor(server, { npi: first.npi });
  const code = await mailed(server, second, 'ada@wrenfield.example');
  expect((await confirm(server, second, code)).json().code).toBe('mailbox_used');
});

test('a trainee needs a mailbox of a residency', async () => {
  const server = await siteWithDomains();
  const trainee = await matchedDoctor(server, { in_training: true });
  const staff = await confirm(
    server,
    trainee,
    await mailed(server, trainee, 'ada@wrenfield.example'),
  );
  expect(staff.json()).toMatchObject({ verified: false, verification: { status: 'needs_review' } });
  // A second mailbox of that kind would not help.
  expect((await ask(server, trainee, 'ada.e@wrenfield.example')).json().code).toBe(
    'nothing_to_prove',
  );
  const resident = await confirm(
    server,
    trainee,
    await mailed(server, trainee, 'ada@residents.example'),
  );
  expect(resident.json()).toMatchObject({ verified: true, verification: { status: 'passed' } });
});

test('a proof by mailbox deletes a pending letter', async () => {
  const server = await siteWithDomains();
  const doctor = await matchedDoctor(server);
  await verification(server, doctor, 'letter/', {});
  await confirm(server, doctor, await mailed(server, doctor, 'ada@wrenfield.example'));
  expect(await server.deps.db.selectFrom('letters').selectAll().execute()).toEqual([]);
});

test('limits mails per account, and per mailbox without saying so', async () => {
  const server = await siteWithDomains({ config: { rateLimitFactor: 1 } });
  const askMany = async (doctor: MatchedDoctor, times: number) => {
    const statuses = [];
    for (let at = 0; at < times; at += 1) {
      statuses.push((await ask(server, doctor, `ada+${at}@wrenfield.example`)).statusCode);
    }
    return statuses;
  };
  const doctors = [
    await matchedDoctor(server),
    await matchedDoctor(server),
    await matchedDoctor(server),
  ];
  expect(await askMany(doctors[0] as MatchedDoctor, 6)).toEqual([200, 200, 200, 200, 200, 429]);
  // A mailbox with a rejected domain does not count.
  expect((await ask(server, doctors[1] as MatchedDoctor, 'ada@elsewhere.example')).statusCode).toBe(
    400,
  );
  expect(await askMany(doctors[1] as MatchedDoctor, 5)).toEqual([200, 200, 200, 200, 200]);
  expect(await askMany(doctors[2] as MatchedDoctor, 1)).toEqual([200]);
  await server.jobs.idle();
  expect(server.mail).toHaveLength(10);
});

test("deleting the account discards mail queued for its institution's mailbox", async () => {
  const server = await siteWithDomains();
  const [doctor, other] = [
    await matchedDoctor(server, { password: PASSWORD }),
    await matchedDoctor(server),
  ];
  let tries = 0;
  server.deps.mailer.send = async () => {
    tries += 1;
    throw new Error('the mail server is down');
  };
  await ask(server, doctor, 'ada@wrenfield.example');
  await ask(server, other, 'bea@wrenfield.example');
  await server.jobs.idle();
  expect(tries).toBe(2);
  const waiting = async () =>
    (await server.deps.database.pool.query("select from pgboss.job where name = 'mailbox-code'"))
      .rowCount;
  expect(await waiting()).toBe(2);
  const removal = { password: PASSWORD, reviews: 'keep' };
  const removed = await send(server, '/auth/delete-account/', removal, { headers: doctor.headers });
  expect(removed.statusCode, removed.body).toBe(200);
  expect(await waiting()).toBe(1);
  expect((await codes(server)).map(({ user_id }) => user_id)).toEqual([other.userId]);
});

test('neither the database nor the log contains a readable address or code', async () => {
  const lines: string[] = [];
  const server = await siteWithDomains({
    config: { logLevel: 'trace' },
    logTo: (line) => lines.push(line),
  });
  const doctor = await matchedDoctor(server);
  const seen: string[] = [];
  const look = async () => void seen.push(...(await readEverything(server.deps.database.pool)));
  const answer = ask(server, doctor, 'canary.exemplar@wrenfield.example');
  await look();
  await answer;
  await look();
  const { text } = await lastMail(server, 'canary.exemplar@wrenfield.example');
  const code = text.match(/\b\d{6}\b/)?.[0] ?? '';
  await confirm(server, doctor, wrongFor(code));
  await look();
  await confirm(server, doctor, code);
  await look();
  const markers = [code, 'canary.exemplar', 'canary.exemplar@wrenfield.example'];
  expect(findTraces(seen, markers)).toEqual([]);
  expect(findTraces(lines, markers)).toEqual([]);
  expect(findTraces(seen, ['wrenfield.example'])).toEqual(['wrenfield.example']);
  const left = await server.deps.database.pool.query(
    "select from pgboss.job where name = 'mailbox-code'",
  );
  expect(left.rowCount).toBe(0);
});

test('after the rewrite, no transaction links a mark to the account', async () => {
  const server = await siteWithDomains();
  const writers = async () => {
    const { rows } = await server.deps.database.pool.query(
      `select 'mark' as what, xmin::text from mailbox_marks
       union all select 'account', xmin::text from users where id = $1
       union all select 'doctor', xmin::text from doctors where user_id = $1`,
      [doctor.userId],
    );
    const of = (kind: string) => rows.filter(({ what }) => what === kind).map(({ xmin }) => xmin);
    return { marks: of('mark'), account: [...of('account'), ...of('doctor')] };
  };
  const doctor = await matchedDoctor(server);
  await confirm(server, doctor, await mailed(server, doctor, 'ada@wrenfield.example'));
  const before = await writers();
  expect(before.account).toContain(before.marks[0]);
  const { rows } = await server.deps.database.pool.query(
    `select extract(epoch from start_after - now())::int as seconds from pgboss.job where name = 'rewrite'`,
  );
  expect(rows.map(({ seconds }) => Math.round(seconds / 60))).toEqual([10]);
  await rewriteTables(server.deps.database.background.pool);
  const after = await writers();
  expect(after.account).not.toContain(after.marks[0]);
});
