import type { FastifyPluginAsync } from 'fastify';
import { employerEndpoints } from '#contract/endpoints/employers.ts';
import {
  castVoteEndpoints,
  feedbackEndpoints,
  takeVoteBackEndpoints,
} from '#contract/endpoints/feedback.ts';
import { moderationEndpoints } from '#contract/endpoints/moderation.ts';
import {
  physicianCountEndpoints,
  positionTitleEndpoints,
  reviewEndpoints,
} from '#contract/endpoints/reviews.ts';
import { DECISION_OUTCOME_KEYS } from '#contract/review-rules.ts';
import { FEEDBACK_MESSAGES, VOTES } from '#contract/reviews/review-feedback.ts';
import { reviewRequest } from '#contract/reviews/reviews.ts';
import type { Deps } from '#server/deps.ts';
import { redirectMerged } from '#server/features/employers/employers.ts';
import { concernsNamed, currentId, wordsOfConcern } from '#server/features/employers/queries.ts';
import { ownReviews } from '#server/features/reviews/moderation/own-reviews.ts';
import { toPage, toSearchedPage } from '#server/listing/page.ts';
import { countPhysicians } from '#server/npi-registry/imported.ts';
import { callerOf } from '#server/plugins/access.ts';
import { route } from '#server/plugins/route.ts';
import type { RateLimits } from '#server/rate-limits/rate-limits.ts';
import { createReview, editReview, removeReview } from './create-edit-delete.ts';
import { answeredReports } from './feedback/answered-reports.ts';
import { changeVote, reportReview, votesOf } from './feedback/votes-and-reports.ts';
import { appeal, decideAppeal } from './moderation/appeals.ts';
import { decideReview, groundsOf } from './moderation/decide-review.ts';
import { listModerated } from './moderation/moderated-reviews.ts';
import { lookAgain } from './moderation/second-look.ts';
import { listPositionTitles } from './position-titles/suggestions.ts';
import { listReviews, readReview, reviewFilterOptions } from './reviews.ts';
import { publishNow } from './scheduled/scheduled-reviews.ts';

/** Reviews, the feedback on them, and their moderation (docs/api.md, "Endpoints"). */
export function reviewRoutes(deps: Deps, limits: RateLimits): FastifyPluginAsync {
  const fromReviews = { madeFrom: ['reviews', 'votes', 'replies'] } as const;
  const fromEmployers = { madeFrom: ['employers', 'reviews', 'votes', 'replies'] } as const;
  return async (app) => {
    route(app, reviewEndpoints.list, fromReviews, async ({ query, url }) => {
      return toSearchedPage(url, query, await listReviews(deps, query));
    });

    route(app, employerEndpoints.reviews, fromEmployers, async (request, reply) => {
      const { params, query, url } = request;
      const [found, concerns, concern_words] = await Promise.all([
        listReviews(deps, { ...query, employer_id: params.id }),
        query.search ? concernsNamed(deps.db, params.id, query.search) : [],
        query.concern && wordsOfConcern(deps.db, query.concern),
      ]);
      // The reviews of a merged employer have moved, and an unknown one has none.
      const id = found.count === 0 ? await currentId(deps.db, params.id) : params.id;
      return (
        redirectMerged(id, request, reply) ?? {
          ...toSearchedPage(url, query, found),
          ...(concerns.length > 0 && { concerns }),
          ...(concern_words && { concern_words }),
        }
      );
    });

    route(app, reviewEndpoints.filterOptions, { madeFrom: ['reviews'] }, async () =>
      reviewFilterOptions(deps),
    );

    route(app, reviewEndpoints.listOwn, async (request) =>
      ownReviews(deps, callerOf(request).author),
    );

    route(app, reviewEndpoints.read, fromReviews, async ({ params }) =>
      readReview(deps, params.id),
    );

    route(
      app,
      reviewEndpoints.create,
      { changes: ['reviews', 'employers'], body: reviewRequest(deps.clock) },
      async (request) => createReview(deps, limits, callerOf(request), request.body),
    );

    route(app, reviewEndpoints.publish, { changes: ['reviews', 'employers'] }, async (request) =>
      publishNow(deps, callerOf(request), request.params.id),
    );

    route(app, reviewEndpoints.edit, { changes: ['reviews'] }, async (request) =>
      editReview(deps, callerOf(request), request.params.id, request.body),
    );

    route(app, reviewEndpoints.appeal, async (request) =>
      appeal(deps, callerOf(request), request.params.id, request.body.text),
    );

    route(app, reviewEndpoints.delete, { changes: ['reviews', 'votes'] }, async (request) => {
      await removeReview(deps, callerOf(request).author, request.params.id);
      return null;
    });

    // Only the review form loads these two.
    const fromTitles = { madeFrom: ['position_titles'], precedesActs: true } as const;
    route(app, positionTitleEndpoints.list, fromTitles, async ({ query, url }) => {
      const { titles, count } = await listPositionTitles(deps.db, query);
      return toPage(url, query, count, titles);
    });

    const fromRegistry = { madeFrom: ['physician_counts'], precedesActs: true } as const;
    route(app, physicianCountEndpoints.read, fromRegistry, async ({ query }) =>
      countPhysicians(deps.db, query.state),
    );

    route(app, feedbackEndpoints.ownVotes, async (request) =>
      votesOf(deps, callerOf(request).author, request.query.ids),
    );

    for (const vote of VOTES) {
      for (const [action, endpoints] of [
        ['cast', castVoteEndpoints],
        ['withdraw', takeVoteBackEndpoints],
      ] as const) {
        route(app, endpoints[vote], { changes: ['votes'] }, async (request) =>
          changeVote(deps, callerOf(request), { reviewId: request.params.id, vote, action }),
        );
      }
    }

    const answersTo = answeredReports(deps);
    route(app, feedbackEndpoints.answeredReports, async (request) =>
      answersTo(callerOf(request).author),
    );

    route(app, feedbackEndpoints.report, async (request) => {
      await reportReview(deps, callerOf(request), request.params.id, request.body);
      return { message: FEEDBACK_MESSAGES.reported };
    });

    route(app, moderationEndpoints.listReports, async ({ query, url }) => {
      const { reviews, count } = await listModerated(deps, query);
      return toPage(url, query, count, reviews);
    });

    const decision = { changes: ['reviews', 'votes'] } as const;
    for (const outcome of DECISION_OUTCOME_KEYS) {
      route(app, moderationEndpoints[outcome], decision, async (request) => {
        const grounds = groundsOf(request.body);
        const reviewId = request.params.id;
        return decideReview(deps, callerOf(request).userId, { ...grounds, reviewId, outcome });
      });
    }
    route(app, moderationEndpoints.decideAppeal, decision, async (request) =>
      decideAppeal(deps, callerOf(request).userId, request.params.id, request.body),
    );
    route(app, moderationEndpoints.secondLook, async (request) =>
      lookAgain(deps, callerOf(request).userId, request.params.id, request.body),
    );
  };
}
