import { EmployerQuery } from '#contract/employers/employers.ts';
import { DAY_MS } from '#contract/limits.ts';
import { titleCase } from '#contract/names.ts';
import { UNSUBSCRIBE_PATH } from '#contract/page-queries.ts';
import { ReviewQuery } from '#contract/reviews/review-queries.ts';
import {
  employerAddress,
  firstReviewTitle,
  parseSaved,
  type Saved,
  searchTitle,
} from '#contract/saved/saved-address.ts';
import { addDays, toDay } from '#server/anonymity/coarse-time.ts';
import type { Keys, SealingKey } from '#server/anonymity/keys.ts';
import { seal, unsealOrNull } from '#server/anonymity/seal.ts';
import type { Db } from '#server/db/open.ts';
import { BATCH_SIZE } from '#server/db/sealed-table.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors/app-error.ts';
import { loadProfile } from '#server/features/accounts/identity/profiles.ts';
import { findAmong } from '#server/features/employers/directory/directory-query.ts';
import { employersByAnyId } from '#server/features/employers/employers.ts';
import {
  type Days,
  findNewReviews,
  type NewReviews,
  type NewReviewsOfEmployer,
  selectNewByEmployer,
} from '#server/features/reviews/new-reviews.ts';
import type { JobHandler, JobPayloads } from '#server/jobs/settings.ts';
import type { MailJob } from '#server/mail/templates.ts';
import { changeList, lists, readSaved } from './saved.ts';

/** The hour on Monday (UTC) when the mail starts: after the nightly rewrite, before work. */
const FIRST_HOUR = 11;
/**
 * With more mails waiting, the next accounts have to wait. A few may wait for hours, because their
 * mailboxes temporarily refuse them.
 */
const WAITING_MAX = 100;
/** Most mails fit one block, so that the length of a job reveals nothing about what is new. */
const NEWS_BLOCK_BYTES = 4096;

/** The content of a mail that waits to be sent. */
interface WaitingNews {
  readonly days: Days;
  readonly news: readonly News[];
}

const newsContext = (userId: string) => `saved-news/${userId}`;

/** The Monday of the week whose mail is due; null early on Monday. */
export function weekDue(now: Date): string | null {
  const sinceMonday = (now.getUTCDay() + 6) % 7;
  const isEarly = sinceMonday === 0 && now.getUTCHours() < FIRST_HOUR;
  return isEarly ? null : toDay(new Date(now.getTime() - sinceMonday * DAY_MS));
}

/**
 * Runs every minute, and enqueues the weekly mail for the next accounts, once most of the last ones
 * have been sent. Enqueues the jobs in the transaction that records the accounts as done. So each
 * account gets one mail a week: only one of several servers does this, and it continues after a
 * crash.
 */
export function weeklyMail(
  deps: Pick<Deps, 'db' | 'keys' | 'clock' | 'cache' | 'jobs'>,
): JobHandler<'weekly-mail'> {
  return async () => {
    const { db, jobs, clock } = deps;
    const week = weekDue(clock());
    if (week === null || (await findMailing(db, week))?.is_done) return;
    await beginMailing(db, week);
    await inTransaction(db, async (trx) => {
      const mailing = await lockMailing(trx, week);
      if (!mailing || mailing.is_done) return;
      if (await jobs.hasMoreThan(trx, WAITING_MAX, 'saved-news')) return;
      const rows = await lists.rowsAfter(trx, mailing.done_to);
      const days = { from: addDays(week, -7), until: week };
      await jobs.enqueueAll(trx, 'saved-news', await newsFor({ ...deps, db: trx }, rows, days));
      const last = rows.at(-1)?.user_id;
      const is_done = rows.length < BATCH_SIZE;
      await moveMailing(trx, week, { ...(last && { done_to: last }), is_done });
    });
  };
}

