import { expect } from 'vitest';
import { feedbackEndpoints } from '#contract/endpoints/feedback.ts';
import { moderationEndpoints } from '#contract/endpoints/moderation.ts';
import { DAY_MS } from '#contract/limits.ts';
import { isPublic } from '#server/features/reviews/testing/moderation.ts';
import { JOB_NAMES, JOB_SETTINGS } from '#server/jobs/settings.ts';
import { logOf, newNpi, type TestAccount } from '#server/testing/factories.ts';
import { answering } from '#server/testing/matched-doctor.ts';
import { type Site, testWith } from '#server/testing/site.ts';
import { ADA, claim, doctorOf, prove } from './testing/claimants.ts';

const test = testWith({ config: { verification: 'registry' }, npiRegistry: answering(ADA) });

/** These change neither what is public nor what waits for staff. */
const NOT_RUN = ['rewrite', 'refresh-titles', 'weekly-mail', 'staff-digest'];
const isScheduled = (name: (typeof JOB_NAMES)[number]) => 'schedule' in JOB_SETTINGS[name];
const RUN = JOB_NAMES.filter((name) => isScheduled(name) && !NOT_RUN.includes(name));

/** Lets days pass with every scheduled job. */
async function pass(site: Site, days: number): Promise<void> {
  const { db, jobs } = site.deps;
  for (let day = 0; day < days; day += 1) {
    site.pass(DAY_MS);
    for (const name of RUN) await jobs.enqueue(db, name, {} as never);
    await site.jobs.idle();
  }
}

const reviewsBy = async (site: Site, by: TestAccount, count: number) => {
  const ids: string[] = [];
  while (ids.length < count) ids.push((await site.review({ by })).id);
  return ids;
};

/** A doctor with reviews, who was only matched and has lost the NPI to a proof. */
async function loserWith(site: Site, count: number) {
  const npi = newNpi();
  const loser = await claim(site, npi);
  const reviews = await reviewsBy(site, loser, count);
  await prove(site, await claim(site, npi));
  expect(await doctorOf(site, loser)).toMatchObject({ verified: false });
  return reviews;
}

test('losing the NPI hides no review, then or later', async ({ site }) => {
  const reviews = await loserWith(site, 8);
  await pass(site, 65);
  for (const id of reviews) {
    expect(await isPublic(site, id)).toBe(true);
    expect(await site.rows('cases', { review_id: id })).toEqual([]);
  }
});

test('a report is treated alike, whether or not the author lost the NPI', async ({ site }) => {
  const [lost = ''] = await loserWith(site, 1);
  const [held = ''] = await reviewsBy(site, await site.doctor(), 1);
  await pass(site, 65);
  const reporter = site.as(await site.doctor());
  const moderator = site.as(await site.admin());
  /** What the reporter, moderators, the author, and the log see of a review's report. */
  const story = async (id: string) => {
    const at = { params: { id } };
    const report = { reason: 'off_topic', note: 'Not about work.' } as const;
    const sent = await reporter.post(feedbackEndpoints.report, report, at);
    const list = await moderator.get(moderationEndpoints.listReports, { query: {} });
    const listed = list.body.results.filter(({ review }) => review.id === id);
    const shown = listed.map(({ reports, review }) => [reports, review.removed_reason]);
    const { body: kept } = await moderator.post(moderationEndpoints.keep, null, at);
    const removed = await moderator.post(moderationEndpoints.remove, { reason: 'x' }, at);
    const restored = await moderator.post(moderationEndpoints.restore, {}, at);
    const { removed_reason } = removed.body.review;
    const after = [kept.reports, kept.review.removed_reason, removed_reason, restored.status];
    const acts = await logOf(site, id, 'actor', 'action', 'details', 'happened_on');
    return [sent.status, shown, after, acts];
  };
  expect(await story(lost)).toEqual(await story(held));
});
