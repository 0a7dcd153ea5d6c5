import { CASE_OVERDUE_DAYS } from '#contract/cases.ts';
import { employerEndpoints } from '#contract/endpoints/employers.ts';
import { digestEndpoints, staffEndpoints } from '#contract/endpoints/office.ts';
import { DAY_MS } from '#contract/limits.ts';
import type { Role } from '#contract/staff-roles.ts';
import { openCase } from '#server/cases/cases.ts';
import { report } from '#server/features/reviews/testing/moderation.ts';
import { newDoctor, type TestAccount } from '#server/testing/factories.ts';
import { at, expect, invalid, type Site, testWith } from '#server/testing/site.ts';
import { staffDigest } from './digest.ts';
import { emptyOffice } from './testing/empty-office.ts';
import { setUpFactor } from './testing/second-factor.ts';

const MONDAY = new Date('2026-11-16T12:00:00Z');

const lines: string[] = [];
const options = {
  config: { logLevel: 'trace' },
  logTo: (line: string) => lines.push(line),
} as const;
const test = testWith(options);
/** A new office without cases. Its owner, whose mail is off, has only that role. */
test.beforeEach(async ({ site }) => {
  await emptyOffice(site);
  await site.deps.db.deleteFrom('cases').execute();
  site.time.now = MONDAY;
});

const { read, set } = digestEndpoints;

/** A staff member with the daily mail on. */
async function subscriber(site: Site, ...roles: Role[]): Promise<TestAccount> {
  const member = await site.admin(roles);
  expect((await site.as(member).post(set, { is_on: true })).body).toEqual({ is_on: true });
  return member;
}

/** An office in which no role is empty, apart from the subscriber's. */
const colleagues = async (site: Site, ...roles: Role[]) => {
  for (const role of roles) await site.admin([role]);
};

const run = ({ deps }: Site) => staffDigest(deps)({});

/** The mails of some days later. */
async function mailsOf(site: Site, days = 1) {
  site.pass(days * DAY_MS);
  await run(site);
  await site.jobs.idle();
  return site.mail.splice(0).map(({ to, text }) => ({ to, text: text.replaceAll(/\s+/g, ' ') }));
}

async function reportedReview(site: Site) {
  const { id } = await site.review();
  await report(site, id, 'private_details', 'The note of a reporter.');
  return id;
}

async function waitingDoctor({ deps }: Site) {
  const { id: account_id } = await newDoctor({ deps }, { first_name: 'Ida', last_name: 'Quillon' });
  const subject = { account_id };
  await openCase(deps.db, deps.clock, { kind: 'doctor', subject, priority: 2 });
}

test('is off unless turned on, by each member for themselves', async ({ site }) => {
  const [owner, other] = [await site.admin(), await site.admin(['curator'])];
  const isOn = async (by: TestAccount) => (await site.as(by).get(read)).body.is_on;
  expect(await isOn(owner)).toBe(false);
  await site.as(owner).post(set, { is_on: true });
  expect([await isOn(owner), await isOn(other)]).toEqual([true, false]);
  await site.as(owner).post(set, { is_on: false });
  expect(await isOn(owner)).toBe(false);
});

test('only staff can turn it on, with a code of their second factor', async ({ site }) => {
  const owner = await site.admin();
  await setUpFactor(site, owner);
  const client = site.as(owner);
  expect((await client.post(set, { is_on: true })).problem.code).toBe('factor_required');
  expect((await client.get(read)).body).toEqual({ is_on: false });
  for (const other of [site.as(await site.doctor()), site.visitor()]) {
    expect([401, 403]).toContain((await other.post(set, { is_on: true })).status);
    expect([401, 403]).toContain((await other.get(read)).status);
  }
  const member = site.as(await site.admin(['curator']));
  for (const body of [{}, { is_on: 'yes' }, { is_on: true, user_id: owner.userId }]) {
    expect((await member.post(set, invalid(body))).status).toBe(400);
  }
  expect(await site.rows('staff_digests')).toEqual([]);
});