/** The mail for accounts that have turned it on and saved something. */
async function newsFor(
  deps: NewsDeps & Pick<Deps, 'keys'>,
  rows: Awaited<ReturnType<typeof lists.rowsAfter>>,
  days: Days,
): Promise<JobPayloads['saved-news'][]> {
  const { keys } = deps;
  const followers = rows
    .map(({ user_id, sealed }) => ({ userId: user_id, ...lists.open(keys, user_id, sealed) }))
    .flatMap(({ userId, entries = [], weekly_mail }) =>
      weekly_mail && entries.length > 0 ? [{ userId, entries }] : [],
    );
  if (followers.length === 0) return [];
  const addresses = followers.flatMap(({ entries }) => entries);
  const found = await newsOf(deps, addresses, days);
  return followers.map(({ userId, entries }) => {
    const news = entries
      .flatMap((address) => found.get(address) ?? [])
      .sort((a, b) => Number(b.isFirst ?? false) - Number(a.isFirst ?? false));
    const waiting: WaitingNews = { days, news };
    const sealed = seal(keys.savedLists[0], newsContext(userId), waiting, {
      blockBytes: NEWS_BLOCK_BYTES,
    });
    return { userId, sealed: sealed.toString('base64') };
  });
}

/**
 * The mail for an account, if it still wants one: it may have unsubscribed, or been deleted. Also
 * null if the key has been rotated since.
 */
export async function savedNewsMail(
  deps: Pick<Deps, 'db' | 'keys' | 'config'>,
  { userId, sealed }: JobPayloads['saved-news'],
): Promise<MailJob | null> {
  const { db, keys } = deps;
  const profile = await loadProfile(keys, db, userId);
  if (!profile || !(await readSaved(deps, userId)).weekly_mail) return null;
  const bytes = Buffer.from(sealed, 'base64');
  const waiting = unsealOrNull<WaitingNews>(keys.savedLists, newsContext(userId), bytes);
  if (!waiting) return null;
  const news = waiting.news.map(({ title, path, count, newest }) => ({
    title,
    path,
    about: `${count.toLocaleString('en-US')} new ${count === 1 ? 'review' : 'reviews'}, the newest from ${dayName(newest)}`,
  }));
  const last = addDays(waiting.days.until, -1);
  const week = `${dayName(waiting.days.from)} to ${dayName(last)}`;
  const props = { week, news, unsubscribeUrl: unsubscribeUrl(deps, userId) };
  return { to: profile.user.email, template: 'saved-news', props };
}

const DAY = new Intl.DateTimeFormat('en-US', { month: 'long', day: 'numeric', timeZone: 'UTC' });
const dayName = (day: string) => DAY.format(new Date(day));

function findMailing(db: Db, week: string) {
  return db
    .selectFrom('saved_mailings')
    .select(['done_to', 'is_done'])
    .where('week', '=', week)
    .executeTakeFirst();
}

/** Begins the week's mail, and deletes earlier weeks. Several servers may do so at the same time. */
async function beginMailing(db: Db, week: string): Promise<void> {
  await db
    .insertInto('saved_mailings')
    .values({ week })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  await db.deleteFrom('saved_mailings').where('week', '<', week).execute();
}

/** Undefined if another server holds the lock. */
function lockMailing(trx: Db, week: string) {
  return trx
    .selectFrom('saved_mailings')
    .select(['done_to', 'is_done'])
    .where('week', '=', week)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst();
}

async function moveMailing(
  trx: Db,
  week: string,
  progress: { done_to?: string; is_done: boolean },
): Promise<void> {
  await trx.updateTable('saved_mailings').set(progress).where('week', '=', week).execute();
}

const UNSUBSCRIBE_CONTEXT = 'unsubscribe';
/** Fits an account id. */
const TOKEN_BLOCK_BYTES = 64;

/** The session key is never rotated, so links in old mail stay valid. */
const unsubscribeKey = (keys: Keys): SealingKey => ({
  id: 'u',
  key: keys.sessionKey('unsubscribe'),
});

/** The link that stops an account's weekly mail. Its token is the account's id, sealed. */
export function unsubscribeUrl(
  { keys, config }: Pick<Deps, 'keys' | 'config'>,
  userId: string,
): string {
  const token = seal(unsubscribeKey(keys), UNSUBSCRIBE_CONTEXT, userId, {
    blockBytes: TOKEN_BLOCK_BYTES,
  });
  return `${config.publicUrl}${UNSUBSCRIBE_PATH}?token=${token.toString('base64url')}`;
}

/**
 * Stops the weekly mail. The response does not reveal whether it had been stopped before, or the
 * account deleted. Throws `invalid_email_link`.
 */
