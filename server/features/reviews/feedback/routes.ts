import type { FastifyPluginAsync } from 'fastify';
import {
  castVoteEndpoints,
  feedbackEndpoints,
  takeVoteBackEndpoints,
} from '#contract/endpoints/feedback.ts';
import { FEEDBACK_MESSAGES, VOTES } from '#contract/review-feedback.ts';
import type { Deps } from '#server/deps.ts';
import { callerOf } from '#server/plugins/access.ts';
import { route } from '#server/plugins/route.ts';
import { castVote, reportReview, takeVoteBack, votesOf } from './service.ts';

const VOTING = { changes: ['votes'] } as const;

/** What readers say of reviews: that one is helpful, or is not, or should not be there. */
export function feedbackRoutes(deps: Deps): FastifyPluginAsync {
  return async (app) => {
    route(app, feedbackEndpoints.ownVotes, async (request) =>
      votesOf(deps, callerOf(request).author, request.query.ids),
    );

    for (const vote of VOTES) {
      route(app, castVoteEndpoints[vote], VOTING, async (request) =>
        castVote(deps, callerOf(request), request.params.id, vote),
      );
      route(app, takeVoteBackEndpoints[vote], VOTING, async (request) =>
        takeVoteBack(deps, callerOf(request), request.params.id, vote),
      );
    }

    route(app, feedbackEndpoints.report, async (request) => {
      await reportReview(deps, callerOf(request), request.params.id, request.body);
      return { message: FEEDBACK_MESSAGES.reported };
    });
  };
}
