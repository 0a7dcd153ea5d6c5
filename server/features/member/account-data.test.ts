import { accountEndpoints } from '#contract/endpoints/account.ts';
import { reviewEndpoints } from '#contract/endpoints/reviews.ts';
import { savedEndpoints } from '#contract/endpoints/saved.ts';
import { sessionEndpoints } from '#contract/endpoints/session.ts';
import { DAY_MS, DEPARTURE_DAYS } from '#contract/limits.ts';
import { toMinute } from '#server/anonymity/coarse-time.ts';
import { rewriteTables } from '#server/db/testing/rewrite.ts';
import * as accounts from '#server/features/accounts/testing/account-flows.ts';
import { departureMinutes } from '#server/features/reviews/departed-authors.ts';
import { newEmail, POSTER, reviewOf } from '#server/testing/factories.ts';
import { expect, invalid, type Site, test as siteTest, testWith } from '#server/testing/site.ts';

const { PASSWORD, addMember, canLogIn, changeProfile, invalidField, isSignedIn } = accounts;
const { lastMail, newDevice, newMember, refusalOf, register, resetLink } = accounts;

/** A member who may post, and has posted twice. */
const newAuthor = async (site: Site, member?: accounts.Member) => {
  const author = member ?? (await addMember(site, {}, POSTER));
  const reviews = [await site.review({ by: author }), await site.review({ by: author })];
  return { ...author, ids: reviews.map(({ id }) => id), reviews };
};

const test = siteTest
  .extend('author', ({ site }) => newAuthor(site))
  .extend('other', ({ site }) => newAuthor(site));

/** No test leaves gradual deletions behind here. The registry is down, so its jobs wait. */
const testApart = testWith({ npiRegistry: { lookUp: () => Promise.reject(new Error('down')) } })
  .extend('author', ({ site }) => newAuthor(site))
  .extend('other', ({ site }) => newAuthor(site));

const remove = (
  site: Site,
  member: Pick<accounts.Member, 'headers'>,
  reviews: 'delete' | 'delete_gradually' | 'keep',
) => site.as(member).post(accountEndpoints.delete, { password: PASSWORD, reviews });

async function publicOf(site: Site, ids: readonly string[]) {
  const found = [];
  for (const id of ids) {
    const { status } = await site.visitor().get(reviewEndpoints.read, { params: { id } });
    if (status === 200) found.push(id);
  }
  return found;
}

async function authorKeys({ deps }: Site, ids: readonly string[]) {
  const rows = deps.db.selectFrom('review_authors').select('author_key');
  return (await rows.where('review_id', 'in', ids).execute()).map(({ author_key }) =>
    author_key.toString('hex'),
  );
}

const scheduledOf = ({ deps }: Site, ids: readonly string[]) =>
  deps.db.selectFrom('scheduled_reviews').selectAll().where('id', 'in', ids).execute();

/** Posts reviews that are published later. Returns their ids. */
const schedule = async (site: Site, by: accounts.Member, count: number) => {
  const posts = Array.from({ length: count }, () => site.review({ by, publish: 'later' }));
  return Promise.all(posts);
};

test("the download has the account, the profile, and the member's own reviews, and nobody else's", async ({
  site,
  author,
  other,
}) => {
  const entries = [`/employers/${author.reviews[0]?.employer.id}`];
  await site.as(author).post(savedEndpoints.save, { entries });
  await site.as(other).post(savedEndpoints.save, { entries });
  const { headers, body } = await site.as(author).get(accountEndpoints.export);
  expect(headers).toMatchObject({
    'content-disposition': 'attachment; filename="curbside-data.json"',
    'content-type': expect.stringContaining('application/json'),
    'cache-control': 'no-store, no-transform',
  });
  expect(body).toEqual({
    exported_on: site.time.now.toISOString().slice(0, 10),
    user: (await site.as(author).get(sessionEndpoints.user)).body,
    doctor: (await site.as(author).get(sessionEndpoints.doctor)).body,
    letter: null,
    asked: null,
    representative: null,
    reviews: (await site.as(author).get(reviewEndpoints.listOwn)).body,
    saved: { entries, weekly_mail: false },
  });
  expect(body.reviews.map(({ id }) => id).toSorted()).toEqual(author.ids.toSorted());
});

const TABLES = [
  'users',
  'doctors',
  'sessions',
  'reviews',
  'password_resets',
  'email_changes',
  'one_time_codes',
] as const;

