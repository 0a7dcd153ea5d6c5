import { expect, onTestFinished, vi } from 'vitest';
import { DAY_MS } from '#contract/limits.ts';
import { searchAddress } from '#contract/saved/saved-address.ts';
import { openAuthor } from '#server/anonymity/author.ts';
import { MailRefused, smtpMailer } from '#server/mail/mailer.ts';
import { partsOf, splitHeaders, startSmtpServer } from '#server/mail/testing.ts';
import { newSite, type Site, testWith } from '#server/testing/site.ts';
import { changeList } from './saved.ts';
import { save, switchMail } from './testing/saved.ts';
import { savedNewsMail, weekDue, weeklyMail } from './weekly-mail.ts';

/** A Wednesday. The mail for the previous week goes out on Monday, November 16. */
const WEDNESDAY = new Date('2026-11-11T15:20:00Z');
const MONDAY = new Date('2026-11-16T11:00:00Z');
const NEXT_MONDAY = new Date(MONDAY.getTime() + 7 * DAY_MS);

const lines: string[] = [];
const logTo = (line: string) => lines.push(line);
const options = { config: { logLevel: 'trace' }, logTo } as const;
const test = testWith(options);
/** The mail is for all accounts about all reviews, so each test begins without any. */
test.beforeEach(async ({ site }) => {
  await site.deps.database.pool.query(`
    delete from reviews; delete from scheduled_reviews; delete from employers;
    delete from saved_lists; delete from saved_mailings;
    delete from pgboss.job where name = 'saved-news'`);
  site.deps.cache.changed(['reviews', 'employers']);
  site.time.now = WEDNESDAY;
});

async function follower(site: Site, ...entries: string[]) {
  const doctor = await site.doctor();
  expect((await save(site, doctor, ...entries)).body.entries).toHaveLength(entries.length);
  await switchMail(site, doctor, true);
  return doctor;
}

const run = ({ deps }: Site) => weeklyMail(deps)({});
async function mailOf(site: Site, now = MONDAY) {
  site.time.now = now;
  await run(site);
  await site.jobs.idle();
  return site.mail.splice(0);
}

/** Runs the job on Monday. Returns the waiting mails instead of sending them. */
async function waitingOf(site: Site) {
  site.time.now = MONDAY;
  const waiting: { userId: string; sealed: string }[] = [];
  const enqueueAll = async (_trx: unknown, _name: unknown, payloads: readonly unknown[]) =>
    void waiting.push(...(payloads as typeof waiting));
  await weeklyMail({ ...site.deps, jobs: { ...site.deps.jobs, enqueueAll } })({});
  return waiting;
}

test.for([
  ['2026-11-15T23:59:00Z', '2026-11-09'],
  ['2026-11-16T10:59:00Z', null],
  ['2026-11-16T11:00:00Z', '2026-11-16'],
  ['2026-11-19T00:00:00Z', '2026-11-16'],
] as const)('at %s, the mail for the week of %s is due', ([now, week]) => {
  expect(weekDue(new Date(now))).toBe(week);
});