test('counts what waits for the roles of the member, and tells nothing else', async ({ site }) => {
  const owner = await subscriber(site, 'owner');
  const moderator = await subscriber(site, 'moderator');
  const curator = await subscriber(site, 'curator');
  const verifier = await subscriber(site, 'verifier');
  const review = await reportedReview(site);
  await reportedReview(site);
  await waitingDoctor(site);
  const doctor = site.as(await site.doctor());
  const name = 'Fernhill Clinic';
  const { id: employer } = (await doctor.post(employerEndpoints.add, { name })).body;
  const mails = await mailsOf(site);
  const text = (account: TestAccount) => mails.find(({ to }) => to === account.email)?.text;
  expect(text(owner)).toBeUndefined();
  expect(text(moderator)).toContain('2 cases wait for you. Reported review: 2 http');
  expect(text(verifier)).toContain('1 case waits for you. Doctor: 1 http');
  expect(text(curator)).toContain('for you. Submitted employer:');
  expect(mails).toHaveLength(3);
  for (const { text } of mails) {
    expect(text).toContain('On November 17, 2026 (UTC), ');
    expect(text).toContain(`${site.deps.config.publicUrl}/admin `);
    // Words and day numbers, but no id, name, address, or token.
    for (const secret of [review, name, 'Fernhill', 'Ida', 'Quillon', 'note of a reporter', '@']) {
      expect(text.toLowerCase()).not.toContain(secret.toLowerCase());
    }
    expect(text).not.toMatch(/token|[0-9a-f]{8}-/);
    expect(text).not.toContain(`/${employer}`);
  }
});

test('names the roles that nobody has, to everyone who gets the mail', async ({ site }) => {
  const owner = await subscriber(site, 'owner');
  expect(await mailsOf(site)).toEqual([]);
  const auditor = await subscriber(site, 'auditor');
  const mails = await mailsOf(site);
  expect(mails.map(({ to }) => to).toSorted()).toEqual([auditor.email, owner.email].toSorted());
  for (const { text } of mails) {
    expect(text).toContain('no cases wait for you. Nobody is a moderator. Nobody is a verifier.');
    expect(text).toContain('Nobody is a curator. ');
    expect(text).not.toContain('Nobody is a owner');
  }
});

test('nothing is sent if nothing waits and no role is empty', async ({ site }) => {
  await subscriber(site, 'owner');
  await colleagues(site, 'verifier', 'moderator', 'curator');
  await reportedReview(site);
  expect(await mailsOf(site)).toEqual([]);
});

test('a single member has all roles, and gets all kinds', async ({ site }) => {
  await subscriber(site, 'owner');
  await reportedReview(site);
  await waitingDoctor(site);
  const [mail] = await mailsOf(site);
  expect(mail?.text).toMatch(/Reported review: 1 Doctor: 1 /);
  expect(mail?.text).not.toContain('Nobody is');
});

test('overdue: from the end of the week or month, if only that is known', async ({ site }) => {
  await subscriber(site, 'moderator', 'owner');
  await colleagues(site, 'verifier', 'curator');
  const { db, clock } = site.deps;
  await reportedReview(site);
  const { id: review_id } = await site.review();
  const subject = { review_id };
  await openCase(db, clock, { kind: 'appeal', subject, priority: 2, isByMember: true });
  const overdue = async (days: number) =>
    (await mailsOf(site, days))[0]?.text.match(
      /Overdue, after more than 7 days or past the due date: (\d)/,
    )?.[1];
  expect(CASE_OVERDUE_DAYS).toBe(7);
  // November 23 and 24, December 7 and 8.
  expect(await overdue(7)).toBeUndefined();
  expect(await overdue(1)).toBe('1');
  expect(await overdue(13)).toBe('1');
  expect(await overdue(1)).toBe('2');
});

test('a second look at the own decision is not counted', async ({ site }) => {
  const decider = await subscriber(site, 'moderator');
  const other = await subscriber(site, 'moderator', 'owner');
  await colleagues(site, 'verifier', 'curator');
  const { id: review_id } = await site.review();
  const { db, clock } = site.deps;
  const subject = { review_id };
  const decidedBy = decider.userId;
  await openCase(db, clock, { kind: 'second_look', subject, priority: 3, decidedBy });
  const mails = await mailsOf(site, 30);
  expect(mails.map(({ to }) => to)).toEqual([other.email]);
  expect(mails[0]?.text).toContain('Second look: 1');
});