testApart('a deleted account leaves nothing behind', async ({ site, other }) => {
  const { deps } = site;
  const counts = async () => {
    await site.jobs.idle();
    const { rows } = await deps.database.pool.query(`
      select 'jobs' as of, count(*) from pgboss.job
        where name in ('send-mail', 'password-reset', 'verify-npi')
      ${TABLES.map((table) => `union all select '${table}', count(*) from ${table}`).join(' ')}`);
    return rows;
  };
  const before = await counts();
  // Signs up, so that a job waits for the registry.
  const joined = await newMember(site);
  await site.change('doctors', { user_id: joined.id }, POSTER);
  const member = await newAuthor(site, joined);
  const elsewhere = await newDevice(site, member.email);
  await resetLink(site, member.email);
  const email = newEmail();
  await changeProfile(site, member, { email });
  await register(site, { action: 'resend_otp', email: member.email });
  await lastMail(site, email);
  for (const to of [member.email.toUpperCase(), email]) {
    const mail = { to, template: 'verified', props: {} } as const;
    await deps.jobs.enqueue(deps.db, 'send-mail', mail, { startAfterSeconds: 3600 });
  }

  const { status, body } = await remove(site, member, 'delete');
  expect([status, body]).toEqual([200, { message: 'Your account has been deleted.' }]);
  expect(await isSignedIn(site, member)).toBe(false);
  expect(await isSignedIn(site, elsewhere)).toBe(false);
  expect(await canLogIn(site, member.email)).toBe(false);
  expect(await publicOf(site, [...member.ids, ...other.ids])).toEqual(other.ids);
  expect(await counts()).toEqual(before);
});

test('kept reviews belong to nobody, and are not linked', async ({ site, author }) => {
  const { ids, email, npi } = author;
  const before = await authorKeys(site, ids);
  expect(new Set(before).size).toBe(1);
  await remove(site, author, 'keep');

  expect(await publicOf(site, ids)).toEqual(ids);
  const after = await authorKeys(site, ids);
  expect(new Set([...before, ...after]).size).toBe(3);
  for (const key of after) expect(key).toHaveLength(64);

  const again = site.as(await addMember(site, { email, npi }, POSTER));
  expect((await again.get(reviewEndpoints.listOwn)).body).toEqual([]);
  const id = ids[0] ?? '';
  expect((await again.delete(reviewEndpoints.delete, { params: { id } })).status).toBe(404);
});

/** The rows that still belong to a deleted member. */
async function rowsOf({ deps }: Site, { id }: accounts.Member) {
  const { rows } = await deps.database.pool.query(
    'select from review_authors where author_key = any ($1)',
    [deps.keys.authorKeys(id)],
  );
  return rows;
}

/** Lets other work run first: spreads requests over the time that a deletion takes. */
async function giveWay(turns: number) {
  for (let turn = 0; turn < turns; turn += 1) await new Promise(setImmediate);
}

test.for(['delete', 'delete_gradually', 'keep'] as const)(
  'reviews posted while the account is deleted belong to nobody: %s',
  async (reviews, { site, author }) => {
    const employers = await Promise.all(Array.from({ length: 12 }, () => site.employer()));
    const removal = remove(site, author, reviews);
    const posts = await Promise.all(
      employers.map(async (employer, at) => {
        await giveWay(at * 40);
        const review = reviewOf(employer, { publish: at % 2 ? 'later' : 'now' });
        return site.as(author).post(reviewEndpoints.create, review);
      }),
    );
    expect((await removal).status).toBe(200);
    for (const { status } of posts) expect([201, 401]).toContain(status);
    expect(await rowsOf(site, author)).toEqual([]);
  },
);

test.for(['delete', 'delete_gradually', 'keep'] as const)(
  'scheduled reviews published while the account is deleted belong to nobody: %s',
  async (reviews, { site, author }) => {
    const { deps } = site;
    const scheduled = (await schedule(site, author, 12)).map(({ id }) => id);
    // All are due, so the job runs in the middle of the deletion.
    await deps.db
      .updateTable('scheduled_reviews')
      .set({ publish_at: toMinute(site.time.now) })
      .where('id', 'in', scheduled)
      .execute();
    const removal = remove(site, author, reviews);
    const answers = await Promise.all(
      scheduled.map(async (id, at) => {
        await giveWay(at * 40);
        if (at % 4 === 3) await deps.jobs.enqueue(deps.db, 'reviews-due', {});
        return site.as(author).post(reviewEndpoints.publish, { params: { id } });
      }),
    );
    expect((await removal).status).toBe(200);
    await site.jobs.idle();
    for (const { status } of answers) expect([200, 401, 404]).toContain(status);
    expect(await rowsOf(site, author)).toEqual([]);
    if (reviews === 'delete') {
      expect(await publicOf(site, [...author.ids, ...scheduled])).toEqual([]);
    }
  },
);

