import type { CaseKind } from '#contract/cases.ts';
import { moderationEndpoints } from '#contract/endpoints/moderation.ts';
import { reviewEndpoints } from '#contract/endpoints/reviews.ts';
import type { ListedReview } from '#contract/review-moderation.ts';
import type { TestApp } from '#server/testing/app.ts';
import { at, type Client, type Site } from '#server/testing/site.ts';

/** The open case of this kind about a review. */
export const caseAbout = ({ deps }: Pick<TestApp, 'deps'>, kind: CaseKind, review_id: string) =>
  deps.db
    .selectFrom('cases')
    .select(['id', 'kind', 'priority', 'opened_on'])
    .where((eb) => eb.and({ kind, review_id }))
    .executeTakeFirst();

export const isPublic = async (site: Site, id: string) =>
  (await site.visitor().get(reviewEndpoints.read, at(id))).status === 200;

/** A review in a moderator's list of reported or removed reviews, however long that list is. */
export async function listedReview(
  moderator: Client,
  id: string,
  show: 'open' | 'removed' = 'open',
): Promise<ListedReview | undefined> {
  for (let page = 1; ; page += 1) {
    const query = { show, page, page_size: 100 };
    const { body } = await moderator.get(moderationEndpoints.listReports, { query });
    const found = body.results.find(({ review }) => review.id === id);
    if (found || !body.next) return found;
  }
}
