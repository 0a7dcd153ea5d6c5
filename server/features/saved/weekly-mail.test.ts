import { expect, onTestFinished, test, vi } from 'vitest';
import { DAY_MS } from '#contract/limits.ts';
import { searchAddress } from '#contract/saved-address.ts';
import { openAuthor } from '#server/anonymity/author.ts';
import { send } from '#server/features/accounts/testing/account-flows.ts';
import { MailRefused } from '#server/mail/mailer.ts';
import { smtpMailer } from '#server/mail/smtp.ts';
import { partsOf, splitHeaders, startSmtpServer } from '#server/mail/testing.ts';
import { buildTestApp, type TestApp } from '#server/testing/app.ts';
import { newEmployer, reviewOf, signedInDoctor } from '#server/testing/factories.ts';
import { save, switchMail } from './testing/saved.ts';
import { savedNewsMail, weekDue, weeklyMail } from './weekly-mail.ts';

/** A Wednesday. The mail for the previous week goes out on Monday, November 16. */
const WEDNESDAY = new Date('2026-11-11T15:20:00Z');
const MONDAY = new Date('2026-11-16T11:00:00Z');

async function setup() {
  const server = await buildTestApp();
  onTestFinished(() => server[Symbol.asyncDispose]());
  server.time.now = WEDNESDAY;
  return server;
}

async function follower(server: TestApp, ...entries: string[]) {
  const doctor = await signedInDoctor(server);
  const saved = await save(server, doctor, ...entries);
  expect(saved.statusCode, saved.body).toBe(200);
  await switchMail(server, doctor, true);
  return doctor;
}

/** Posts a review, and returns its author. */
async function review(server: TestApp, employer: number, fields = {}) {
  const author = await signedInDoctor(server);
  const posted = await send(server, '/reviews/', reviewOf(employer, fields), author);
  expect(posted.statusCode, posted.body).toBe(201);
  return { author, id: posted.json<{ id: string }>().id };
}

const run = ({ deps }: TestApp) => weeklyMail(deps)({});
async function mailOf(server: TestApp, now = MONDAY) {
  server.time.now = now;
  await run(server);
  await server.jobs.idle();
  return server.mail.splice(0);
}

test.each([
  ['2026-11-15T23:59:00Z', '2026-11-09'],
  ['2026-11-16T10:59:00Z', null],
  ['2026-11-16T11:00:00Z', '2026-11-16'],
  ['2026-11-19T00:00:00Z', '2026-11-16'],
])('at %s, the mail for the week of %s is due', (now, week) => {
  expect(weekDue(new Date(now))).toBe(week);
});

test('lists what is new in the previous week, by employer and by search', async () => {
  const server = await setup();
  const [one, other] = [
    await newEmployer(server, { name: 'ST. MARY', state: 'TX', city: 'AUSTIN' }),
    await newEmployer(server, { state: 'OH' }),
  ];
  const doctor = await follower(
    server,
    `/employers/${one}`,
    `/employers/${other}`,
    searchAddress('/employers', { search: 'st. mary', state: 'TX' }),
    '/employers?state=CA',
    '/reviews?min_rating=4&state=TX',
    '/reviews?search=colleagues',
    '/reviews?search=colleages+nights&state=TX',
    '/reviews?city=austin%2Cdallas',
    searchAddress('/reviews', { search: '!!!' }),
    '/reviews?position_title=Nobody',
  );
  server.time.now = new Date(WEDNESDAY.getTime() - 5 * DAY_MS);
  await review(server, one);
  server.time.now = WEDNESDAY;
  await review(server, one, { overall_rating: 3 });
  server.time.now = new Date(WEDNESDAY.getTime() + DAY_MS);
  await review(server, one, { overall_rating: 5 });
  server.time.now = MONDAY;
  await review(server, one);

  const [mail, ...more] = await mailOf(server);
  expect(more).toEqual([]);
  expect(mail?.to).toBe(doctor.email);
  const text = mail?.text.replaceAll(/\s+/g, ' ') ?? '';
  expect(text).toContain('What is new in your saved list, November 9 to November 15');
  const two = '2 new reviews, the newest from November 12.';
  for (const line of [
    `St. Mary: ${two}`,
    `Employers: “st. mary”, TX: ${two}`,
    'Reviews: 4+ stars, TX: 1 new review, the newest from November 12.',
    `Reviews: “colleagues”: ${two}`,
    `Reviews: “colleages nights”, TX: ${two}`,
    `Reviews: Austin, Dallas: ${two}`,
  ]) {
    expect(text).toContain(line);
  }
  expect(text.match(/new review/g)).toHaveLength(6);
  expect(text).not.toMatch(/\d:\d\d/);
});

test('is off unless turned on, and requires saved entries', async () => {
  const server = await setup();
  await save(server, await signedInDoctor(server), '/employers/1');
  await switchMail(server, await signedInDoctor(server), true);
  const off = await follower(server, '/employers/1');
  await switchMail(server, off, false);
  expect(await mailOf(server)).toEqual([]);
});