testApart(
  'reviews deleted one by one belong to nobody, and each disappears in another hour',
  async ({ site, author: { ids, ...author }, other }) => {
    const { db, database } = site.deps;
    const start = site.time.now.getTime();
    await remove(site, author, 'delete_gradually');
    expect(new Set(await authorKeys(site, [...ids, ...other.ids])).size).toBe(ids.length + 1);
    expect(await rowsOf(site, author)).toEqual([]);
    expect(await publicOf(site, ids)).toEqual(ids);

    const waiting = await db.selectFrom('departing_reviews').selectAll().execute();
    expect(waiting.map(({ review_id }) => review_id).toSorted()).toEqual(ids.toSorted());
    const minutes = waiting.map(({ leaves_at }) => leaves_at.getTime()).toSorted((a, b) => a - b);
    expect(new Set(minutes.map((time) => Math.floor(time / 3_600_000))).size).toBe(ids.length);
    // The nightly rewrite moves them without losing any.
    await rewriteTables(database.background.pool);

    for (const [at, minute] of minutes.entries()) {
      site.time.now = new Date(minute - 1);
      await site.run('reviews-due');
      expect(await publicOf(site, ids)).toHaveLength(ids.length - at);
      site.time.now = new Date(minute);
      await site.run('reviews-due');
      expect(await publicOf(site, ids)).toHaveLength(ids.length - at - 1);
    }
    expect(await publicOf(site, other.ids)).toEqual(other.ids);
    expect(minutes.at(-1)).toBeLessThanOrEqual(start + DEPARTURE_DAYS * DAY_MS);
    expect(await db.selectFrom('departing_reviews').selectAll().execute()).toEqual([]);
  },
);

test('every hour of the next weeks but the last can be drawn, and none ends after them', () => {
  const now = new Date('2026-11-22T10:00:00Z');
  const hours = DEPARTURE_DAYS * 24 - 1;
  const times = departureMinutes(hours, now).map((minute) => minute.getTime());
  expect(new Set(times.map((time) => Math.floor(time / 3_600_000))).size).toBe(hours);
  expect(Math.min(...times)).toBeGreaterThan(now.getTime());
  expect(Math.max(...times)).toBeLessThanOrEqual(now.getTime() + DEPARTURE_DAYS * DAY_MS);
});

testApart('deletions delayed by an outage do not happen together', async ({ site, author }) => {
  await remove(site, author, 'delete_gradually');
  site.pass((DEPARTURE_DAYS + 1) * DAY_MS);
  for (let left = author.ids.length; left > 0; left -= 1) {
    expect(await publicOf(site, author.ids)).toHaveLength(left);
    await site.run('reviews-due');
  }
  expect(await publicOf(site, author.ids)).toEqual([]);
});

test.for(['delete', 'delete_gradually', 'keep'] as const)(
  'scheduled reviews are in the download, and go live only if reviews are kept: %s',
  async (reviews, { site, author }) => {
    const scheduled = await schedule(site, author, 2);
    const { body } = await site.as(author).get(accountEndpoints.export);
    expect(body.reviews).toHaveLength(4);
    expect(body.reviews).toEqual(expect.arrayContaining(scheduled));
    const ids = scheduled.map(({ id }) => id);
    const before = await authorKeys(site, ids);

    await remove(site, author, reviews);
    const left = await scheduledOf(site, ids);
    if (reviews !== 'keep') {
      expect(left).toEqual([]);
      expect(await authorKeys(site, ids)).toEqual([]);
      return;
    }
    expect(new Set([...before, ...(await authorKeys(site, ids))]).size).toBe(3);
    site.time.now = new Date(Math.max(...left.map(({ publish_at }) => publish_at.getTime())));
    await site.run('reviews-due');
    expect(await publicOf(site, [...ids, ...author.ids])).toEqual([...ids, ...author.ids]);
  },
);

test('a held review is deleted with its author: nobody else could', async ({ site, author }) => {
  const ids = (await schedule(site, author, 1)).map(({ id }) => id);
  await site.deps.db
    .updateTable('scheduled_reviews')
    .set({ held: true })
    .where('id', 'in', ids)
    .execute();
  await remove(site, author, 'keep');
  expect(await scheduledOf(site, ids)).toEqual([]);
});

test('deleting an account requires the password', async ({ site }) => {
  const member = await addMember(site);
  const choices = "Reviews must be 'delete', 'delete_gradually' or 'keep'";
  for (const [payload, field, message] of [
    [{ password: 'Wrong-1', reviews: 'keep' }, 'password', 'Incorrect password.'],
    [{ reviews: 'keep' }, 'password', 'Password is required'],
    [{ password: PASSWORD }, 'reviews', choices],
    [{ password: PASSWORD, reviews: 'sell' }, 'reviews', choices],
  ] as const) {
    const answer = await site.as(member).post(accountEndpoints.delete, invalid(payload));
    expect(refusalOf(answer)).toEqual(invalidField(field, message));
  }
  expect(await isSignedIn(site, member)).toBe(true);
});

test('two simultaneous deletions delete the account once', async ({ site }) => {
  const member = await addMember(site);
  const deletions = [remove(site, member, 'delete'), remove(site, member, 'delete')];
  const statuses = (await Promise.all(deletions)).map(({ status }) => status);
  for (const status of statuses) expect(status).toBeLessThan(500);
  expect(statuses.filter((status) => status === 200)).toHaveLength(1);
});
