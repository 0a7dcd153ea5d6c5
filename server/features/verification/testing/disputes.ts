import { expect } from 'vitest';
import { moderationEndpoints } from '#contract/endpoints/moderation.ts';
import { DAY_MS, PAGE_SIZE_MAX } from '#contract/limits.ts';
import type { ListedReview } from '#contract/review-moderation.ts';
import type { ReviewRequest } from '#contract/reviews.ts';
import { newNpi } from '#server/testing/factories.ts';
import type { Site } from '#server/testing/site.ts';
import { holdDisputedReviews } from '../disputed-reviews.ts';
import { openDisputes, timeToHold } from '../disputes.ts';
import { claim, prove } from './claimants.ts';

/** A doctor who was only matched, has posted reviews, and has just lost the NPI to its owner. */
export async function loserWith(site: Site, count: number, fields?: Partial<ReviewRequest>) {
  const npi = newNpi();
  const loser = await claim(site, npi);
  const reviews: string[] = [];
  while (reviews.length < count) reviews.push((await site.review({ by: loser, ...fields })).id);
  const owner = await claim(site, npi);
  await prove(site, owner);
  return { npi, loser, owner, reviews };
}

export const runHolding = ({ deps }: Site) => holdDisputedReviews(deps)({});

export const inDays = (from: Date, days: number) => new Date(from.getTime() + days * DAY_MS);

/** The ids of these reviews that are public. */
export async function publishedOf({ deps }: Site, ids: readonly string[]): Promise<string[]> {
  const rows = await deps.db
    .selectFrom('reviews')
    .select('id')
    .where('id', 'in', ids)
    .where('removed_reason', 'is', null)
    .execute();
  return rows.map(({ id }) => id);
}

/** When each of these reviews will be held, earliest first. */
export async function timesOf({ deps }: Site, ids: readonly string[]) {
  const disputes = await openDisputes(deps.keys, deps.db);
  return disputes
    .flatMap((dispute) => ids.map((id) => ({ id, at: timeToHold(dispute, id) })))
    .toSorted((one, other) => one.at - other.at);
}

/**
 * Runs the job just before and at each review's time, until `until`. Returns which reviews were held
 * when. Fails if one run holds several.
 */
export async function holdDue(
  site: Site,
  ids: readonly string[],
  until = Number.POSITIVE_INFINITY,
) {
  const held: { id: string; at: Date }[] = [];
  const start = site.time.now.getTime();
  let published = await publishedOf(site, ids);
  for (const { at } of await timesOf(site, ids)) {
    if (at > until || at < start) continue;
    for (const moment of [Math.ceil(at) - 1, Math.ceil(at)]) {
      site.time.now = new Date(moment);
      await runHolding(site);
      const left = await publishedOf(site, ids);
      const gone = published.filter((id) => !left.includes(id));
      expect(gone.length).toBeLessThanOrEqual(1);
      published = left;
      held.push(...gone.map((id) => ({ id, at: site.time.now })));
    }
  }
  return held;
}

/** The open cases for moderators. */
export async function openCases(site: Site): Promise<ListedReview[]> {
  const query = { page_size: PAGE_SIZE_MAX };
  const list = site.as(await site.admin()).get(moderationEndpoints.listReports, { query });
  return (await list).body.results;
}

/** Has a moderator publish a held review again. */
export const republish = async (site: Site, id: string, act: 'restore' | 'keep' = 'restore') =>
  (await site.as(await site.admin()).post(moderationEndpoints[act], {}, { params: { id } })).body;
