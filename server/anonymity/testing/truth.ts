import { openAuthorSalts } from '#server/features/accounts/credentials/author-secret.ts';
import { openRefreshToken } from '#server/features/accounts/session/tokens.ts';
import { type Author, lockedAuthor, openAuthor } from '../author.ts';
import type { ReviewDeed } from '../keys.ts';
import type { Target } from './matcher.ts';
import { dumpedBytes } from './open-dump.ts';
import type { Pair } from './order.ts';
import type { World } from './world.ts';

/** Authors with and without locked reviews. The adversaries learn less about locked ones. */
export type Cohort = 'unlocked' | 'locked';

/** Account -> its author secret, or null. Only the members' browsers have the secrets. */
export function secretsOf({ members, server }: World): Map<string, Buffer | null> {
  const { keys } = server.deps;
  return new Map(
    members.map(({ userId, refresh }) => {
      const claims = openRefreshToken(keys, refresh);
      if (!claims) throw new Error('not a refresh token');
      return [userId, claims.authorSecret];
    }),
  );
}

/** The author that each member acts as. */
export async function authorsOf(world: World): Promise<Map<string, Author>> {
  const { db, keys } = world.server.deps;
  const secrets = secretsOf(world);
  const rows = await db.selectFrom('users').select(['id', 'author_salt']).execute();
  return new Map(
    rows.map(({ id, author_salt }) => {
      const secret = secrets.get(id);
      const { salts } = openAuthorSalts(keys, id, author_salt);
      return [id, secret ? lockedAuthor({ secret, salts }) : openAuthor(keys, id)];
    }),
  );
}

interface Site {
  world: World;
  authors: ReadonlyMap<string, Author>;
}
/** A vote or report: the review, and the account that made it. */
type Deed = readonly [reviewId: string, userId: string];

/** One review of each author. Several per author would count the same finding more than once. */
export function reviewsOf({ world }: Pick<Site, 'world'>, cohort: Cohort = 'unlocked'): Target {
  const pairs = pairsOf(world, cohort, world.authors, ([id]) => id);
  return { table: 'public.reviews', column: 'id', pairs };
}

/** One scheduled review of each author. */
export function scheduledOf({ world }: Pick<Site, 'world'>, cohort: Cohort): Target {
  const pairs = pairsOf(world, cohort, world.scheduled, ([id]) => id);
  return { table: 'public.scheduled_reviews', column: 'id', pairs };
}

/** For each member who left reviews behind and returned: one such review and the new account. */
export function leftBehindOf({ world }: Pick<Site, 'world'>): Target {
  const pairs = world.departed.flatMap(({ ids, now }): Pair[] =>
    now === undefined ? [] : ids.slice(0, 1).map((key) => ({ key, owner: now })),
  );
  return { table: 'public.reviews', column: 'id', pairs };
}

/** One vote per voter, by its key. Deriving it takes the authorship key or the author's secret. */
export function votesOf({ world, authors }: Site, cohort: Cohort): Target {
  const pairs = pairsOf(world, cohort, deedsOf(world.votes), deedKeyOf(authors, 'vote'));
  return { table: 'public.review_votes', column: 'voter_key', pairs };
}

/** One report of each reporter, by its key. */
export function reportsOf({ world, authors }: Site, cohort: Cohort): Target {
  const pairs = pairsOf(world, cohort, deedsOf(world.reports), deedKeyOf(authors, 'report'));
  return { table: 'public.review_reports', column: 'reporter_key', pairs };
}

/** One report of a reply by each reporter, by its key. */
export function replyReportsOf({ world, authors }: Site, cohort: Cohort): Target {
  const keyOf = deedKeyOf(authors, 'reply-report');
  const pairs = pairsOf(world, cohort, deedsOf(world.replyReports), keyOf);
  return { table: 'public.reply_reports', column: 'reporter_key', pairs };
}

const deedsOf = (deeds: readonly { reviewId: string; userId: string }[]) =>
  deeds.map(({ reviewId, userId }): Deed => [reviewId, userId]);

const deedKeyOf =
  (authors: Site['authors'], deed: ReviewDeed) =>
  ([reviewId, userId]: Deed): string => {
    const [key] = authors.get(userId)?.deedKeys(deed, reviewId) ?? [];
    if (!key) throw new Error('no author');
    return dumpedBytes(key);
  };

function pairsOf(
  { lockedAt }: World,
  cohort: Cohort,
  deeds: Iterable<Deed>,
  keyOf: (deed: Deed) => string,
): Pair[] {
  const firsts = new Map<string, string>();
  for (const deed of deeds) {
    const [, userId] = deed;
    const isMeant = lockedAt.has(userId) === (cohort === 'locked');
    if (isMeant && !firsts.has(userId)) firsts.set(userId, keyOf(deed));
  }
  return [...firsts].map(([owner, key]) => ({ key, owner }));
}

/** Sessions by their account hash, which can be computed only with the session key. */
export function sessionsOf({ world: { members, server } }: Pick<Site, 'world'>): Target {
  const { keys } = server.deps;
  const pairs = members.map(({ userId }) => ({
    owner: userId,
    key: dumpedBytes(keys.sessionIndex('session-account', userId)),
  }));
  return { table: 'public.sessions', column: 'account_key', pairs };
}