test('one mail a day, however often and on however many servers it runs', async ({ site }) => {
  const member = await subscriber(site, 'owner');
  await reportedReview(site);
  // It was turned on today.
  expect(await mailsOf(site, 0)).toEqual([]);
  site.time.now = new Date(MONDAY.getTime() + DAY_MS);
  await Promise.all(Array.from({ length: 4 }, () => run(site)));
  await run(site);
  expect((await mailsOf(site, 0)).map(({ to }) => to)).toEqual([member.email]);
  for (const is_on of [false, true]) await site.as(member).post(set, { is_on });
  expect(await mailsOf(site, 0)).toEqual([]);
  expect(await mailsOf(site, 1)).toHaveLength(1);
  expect(await mailsOf(site, 5)).toHaveLength(1);
});

test('a job that fails sends nothing, and the next attempt sends all', async ({ site }) => {
  await subscriber(site, 'owner');
  await reportedReview(site);
  site.time.now = new Date(MONDAY.getTime() + DAY_MS);
  const broken = async () => {
    throw new Error('the queue is down');
  };
  const jobs = { ...site.deps.jobs, enqueueAll: broken };
  await expect(staffDigest({ ...site.deps, jobs })({})).rejects.toThrow('the queue is down');
  expect(await mailsOf(site, 0)).toHaveLength(1);
});

test('ends with the dismissal, and with the account', async ({ site }) => {
  const owner = await site.admin(['owner']);
  const dismissed = await subscriber(site, 'curator');
  const deleted = await subscriber(site, 'curator');
  await site.as(owner).delete(staffEndpoints.dismiss, at(dismissed.userId));
  await site.deps.db.deleteFrom('users').where('id', '=', deleted.userId).execute();
  const { db } = site.deps;
  expect(await db.selectFrom('staff_digests').selectAll().execute()).toEqual([]);
  // As restored from a backup.
  const row = { user_id: dismissed.userId, done_on: '2026-11-01' };
  await site.jobs.idle();
  site.mail.length = 0;
  await db.insertInto('staff_digests').values(row).execute();
  expect(await mailsOf(site)).toEqual([]);
});

/** The version of every row of every table, by table. */
async function versions({ deps }: Site): Promise<Map<string, string>> {
  const { pool } = deps.database;
  const { rows: tables } = await pool.query<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables
     where schemaname in ('public', 'pgboss')`,
  );
  const seen = new Map<string, string>();
  for (const { name } of tables) {
    const { rows } = await pool.query<{ all: string }>(
      `select coalesce(string_agg(ctid || '/' || xmin || '/' || xmax, ' ' order by ctid), '') as all
       from ${name}`,
    );
    seen.set(name, rows[0]?.all ?? '');
  }
  return seen;
}

test('neither the job, its transaction, nor the log ties anyone to a review', async ({ site }) => {
  const member = await subscriber(site, 'owner');
  const review = await reportedReview(site);
  await site.jobs.idle();
  site.time.now = new Date(MONDAY.getTime() + DAY_MS);
  // Holds what is enqueued back, so that it can be read.
  const waiting: unknown[] = [];
  const enqueueAll = async (_trx: unknown, _name: unknown, payloads: readonly unknown[]) =>
    void waiting.push(...payloads);
  const before = await versions(site);
  lines.length = 0;
  await staffDigest({ ...site.deps, jobs: { ...site.deps.jobs, enqueueAll } })({});
  const after = await versions(site);
  // Not even a lock on an account, a case, or a review.
  const changed = [...after].filter(([table, rows]) => rows !== before.get(table));
  expect(changed.map(([table]) => table).filter((table) => !table.startsWith('pgboss.'))).toEqual([
    'public.staff_digests',
  ]);
  expect(waiting).toEqual([
    {
      to: member.email,
      template: 'staff-digest',
      props: {
        day: '2026-11-17',
        waiting: [{ kind: 'report', count: 1 }],
        overdue: 0,
        emptyRoles: [],
      },
    },
  ]);
  await mailsOf(site, 1);
  for (const secret of [member.email, member.userId, review, 'Reported review']) {
    expect(lines.join('\n')).not.toContain(secret);
  }
});