test('lists what is new in the previous week, by employer and by search', async ({ site }) => {
  const one = await site.employer({ name: 'ST. MARY', state: 'TX', city: 'AUSTIN' });
  const other = await site.employer({ state: 'OH' });
  const employers = [`/employers/${one}`, `/employers/${other}`, '/employers?state=CA'];
  const doctor = await follower(
    site,
    ...[...employers, searchAddress('/employers', { search: 'st. mary', state: 'TX' })],
    ...['/reviews?min_rating=4&state=TX', '/reviews?search=colleagues'],
    ...['/reviews?search=colleages+nights&state=TX', '/reviews?city=austin%2Cdallas'],
    ...[searchAddress('/reviews', { search: '!!!' }), '/reviews?position_title=Nobody'],
  );
  site.time.now = new Date(WEDNESDAY.getTime() - 5 * DAY_MS);
  await site.review({ at: one });
  site.time.now = WEDNESDAY;
  await site.review({ at: one, overall_rating: 3 });
  site.time.now = new Date(WEDNESDAY.getTime() + DAY_MS);
  await site.review({ at: one, overall_rating: 5 });
  site.time.now = MONDAY;
  await site.review({ at: one });

  const [mail, ...more] = await mailOf(site);
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

test('names the first review of a saved employer, and puts it first', async ({ site }) => {
  const reviewed = await site.employer({ name: 'ST. MARY', state: 'TX' });
  const never = await site.employer({ name: 'BIRCH CLINIC', state: 'TX' });
  await follower(site, `/employers/${reviewed}`, '/employers?state=TX', `/employers/${never}`);
  site.time.now = new Date(WEDNESDAY.getTime() - 7 * DAY_MS);
  await site.review({ at: reviewed });
  site.time.now = WEDNESDAY;
  await site.review({ at: reviewed });
  await site.review({ at: never });
  const [mail] = await mailOf(site);
  const titles = mail?.text.match(/^.*(?=: \d+ new review)/gm);
  expect(titles).toEqual(['First review of Birch Clinic', 'St. Mary', 'Employers: TX']);

  site.time.now = new Date(MONDAY.getTime() + 2 * DAY_MS);
  await site.review({ at: never });
  const [next] = await mailOf(site, NEXT_MONDAY);
  expect(next?.text).toContain('Birch Clinic: 1 new review');
  expect(next?.text).not.toContain('First review');
});

test('is off unless turned on, and requires saved entries', async ({ site }) => {
  await save(site, await site.doctor(), '/employers/1');
  await switchMail(site, await site.doctor(), true);
  await switchMail(site, await follower(site, '/employers/1'), false);
  expect(await mailOf(site)).toEqual([]);
});

test('arrives every week, so that its arrival reveals nothing', async ({ site }) => {
  await follower(site, '/employers/1');
  const [mail] = await mailOf(site);
  expect(mail?.text).toContain('Nothing is new this week.');
  expect(mail?.subject).toBe('About your request');
});

test('each account gets one mail a week, whatever servers and restarts', async ({ site }) => {
  const emails = [];
  for (let at = 0; at < 5; at += 1) emails.push((await follower(site, '/employers/1')).email);
  const beside = await newSite({ ...options, beside: site });
  const both = [site, beside];
  const idle = () => Promise.all(both.map(({ jobs }) => jobs.idle()));
  const sent = () => both.flatMap(({ mail }) => mail.splice(0)).map(({ to }) => to);
  site.time.now = beside.time.now = MONDAY;
  await Promise.all([...both, ...both].map(run));
  await idle();
  for (const later of [MONDAY, new Date(MONDAY.getTime() + 3 * DAY_MS)]) {
    site.time.now = beside.time.now = later;
    for (const one of both) await run(one);
  }
  await idle();
  expect(sent().toSorted()).toEqual(emails.toSorted());
  site.time.now = beside.time.now = NEXT_MONDAY;
  await run(beside);
  await idle();
  expect(sent().toSorted()).toEqual(emails.toSorted());
});

test('a few temporarily refusing mailboxes do not delay others, but many do', async ({ site }) => {
  await follower(site, '/employers/1');
  const { db, jobs } = site.deps;
  const refused = { userId: crypto.randomUUID(), sealed: '' };
  const retryLater = () => jobs.enqueue(db, 'saved-news', refused, { startAfterSeconds: 3600 });
  await retryLater();
  expect(await mailOf(site)).toHaveLength(1);

  await Promise.all(Array.from({ length: 101 }, retryLater));
  expect(await mailOf(site, NEXT_MONDAY)).toEqual([]);
});

test('the length of a waiting job does not reveal how much is new', async ({ site }) => {
  const entries = [];
  for (let at = 0; at < 12; at += 1)
    entries.push(`/employers/${(await site.review()).employer.id}`);
  await follower(site, ...entries);
  await follower(site, '/employers/1');
  const lengths = (await waitingOf(site)).map((payload) => JSON.stringify(payload).length);
  expect(lengths).toHaveLength(2);
  expect(lengths[0]).toBe(lengths[1]);
});

test('a failed batch is not recorded as done, and enqueues no mail', async ({ site }) => {
  await follower(site, '/employers/1');
  site.time.now = MONDAY;
  const { deps } = site;
  const enqueueAll = async (...all: Parameters<typeof deps.jobs.enqueueAll>) => {
    await deps.jobs.enqueueAll(...all);
    throw new Error('killed');
  };
  const jobs = { ...deps.jobs, enqueueAll };
  await expect(weeklyMail({ ...deps, jobs })({})).rejects.toThrow('killed');
  await site.jobs.idle();
  expect(site.mail).toEqual([]);
  expect(await mailOf(site)).toHaveLength(1);
});

test('a stored search that cannot be asked for finds nothing, and delays nobody', async ({
  site,
}) => {
  const employer = await site.employer();
  await site.review({ at: employer });
  const other = await follower(site, `/employers/${employer}`);
  const { userId } = await follower(site, '/employers/1');
  const entries = ['/employers?search=%00', '/reviews?search=a%00b', '/reviews?state=Nowhere'];
  const { deps } = site;
  await changeList(deps, deps.db, userId, (list) => ({ ...list, entries }));
  const mails = await mailOf(site);
  expect(mails).toHaveLength(2);
  const texts = mails.map(({ to, text }) => [to === other.email, /1 new review/.test(text)]);
  expect(texts.toSorted()).toEqual([
    [false, false],
    [true, true],
  ]);
});

test('the number of statements does not grow with the number of accounts', async ({ site }) => {
  const { employer } = await site.review();
  const sent = vi.spyOn(site.statements as Set<string>, 'add');
  const jobs = { ...site.deps.jobs, enqueueAll: async () => {} };
  const count = async (followers: number, monday: Date) => {
    site.time.now = WEDNESDAY;
    for (let at = 0; at < followers; at += 1) {
      await follower(site, `/employers/${employer.id}`, '/reviews?state=IL', '/employers?state=IL');
    }
    await site.jobs.idle();
    site.time.now = monday;
    sent.mockClear();
    await weeklyMail({ ...site.deps, jobs })({});
    return sent.mock.calls.filter(([text]) => !text.includes('pgboss')).length;
  };
  const one = await count(1, MONDAY);
  expect(one).toBeGreaterThan(5);
  expect(await count(8, NEXT_MONDAY)).toBe(one);
});

test('counts only public reviews, and an author like anyone else', async ({ site }) => {
  const [employer, author] = [await site.employer(), await site.doctor()];
  const { id } = await site.review({ by: author, at: employer });
  await save(site, author, `/employers/${employer}`);
  await switchMail(site, author, true);
  const other = await follower(site, `/employers/${employer}`);
  const removed = await site.review({ at: employer });
  const reviews = site.deps.db.updateTable('reviews').where('id', '=', removed.id);
  await reviews.set({ removed_reason: 'x' }).execute();
  await site.review({ at: employer, publish: 'later' });

  const mails = await mailOf(site);
  expect(mails.map(({ to }) => to).toSorted()).toEqual([author.email, other.email].toSorted());
  const bodies = mails.map(({ text }) => text.replaceAll(/token=[\w-]+/g, ''));
  expect(bodies[0]).toBe(bodies[1]);
  expect(bodies[0]).toContain('1 new review,');
  expect(bodies[0]).not.toContain(id);
  expect(openAuthor(site.deps.keys, author.userId).keys).toHaveLength(1);
});

test('a waiting mail is not sent if its account unsubscribed or was deleted', async ({ site }) => {
  const doctor = await follower(site, '/employers/1');
  const [payload] = await waitingOf(site);
  if (!payload) throw new Error('no mail');
  const { deps } = site;
  // Opening the job reveals an account, but not what it follows.
  expect(Buffer.from(payload.sealed, 'base64').toString('latin1')).not.toContain('employers');
  expect((await savedNewsMail(deps, payload))?.to).toBe(doctor.email);
  site.time.now = WEDNESDAY;
  const other = await follower(site, '/employers/2');
  expect(await savedNewsMail(deps, { ...payload, userId: other.userId })).toBeNull();
  await switchMail(site, doctor, false);
  expect(await savedNewsMail(deps, payload)).toBeNull();
  await switchMail(site, doctor, true);
  await deps.db.deleteFrom('users').where('id', '=', doctor.userId).execute();
  expect(await savedNewsMail(deps, payload)).toBeNull();
});

test('the message has the headers of RFC 8058, one each, and a visible link', async ({ site }) => {
  await follower(site, '/employers/1');
  const [mail] = await mailOf(site);
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
  const listed = headers.get('list-unsubscribe') ?? '';
  const [, url] =
    /^<(http:\/\/localhost:3000\/unsubscribe\?token=[\w-]{100,300})>$/.exec(listed) ?? [];
  expect(url).toBe(mail.unsubscribeUrl);
  expect(headers.get('list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click');
  expect(source.match(/^list-unsubscribe/gim)).toHaveLength(2);
  expect(headers.get('subject')).toBe('About your request');
  for (const part of partsOf(source).values()) expect(part).toContain(url);

  await mailer.send({ ...mail, unsubscribeUrl: undefined });
  expect(smtp.received[1]?.source).not.toMatch(/^list-unsubscribe/im);
});

test('no log line and no job reveals who follows what', async ({ site }) => {
  const from = lines.length;
  const employer = await site.employer({ name: 'Quillwort General' });
  await site.review({ at: employer });
  const doctor = await follower(site, `/employers/${employer}`, '/reviews?search=quillwort');
  const fail = ({ text }: { text: string }) => Promise.reject(new Error(`no: ${text}`));
  const send = vi.spyOn(site.deps.mailer, 'send').mockImplementationOnce(fail);
  send.mockRejectedValue(new MailRefused(550));
  onTestFinished(() => send.mockRestore());
  site.time.now = MONDAY;
  await run(site);
  await site.jobs.idle();
  const { rows } = await site.deps.database.pool.query('select * from pgboss.job');
  const told = [...lines.slice(from), JSON.stringify(rows)].join('\n');
  expect(send).toHaveBeenCalled();
  expect(told).toContain('job failed');
  for (const secret of ['quillwort', doctor.email, doctor.userId]) {
    expect(told.toLowerCase()).not.toContain(secret.toLowerCase());
  }
  expect(told).not.toMatch(new RegExp(`/employers/${employer}\\b`));
});