export async function unsubscribe(
  { db, keys }: Pick<Deps, 'db' | 'keys'>,
  token: string,
): Promise<void> {
  const userId = unsealOrNull<string>(
    [unsubscribeKey(keys)],
    UNSUBSCRIBE_CONTEXT,
    Buffer.from(token, 'base64url'),
  );
  if (userId === null) throw new AppError('invalid_email_link');
  await inTransaction(db, (trx) =>
    changeList({ keys }, trx, userId, (list) => ({ ...list, weekly_mail: false })),
  );
}

/** What is new in one saved entry. */
interface News extends NewReviews {
  readonly title: string;
  readonly path: string;
  /** The first review of a saved employer. */
  readonly isFirst?: boolean;
}

type NewsDeps = Pick<Deps, 'db' | 'cache'>;
type ByEmployer = ReadonlyMap<number, NewReviewsOfEmployer>;
type Found = (readonly [address: string, News])[];
type Search = Extract<Saved, { page: unknown }>;

/**
 * What is new in each of these addresses in some days: public reviews by any author. The
 * number of statements does not depend on the number of accounts.
 */
async function newsOf(
  deps: NewsDeps,
  addresses: readonly string[],
  days: Days,
): Promise<ReadonlyMap<string, News>> {
  const saved = [...new Set(addresses)].map((address) => [address, parseSaved(address)] as const);
  const searches = (page: Search['page']) =>
    saved.flatMap(([address, one]) =>
      one && 'page' in one && one.page === page ? [{ address, ...one }] : [],
    );
  const ids = saved.flatMap(([, one]) => (one && 'employerId' in one ? one.employerId : []));
  const byEmployer = await selectNewByEmployer(deps.db, days);
  return new Map([
    ...(await ofEmployers(deps, ids, byEmployer)),
    ...(await ofDirectory(deps, searches('/employers'), byEmployer)),
    ...(await ofReviews(deps, searches('/reviews'), days)),
  ]);
}

async function ofEmployers(
  { db }: NewsDeps,
  ids: readonly number[],
  byEmployer: ByEmployer,
): Promise<Found> {
  const employers = await employersByAnyId(db, ids);
  return [...employers].flatMap(([id, employer]) => {
    const news = byEmployer.get(employer.id);
    const name = titleCase(employer.name);
    const title = news?.isFirst ? firstReviewTitle(name) : name;
    return news
      ? [[employerAddress(id), { ...news, title, path: employerAddress(employer.id) }]]
      : [];
  });
}

type Addressed = Search & { readonly address: string };

const found = ({ address, page, criteria }: Addressed, news: NewReviews) =>
  [address, { ...news, title: searchTitle(page, criteria), path: address }] as const;

/** A filter that no longer exists finds nothing. */
const valid = <Query>(
  searches: readonly Addressed[],
  read: (criteria: unknown) => { success: boolean; data?: Query },
) =>
  searches.flatMap((search) => {
    const { data } = read(search.criteria);
    return data === undefined ? [] : [{ search, query: data }];
  });

/** The new reviews of all employers that a search of the directory finds. */
async function ofDirectory(
  deps: NewsDeps,
  searches: readonly Addressed[],
  byEmployer: ByEmployer,
): Promise<Found> {
  const queries = valid(searches, (criteria) => EmployerQuery.safeParse(criteria));
  const among = await findAmong(
    deps,
    queries.map(({ query }) => query),
    [...byEmployer.keys()],
  );
  return queries.flatMap(({ search }, at) => {
    const news = (among[at] ?? []).flatMap((id) => byEmployer.get(id) ?? []);
    const newest = news
      .map((one) => one.newest)
      .sort()
      .at(-1);
    const count = news.reduce((sum, one) => sum + one.count, 0);
    return newest === undefined ? [] : [found(search, { count, newest })];
  });
}

async function ofReviews(
  deps: NewsDeps,
  searches: readonly Addressed[],
  days: Days,
): Promise<Found> {
  const queries = valid(searches, (criteria) => ReviewQuery.safeParse(criteria));
  const news = await findNewReviews(
    deps,
    queries.map(({ query }) => query),
    days,
  );
  return queries.flatMap(({ search }, at) => {
    const one = news[at];
    return one ? [found(search, one)] : [];
  });
}
