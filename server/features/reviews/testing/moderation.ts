import type { CaseKind } from '#contract/cases.ts';
import { feedbackEndpoints } from '#contract/endpoints/feedback.ts';
import { moderationEndpoints } from '#contract/endpoints/moderation.ts';
import { reviewEndpoints } from '#contract/endpoints/reviews.ts';
import type { ReportRequest } from '#contract/reviews/review-feedback.ts';
import type { ListedReview, ReportList } from '#contract/reviews/review-moderation.ts';
import { at, type Client, type Site } from '#server/testing/site.ts';

/** A new reader reports a review. */
export const report = async (
  site: Site,
  id: string,
  reason: ReportRequest['reason'] = 'abusive',
  note = '',
) => site.as(await site.doctor({})).post(feedbackEndpoints.report, { reason, note }, at(id));

/** The open case of this kind about a review. */
export const caseAbout = async (site: Site, kind: CaseKind, review_id: string) =>
  (await site.rows('cases', { kind, review_id }))[0];

/** The id of that case, or an empty text. */
export const caseIdAbout = async (...about: Parameters<typeof caseAbout>): Promise<string> =>
  (await caseAbout(...about))?.id ?? '';

export const isPublic = async (site: Site, id: string) =>
  (await site.visitor().get(reviewEndpoints.read, at(id))).status === 200;

/** A review in one of a moderator's lists, however long that list is. */
export async function listedReview(
  moderator: Client,
  id: string,
  show: ReportList = 'open',
): Promise<ListedReview | undefined> {
  for (let page = 1; ; page += 1) {
    const query = { show, page, page_size: 100 };
    const { body } = await moderator.get(moderationEndpoints.listReports, { query });
    const found = body.results.find(({ review }) => review.id === id);
    if (found || !body.next) return found;
  }
}