test('arrives every week even if nothing is new, so that its arrival reveals nothing', async () => {
  const server = await setup();
  await follower(server, '/employers/1');
  const [mail] = await mailOf(server);
  expect(mail?.text).toContain('Nothing is new this week.');
  expect(mail?.subject).toBe('About your request');
});

test('each account gets one mail a week, even with several servers and after a restart', async () => {
  const server = await setup();
  const emails = [];
  for (let at = 0; at < 5; at += 1) emails.push((await follower(server, '/employers/1')).email);
  const beside = await buildTestApp({ beside: server });
  onTestFinished(() => beside[Symbol.asyncDispose]());
  server.time.now = beside.time.now = MONDAY;
  await Promise.all([run(server), run(beside), run(server), run(beside)]);
  await Promise.all([server.jobs.idle(), beside.jobs.idle()]);
  for (const later of [MONDAY, new Date(MONDAY.getTime() + 3 * DAY_MS)]) {
    server.time.now = beside.time.now = later;
    await run(server);
    await run(beside);
  }
  await Promise.all([server.jobs.idle(), beside.jobs.idle()]);
  const sent = [...server.mail, ...beside.mail].map(({ to }) => to);
  expect(sent.toSorted()).toEqual(emails.toSorted());
  server.mail.length = beside.mail.length = 0;
  server.time.now = beside.time.now = new Date(MONDAY.getTime() + 7 * DAY_MS);
  await run(beside);
  await Promise.all([server.jobs.idle(), beside.jobs.idle()]);
  expect([...server.mail, ...beside.mail]).toHaveLength(5);
});

test('a few temporarily refusing mailboxes do not delay the others, but many do', async () => {
  const server = await setup();
  await follower(server, '/employers/1');
  const { db, jobs } = server.deps;
  const refused = { userId: crypto.randomUUID(), sealed: '' };
  const retryLater = () => jobs.enqueue(db, 'saved-news', refused, { startAfterSeconds: 3600 });
  await retryLater();
  expect(await mailOf(server)).toHaveLength(1);

  for (let more = 0; more <= 100; more += 1) await retryLater();
  const nextWeek = new Date(MONDAY.getTime() + 7 * DAY_MS);
  expect(await mailOf(server, nextWeek)).toEqual([]);
});

test('the length of a waiting job does not reveal how much is new', async () => {
  const server = await setup();
  const entries = [];
  for (let at = 0; at < 12; at += 1) {
    const employer = await newEmployer(server);
    await review(server, employer);
    entries.push(`/employers/${employer}`);
  }
  await follower(server, ...entries);
  await follower(server, '/employers/1');
  server.time.now = MONDAY;
  const lengths: number[] = [];
  const jobs = {
    ...server.deps.jobs,
    async enqueueAll(_trx: unknown, _name: unknown, payloads: readonly unknown[]) {
      lengths.push(...payloads.map((payload) => JSON.stringify(payload).length));
    },
  };
  await weeklyMail({ ...server.deps, jobs })({});
  expect(lengths).toHaveLength(2);
  expect(lengths[0]).toBe(lengths[1]);
});

test('a failed batch is not recorded as done, and enqueues no mail', async () => {
  const server = await setup();
  await follower(server, '/employers/1');
  server.time.now = MONDAY;
  const { deps } = server;
  const jobs = {
    ...deps.jobs,
    enqueueAll: async (...all: Parameters<typeof deps.jobs.enqueueAll>) => {
      await deps.jobs.enqueueAll(...all);
      throw new Error('killed');
    },
  };
  await expect(weeklyMail({ ...deps, jobs })({})).rejects.toThrow('killed');
  await server.jobs.idle();
  expect(server.mail).toEqual([]);
  expect(await mailOf(server)).toHaveLength(1);
});

test('the number of statements does not grow with the number of accounts', async () => {
  const server = await setup();
  const employer = await newEmployer(server);
  await review(server, employer);
  const sent = vi.spyOn(server.statements as Set<string>, 'add');
  const jobs = { ...server.deps.jobs, enqueueAll: async () => {} };
  const count = async (followers: number, week: number) => {
    server.time.now = WEDNESDAY;
    for (let at = 0; at < followers; at += 1) {
      await follower(server, `/employers/${employer}`, '/reviews?state=IL', '/employers?state=IL');
    }
    await server.jobs.idle();
    server.time.now = new Date(MONDAY.getTime() + week * 7 * DAY_MS);
    sent.mockClear();
    await weeklyMail({ ...server.deps, jobs })({});
    return sent.mock.calls.length;
  };
  const one = await count(1, 0);
  expect(one).toBeGreaterThan(5);
  expect(await count(20, 1)).toBe(one);
});

