import { expect, onTestFinished, vi } from 'vitest';
import { accountEndpoints } from '#contract/endpoints/account.ts';
import { MINUTE_MS } from '#contract/limits.ts';
import { toDay } from '#server/anonymity/coarse-time.ts';
import { rewriteTables } from '#server/db/testing/rewrite.ts';
import { codeFor, lastMail, PASSWORD } from '#server/features/accounts/testing/account-flows.ts';
import { findTraces, readEverything } from '#server/features/accounts/testing/traces.ts';
import { retention } from '#server/features/member/retention.ts';
import * as doctors from '#server/testing/matched-doctor.ts';
import { newSite, type Site, testWith } from '#server/testing/site.ts';
import { doctorOf, standing, VERIFIED } from '../testing/claimants.ts';

const { answering, matchedDoctor, PERSON } = doctors;
type MatchedDoctor = doctors.MatchedDoctor;
const lines: string[] = [];
const options = {
  config: { verification: 'proof', logLevel: 'trace' },
  npiRegistry: answering(PERSON),
  // A code may by chance equal the number of the process.
  logTo: (line: string) => lines.push(line.replace(`"pid":${process.pid},`, '')),
} as const;
const test = testWith(options)
  .extend('doctor', ({ site }) => matchedDoctor(site))
  .extend('other', ({ site }) => matchedDoctor(site));
test.beforeAll(({ site }) => addDomains(site));
test.beforeEach(async ({ site }) => {
  await site.deps.db.deleteFrom('mailbox_marks').execute();
  await site.deps.db.deleteFrom('mailbox_quotas').execute();
});

const addDomains = async ({ deps }: Site) => {
  const hospital = { domain: 'wrenfield.example', kind: 'employer', name: 'Wrenfield' };
  const residency = { domain: 'residents.example', kind: 'residency', name: 'Wrenfield Residency' };
  await deps.db.insertInto('institution_domains').values([hospital, residency]).execute();
};

const MAILBOX = 'ada@wrenfield.example';
const codes = (site: Site, { userId }: MatchedDoctor) =>
  site.rows('mailbox_codes', { user_id: userId });

/** Requests a code and returns it from the mail. */
async function mailed(site: Site, doctor: MatchedDoctor, email = MAILBOX): Promise<string> {
  const { status, body } = await doctor.askForMailboxCode(email);
  const message = 'We sent a code to this mailbox. Please enter it within 10 minutes.';
  expect([status, body]).toEqual([200, { message }]);
  return codeFor(site, email);
}
const wrongFor = (code: string) => (code === '000000' ? '000001' : '000000');
const INVALID = { status: 400, code: 'invalid_proof_code' };

test("the code sent to an institution's mailbox verifies a doctor", async ({ site, doctor }) => {
  const waits = async () => (await doctor.steps()).mailbox_code_waits;
  expect(await waits()).toBe(false);
  const code = await mailed(site, doctor, 'Ada.Exemplar@Wrenfield.example');
  expect(await waits()).toBe(true);
  const proofs = [{ kind: 'mailbox', on: toDay(site.time.now) }];
  const verified = { ...VERIFIED, verification: { status: 'passed', proofs } };
  expect((await doctor.enterMailboxCode(code)).body).toMatchObject(verified);
  expect(await codes(site, doctor)).toEqual([]);
  expect(await site.rows('mailbox_marks')).toHaveLength(1);
  expect((await doctor.enterMailboxCode(code)).problem.code).toBe('nothing_to_prove');
  const other = await doctor.askForMailboxCode('other@wrenfield.example');
  expect(other.problem.code).toBe('nothing_to_prove');
});

test('the mail does not say what it is for', async ({ site, doctor }) => {
  await mailed(site, doctor);
  const mail = await lastMail(site, MAILBOX);
  expect(mail.subject).toBe('About your request');
  const [body = ''] = mail.text.split('Curbside, anonymous workplace reviews');
  expect(body).toMatch(/Your code/);
  expect(body).not.toMatch(/review|verif|doctor|physician|NPI|sign|account/i);
});

test.for([
  ['another domain', 'ada@elsewhere.example'],
  ['a domain under a listed one', 'ada@alumni.wrenfield.example'],
  ['a domain that starts with a listed one', 'ada@wrenfield.example.evil.example'],
  ['a domain that ends with a listed one', 'ada@notwrenfield.example'],
] as const)('rejects %s at its field', async ([, email], { site, doctor }) => {
  expect((await doctor.askForMailboxCode(email)).problem).toMatchObject({
    status: 400,
    code: 'mailbox_not_listed',
    errors: { email: ['This mailbox does not belong to an institution that we know.'] },
  });
  await site.jobs.idle();
  expect(site.mail.filter(({ to }) => to === email)).toEqual([]);
  expect(await codes(site, doctor)).toEqual([]);
});

