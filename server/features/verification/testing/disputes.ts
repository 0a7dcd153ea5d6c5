import { DAY_MS } from '#contract/limits.ts';
import type { ModeratedReview } from '#contract/review-moderation.ts';
import type { OwnReview, ReviewRequest } from '#contract/reviews.ts';
import { type Member, send } from '#server/features/accounts/testing/account-flows.ts';
import type { TestApp } from '#server/testing/app.ts';
import { newEmployer, newNpi, reviewOf, signedInAdmin } from '#server/testing/factories.ts';
import { holdDisputedReviews } from '../disputed-reviews.ts';
import { openDisputes, timeToHold } from '../disputes.ts';
import { claim, prove } from './claimants.ts';

/** Posts reviews of different employers. Returns their ids. */
export async function postReviews(
  server: TestApp,
  member: Member,
  count: number,
  fields: Partial<ReviewRequest> = {},
): Promise<string[]> {
  const ids: string[] = [];
  while (ids.length < count) {
    const review = reviewOf(await newEmployer(server), fields);
    const posted = await send(server, '/reviews/', review, member);
    if (posted.statusCode !== 201) throw new Error(posted.body);
    ids.push(posted.json<OwnReview>().id);
  }
  return ids;
}

/** A doctor who was only matched, has posted reviews, and has just lost the NPI to its owner. */
export async function loserWith(server: TestApp, count: number, fields?: Partial<ReviewRequest>) {
  const npi = newNpi();
  const loser = await claim(server, npi);
  const reviews = await postReviews(server, loser, count, fields);
  const owner = await claim(server, npi);
  await prove(server, owner);
  return { npi, loser, owner, reviews };
}

export const runHolding = ({ deps }: Pick<TestApp, 'deps'>) => holdDisputedReviews(deps)({});

export const inDays = (from: Date, days: number) => new Date(from.getTime() + days * DAY_MS);

/** The ids of these reviews that are public. */
export async function publishedOf({ deps }: TestApp, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return [];
  const rows = await deps.db
    .selectFrom('reviews')
    .select('id')
    .where('id', 'in', ids)
    .where('removed_reason', 'is', null)
    .execute();
  return rows.map(({ id }) => id);
}

/** When each of these reviews will be held, earliest first. */
export async function timesOf({ deps }: Pick<TestApp, 'deps'>, ids: readonly string[]) {
  const disputes = await openDisputes(deps.keys, deps.db);
  return disputes
    .flatMap((dispute) => ids.map((id) => ({ id, at: timeToHold(dispute, id) })))
    .toSorted((one, other) => one.at - other.at);
}

/** Runs the job at each review's time, until `until`. Returns which reviews were held when. */
export async function holdDue(
  server: TestApp,
  ids: readonly string[],
  until = Number.POSITIVE_INFINITY,
) {
  const held: { id: string; at: Date }[] = [];
  for (const { at } of await timesOf(server, ids)) {
    if (at > until || at < server.time.now.getTime()) continue;
    const before = await publishedOf(server, ids);
    server.time.now = new Date(at + 60_000);
    await runHolding(server);
    const after = new Set(await publishedOf(server, ids));
    const gone = before.filter((id) => !after.has(id));
    held.push(...gone.map((id) => ({ id, at: server.time.now })));
  }
  return held;
}

/** The open cases for moderators. */
export async function openCases(server: TestApp): Promise<ModeratedReview[]> {
  const { headers } = await signedInAdmin(server);
  const answer = await server.app.inject({ url: '/api/admin/reports/?page_size=100', headers });
  return answer.json<{ results: ModeratedReview[] }>().results;
}

/** Performs a moderator action on a review. */
export async function decide(server: TestApp, id: string, act: string, payload = {}) {
  return send(server, `/admin/reviews/${id}/${act}/`, payload, await signedInAdmin(server));
}