test('counts only public reviews, and an author like anyone else', async () => {
  const server = await setup();
  const employer = await newEmployer(server);
  const { author, id } = await review(server, employer);
  await save(server, author, `/employers/${employer}`);
  await switchMail(server, author, true);
  const other = await follower(server, `/employers/${employer}`);
  const removed = await review(server, employer);
  const { db } = server.deps;
  await db
    .updateTable('reviews')
    .set({ removed_reason: 'x' })
    .where('id', '=', removed.id)
    .execute();
  const later = await signedInDoctor(server);
  const scheduled = { ...reviewOf(employer), publish: 'later' };
  await send(server, '/reviews/', scheduled, later);

  const mails = await mailOf(server);
  expect(mails.map(({ to }) => to).toSorted()).toEqual([author.email, other.email].toSorted());
  const bodies = mails.map(({ text }) => text.replaceAll(/token=[\w-]+/g, ''));
  expect(bodies[0]).toBe(bodies[1]);
  expect(bodies[0]).toContain('1 new review,');
  expect(bodies[0]).not.toContain(id);
  expect(openAuthor(server.deps.keys, author.userId).keys).toHaveLength(1);
});

test('a waiting mail is not sent if its account unsubscribed or was deleted', async () => {
  const server = await setup();
  const doctor = await follower(server, '/employers/1');
  server.time.now = MONDAY;
  const { deps } = server;
  const waiting: { userId: string; sealed: string }[] = [];
  const jobs = {
    ...deps.jobs,
    async enqueueAll(_trx: unknown, _name: unknown, payloads: readonly unknown[]) {
      waiting.push(...(payloads as typeof waiting));
    },
  };
  await weeklyMail({ ...deps, jobs })({});
  const [payload] = waiting;
  if (!payload) throw new Error('no mail');
  // Opening the job reveals an account, but not what it follows.
  expect(Buffer.from(payload.sealed, 'base64').toString('latin1')).not.toContain('employers');
  expect((await savedNewsMail(deps, payload))?.to).toBe(doctor.email);
  server.time.now = WEDNESDAY;
  const other = await follower(server, '/employers/2');
  expect(await savedNewsMail(deps, { ...payload, userId: other.userId })).toBeNull();
  await switchMail(server, doctor, false);
  expect(await savedNewsMail(deps, payload)).toBeNull();
  await switchMail(server, doctor, true);
  await deps.db.deleteFrom('users').where('id', '=', doctor.userId).execute();
  expect(await savedNewsMail(deps, payload)).toBeNull();
});

test('the message has the headers of RFC 8058, one each, and a visible link', async () => {
  const server = await setup();
  await follower(server, '/employers/1');
  const [mail] = await mailOf(server);
  const smtp = await startSmtpServer();
  const mailer = smtpMailer(smtp.url, 'Curbside <no-reply@curbside.test>');
  onTestFinished(async () => {
    mailer.close();
    await smtp.close();
  });
  if (!mail) throw new Error('no mail');
  await mailer.send(mail);
  const { source = '' } = smtp.received[0] ?? {};
  const { headers } = splitHeaders(source);
  const url = /^<(http:\/\/localhost:3000\/unsubscribe\?token=[\w-]{100,300})>$/.exec(
    headers.get('list-unsubscribe') ?? '',
  )?.[1];
  expect(url).toBe(mail.unsubscribeUrl);
  expect(headers.get('list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click');
  expect(source.match(/^list-unsubscribe/gim)).toHaveLength(2);
  expect(headers.get('subject')).toBe('About your request');
  for (const part of partsOf(source).values()) expect(part).toContain(url);

  await mailer.send({ ...mail, unsubscribeUrl: undefined });
  expect(smtp.received[1]?.source).not.toMatch(/^list-unsubscribe/im);
});

test('no log line and no job reveals who follows what', async () => {
  const lines: string[] = [];
  await using server = await buildTestApp({
    config: { logLevel: 'trace' },
    logTo: (line) => lines.push(line),
  });
  server.time.now = WEDNESDAY;
  const employer = await newEmployer(server, { name: 'Quillwort General' });
  await review(server, employer);
  const doctor = await follower(server, `/employers/${employer}`, '/reviews?search=quillwort');
  const { mailer } = server.deps;
  let attempts = 0;
  const original = mailer.send;
  Object.assign(mailer, {
    send: async (...message: Parameters<typeof original>) => {
      attempts += 1;
      if (attempts === 1) throw new Error(`no: ${message[0].text}`);
      throw new MailRefused(550);
    },
  });
  server.time.now = MONDAY;
  await run(server);
  await server.jobs.idle();
  const { rows } = await server.deps.database.pool.query('select * from pgboss.job');
  const told = [...lines, JSON.stringify(rows)].join('\n');
  expect(attempts).toBeGreaterThan(0);
  expect(told).toContain('job failed');
  for (const secret of ['quillwort', doctor.email, doctor.userId, `/employers/${employer}`]) {
    expect(told.toLowerCase()).not.toContain(secret.toLowerCase());
  }
});