test('six simultaneous codes get five attempts; a new one its own', async ({ site, doctor }) => {
  const code = await mailed(site, doctor);
  const tries = Array.from({ length: 6 }, () => doctor.enterMailboxCode(wrongFor(code)));
  for (const { problem } of await Promise.all(tries)) {
    const errors = { code: ['This code is wrong or has expired.'] };
    expect(problem).toMatchObject({ ...INVALID, errors });
  }
  expect(await codes(site, doctor)).toMatchObject([{ attempts: 5 }]);
  expect((await doctor.enterMailboxCode(code)).status).toBe(400);
  expect((await doctor.steps()).mailbox_code_waits).toBe(false);
  const next = await mailed(site, doctor);
  if (next !== code) expect((await doctor.enterMailboxCode(code)).status).toBe(400);
  expect((await doctor.enterMailboxCode(next)).status).toBe(200);
});

test('a code works for ten minutes and is then deleted', async ({ site, doctor }) => {
  const code = await mailed(site, doctor);
  site.pass(9 * MINUTE_MS);
  await retention(site.deps)({});
  expect(await codes(site, doctor)).toHaveLength(1);
  site.pass(MINUTE_MS);
  expect((await doctor.enterMailboxCode(code)).status).toBe(400);
  expect((await doctor.steps()).mailbox_code_waits).toBe(false);
  await retention(site.deps)({});
  expect(await codes(site, doctor)).toEqual([]);
});

test('a code works only for its own account', async ({ site, doctor, other }) => {
  const code = await mailed(site, doctor);
  expect((await other.enterMailboxCode(code)).problem).toMatchObject(INVALID);
  await mailed(site, other, 'bea@wrenfield.example');
  const [{ sealed } = { sealed: Buffer.alloc(0) }] = await codes(site, doctor);
  // A row copied to another account does not work either.
  await site.change('mailbox_codes', { user_id: other.userId }, { sealed, attempts: 0 });
  expect((await other.enterMailboxCode(code)).problem).toMatchObject(INVALID);
});

test('a mailbox proves one account, which only its owner learns', async ({ site, doctor }) => {
  await doctor.enterMailboxCode(await mailed(site, doctor));
  for (const email of [MAILBOX, 'ADA@WRENFIELD.example', 'ada+x+y@wrenfield.example']) {
    const second = await matchedDoctor(site);
    const code = await mailed(site, second, email);
    const enter = async (typed: string) => (await second.enterMailboxCode(typed)).problem;
    expect((await enter(wrongFor(code))).code).toBe('invalid_proof_code');
    expect(await enter(code)).toMatchObject({ status: 409, code: 'mailbox_used' });
    expect((await enter(code)).code).toBe('invalid_proof_code');
    expect((await second.steps()).letter_from).not.toBeNull();
  }
  // With a dot, it is a different mailbox.
  const third = await matchedDoctor(site);
  const dotted = await mailed(site, third, 'a.da@wrenfield.example');
  expect((await third.enterMailboxCode(dotted)).status).toBe(200);
  expect(await site.rows('mailbox_marks')).toHaveLength(2);
});

test('of two accounts that use one mailbox, one is verified', async ({ site, doctor, other }) => {
  const attempts: [MatchedDoctor, string][] = [];
  for (const one of [doctor, other, await matchedDoctor(site)]) {
    attempts.push([one, await mailed(site, one)]);
  }
  const answers = await Promise.all(attempts.map(([one, code]) => one.enterMailboxCode(code)));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409]);
  expect(await site.rows('mailbox_marks')).toHaveLength(1);
  const profiles = await Promise.all(attempts.map(([one]) => doctorOf(site, one)));
  expect(profiles.filter(({ verified }) => verified)).toHaveLength(1);
});

test('the mailbox of a deleted account proves no other account', async ({ site, doctor }) => {
  await doctor.enterMailboxCode(await mailed(site, doctor));
  await site.deps.db.deleteFrom('users').where('id', '=', doctor.userId).execute();
  const second = await matchedDoctor(site, { npi: doctor.npi });
  const code = await mailed(site, second);
  expect((await second.enterMailboxCode(code)).problem.code).toBe('mailbox_used');
});

test('a trainee needs a mailbox of a residency', async ({ site }) => {
  const trainee = await matchedDoctor(site, { in_training: true });
  const prove = async (email?: string) =>
    (await trainee.enterMailboxCode(await mailed(site, trainee, email))).body;
  expect(await prove()).toMatchObject(standing('needs_review'));
  // A second mailbox of that kind would not help.
  const { problem } = await trainee.askForMailboxCode('ada.e@wrenfield.example');
  expect(problem.code).toBe('nothing_to_prove');
  expect(await prove('ada@residents.example')).toMatchObject(VERIFIED);
});

