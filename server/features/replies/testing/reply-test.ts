import { accountEndpoints } from '#contract/endpoints/account.ts';
import { employerEndpoints } from '#contract/endpoints/employers.ts';
import { feedbackEndpoints } from '#contract/endpoints/feedback.ts';
import { caseEndpoints } from '#contract/endpoints/office.ts';
import {
  replyDecisionEndpoints,
  replyEndpoints,
  representativeDecisionEndpoints,
} from '#contract/endpoints/replies.ts';
import { reviewEndpoints } from '#contract/endpoints/reviews.ts';
import type { ReportRequest } from '#contract/reviews/review-feedback.ts';
import { PASSWORD } from '#server/features/accounts/testing/account-flows.ts';
import { caseAbout } from '#server/features/reviews/testing/moderation.ts';
import type { TestAccount } from '#server/testing/factories.ts';
import { at, type Site, test as siteTest } from '#server/testing/site.ts';

/**
 * `office`: staff with all roles. `reviewed`: a review whose employer has a representative.
 * `replied`: one with a reply. `reported`: one with a reply that a reader has reported.
 */
export const test = siteTest
  .extend('office', ({ site }) => newOffice(site))
  .extend('reader', ({ site }) => newReader(site))
  .extend('reviewed', ({ site }) => newReviewed(site))
  .extend('replied', async ({ reviewed }) => {
    await reviewed.speaker.write(reviewed.id, 'Who are you?');
    return reviewed;
  })
  .extend('reported', async ({ site, reader, replied }) => {
    await reader.report(replied.id);
    return { ...replied, case_id: (await caseAbout(site, 'reply', replied.id))?.id };
  });

export async function newReviewed(site: Site) {
  const author = await newReader(site, await site.doctor());
  const { id, employer } = await site.review({ by: author });
  return { author, id, employer: employer.id, speaker: await newSpeaker(site, employer.id) };
}

/** A representative, who can reply. */
export async function newSpeaker(site: Site, employer: number) {
  const account = await site.representative(employer, { password: PASSWORD });
  const client = site.as(account);
  return {
    ...account,
    ...client,
    write: (id: string, text = 'Thank you.') =>
      client.post(replyEndpoints.create, { text }, at(id)),
    edit: (id: string, text: string) => client.patch(replyEndpoints.edit, { text }, at(id)),
    drop: (id: string) => client.delete(replyEndpoints.delete, at(id)),
    removed: async () => (await client.get(replyEndpoints.listRemoved)).body,
    leave: () => client.post(accountEndpoints.delete, { password: PASSWORD, reviews: 'delete' }),
  };
}

/** A doctor, who can report replies. */
export async function newReader(site: Site, account?: TestAccount) {
  const doctor = account ?? (await site.doctor({}));
  const client = site.as(doctor);
  return {
    ...doctor,
    ...client,
    report: (id: string, reason: ReportRequest['reason'] = 'abusive', note = '') =>
      client.post(replyEndpoints.report, { reason, note }, at(id)),
    answers: async () => (await client.get(feedbackEndpoints.answeredReports)).body,
  };
}

interface Decision {
  reason?: string;
  case_id?: string | undefined;
  version?: string;
}

async function newOffice(site: Site) {
  const account = await site.admin();
  const client = site.as(account);
  const { approve, refuse } = representativeDecisionEndpoints;
  return {
    ...account,
    ...client,
    keep: (id: string, decision: Decision = {}) =>
      client.post(replyDecisionEndpoints.keep, decision, at(id)),
    remove: (id: string, decision: Decision = {}) =>
      client.post(
        replyDecisionEndpoints.remove,
        { reason: 'Asks who wrote it.', rule: 'asking_who', ...decision },
        at(id),
      ),
    /** What a moderator sees of the case about a reply; undefined if there is none. */
    async fileAbout(id: string) {
      const open = await caseAbout(site, 'reply', id);
      if (!open) return undefined;
      const { file } = (await client.get(caseEndpoints.read, at(open.id))).body;
      return file.type === 'reply' ? file : undefined;
    },
    approve: (id: string) => client.post(approve, { reason: 'Works there.' }, at(id)),
    refuse: (id: string) => client.post(refuse, { reason: 'Never worked there.' }, at(id)),
    merge: (from: number, into: number) => client.post(employerEndpoints.merge, { into }, at(from)),
    undo: (from: number) =>
      client.post(employerEndpoints.unmerge, { reason: 'Two places.' }, at(from)),
  };
}

export const publicReply = async (site: Site, id: string) =>
  (await site.visitor().get(reviewEndpoints.read, at(id))).body.reply;

/** The public texts. */
export const textsOf = (site: Site, ...ids: string[]) =>
  Promise.all(ids.map(async (id) => (await publicReply(site, id))?.text));

export const storedReplies = (site: Site, id: string) =>
  site.rows('review_replies', { review_id: id });