test('a proof by mailbox deletes a pending letter', async ({ site, doctor }) => {
  await doctor.orderLetter();
  const letters = () => site.rows('letters', { user_id: doctor.userId });
  expect(await letters()).toHaveLength(1);
  await doctor.enterMailboxCode(await mailed(site, doctor));
  expect(await letters()).toEqual([]);
});

test('limits mails per account, so strangers cannot use up those of a mailbox', async () => {
  const site = await newSite({ ...options, config: { ...options.config, rateLimitFactor: 1 } });
  await addDomains(site);
  const askMany = async (doctor: MatchedDoctor, times: number) => {
    const statuses = [];
    for (let at = 0; at < times; at += 1) {
      statuses.push((await doctor.askForMailboxCode(`ada+${at}@wrenfield.example`)).status);
    }
    return statuses;
  };
  expect(await askMany(await matchedDoctor(site), 6)).toEqual([200, 200, 200, 200, 200, 429]);
  const second = await matchedDoctor(site);
  // A mailbox with a rejected domain does not count.
  expect((await second.askForMailboxCode('ada@elsewhere.example')).status).toBe(400);
  expect(await askMany(second, 5)).toEqual([200, 200, 200, 200, 200]);
  expect(await askMany(await matchedDoctor(site), 1)).toEqual([200]);
  await site.jobs.idle();
  // Each request that was accepted has been mailed.
  expect(site.mail).toHaveLength(11);
});

test('deleting the account discards queued mail for its mailbox', async ({ site, other }) => {
  const { pool } = site.deps.database;
  const doctor = await matchedDoctor(site, { password: PASSWORD });
  const send = vi
    .spyOn(site.deps.mailer, 'send')
    .mockRejectedValue(new Error('the server is down'));
  onTestFinished(async () => {
    send.mockRestore();
    await pool.query("delete from pgboss.job where name = 'mailbox-code'");
  });
  await doctor.askForMailboxCode(MAILBOX);
  await other.askForMailboxCode('bea@wrenfield.example');
  await site.jobs.idle();
  expect(send).toHaveBeenCalledTimes(2);
  const jobs = "select from pgboss.job where name = 'mailbox-code'";
  const waiting = async () => (await pool.query(jobs)).rowCount;
  expect(await waiting()).toBe(2);
  const removal = { password: PASSWORD, reviews: 'keep' } as const;
  expect((await site.as(doctor).post(accountEndpoints.delete, removal)).status).toBe(200);
  expect(await waiting()).toBe(1);
  expect(await codes(site, doctor)).toEqual([]);
  expect(await codes(site, other)).toHaveLength(1);
});

test('neither database nor log contains a readable address or code', async ({ site, doctor }) => {
  const { pool } = site.deps.database;
  const before = await readEverything(pool);
  const seen: string[] = [];
  const look = async () => void seen.push(...(await readEverything(pool)));
  const email = 'canary.exemplar@wrenfield.example';
  const answer = doctor.askForMailboxCode(email);
  await look();
  await answer;
  await look();
  const code = await codeFor(site, email);
  await doctor.enterMailboxCode(wrongFor(code));
  await look();
  await doctor.enterMailboxCode(code);
  await look();
  const markers = [code, 'canary.exemplar', email];
  // The random code may be a number of the job queue.
  expect(findTraces(seen, markers)).toEqual(findTraces(before, markers));
  expect(findTraces(lines, markers)).toEqual([]);
  expect(findTraces(lines, ['/api/verification/mailbox/'])).not.toEqual([]);
  expect(findTraces(seen, ['wrenfield.example'])).toEqual(['wrenfield.example']);
  const left = await pool.query("select from pgboss.job where name = 'mailbox-code'");
  expect(left.rowCount).toBe(0);
});

test('after the rewrite, no transaction links a mark to the account', async ({ site, doctor }) => {
  const { pool, background } = site.deps.database;
  await pool.query("delete from pgboss.job where name = 'rewrite'");
  const writers = async () => {
    const { rows } = await pool.query(
      `select 'mark' as what, xmin::text from mailbox_marks
       union all select 'account', xmin::text from users where id = $1
       union all select 'doctor', xmin::text from doctors where user_id = $1`,
      [doctor.userId],
    );
    const of = (kind: string) => rows.filter(({ what }) => what === kind).map(({ xmin }) => xmin);
    return { marks: of('mark'), account: [...of('account'), ...of('doctor')] };
  };
  await doctor.enterMailboxCode(await mailed(site, doctor));
  const before = await writers();
  expect(before.account).toContain(before.marks[0]);
  const { rows } = await pool.query(
    `select extract(epoch from start_after - created_on)::int as seconds
     from pgboss.job where name = 'rewrite'`,
  );
  expect(rows).toEqual([{ seconds: 600 }]);
  await rewriteTables(background.pool);
  const after = await writers();
  expect(after.account).not.toContain(after.marks[0]);
});
