import type { FastifyPluginAsync } from 'fastify';
import { replyDecisionEndpoints, replyEndpoints } from '#contract/endpoints/replies.ts';
import { REPLY_MESSAGES, REPLY_OUTCOMES } from '#contract/reviews/review-replies.ts';
import type { Deps } from '#server/deps.ts';
import { groundsOf } from '#server/features/reviews/moderation/decide-review.ts';
import { callerOf } from '#server/plugins/access.ts';
import { route } from '#server/plugins/route.ts';
import { decideReply, reportReply } from './moderation.ts';
import { deleteReply, editReply, removedReplies, writeReply } from './replies.ts';

/** Employers' replies to reviews, reports of them, and their moderation. */
export function replyRoutes(deps: Deps): FastifyPluginAsync {
  const writing = { changes: ['replies'] } as const;
  return async (app) => {
    route(app, replyEndpoints.listRemoved, async (request) =>
      removedReplies(deps, callerOf(request)),
    );

    route(app, replyEndpoints.create, writing, async (request) =>
      writeReply(deps, callerOf(request), request.params.id, request.body.text),
    );

    route(app, replyEndpoints.edit, writing, async (request) =>
      editReply(deps, callerOf(request), request.params.id, request.body.text),
    );

    route(app, replyEndpoints.delete, writing, async (request) => {
      await deleteReply(deps, callerOf(request), request.params.id);
      return null;
    });

    route(app, replyEndpoints.report, async (request) => {
      await reportReply(deps, callerOf(request), request.params.id, request.body);
      return { message: REPLY_MESSAGES.reported };
    });

    for (const outcome of REPLY_OUTCOMES) {
      route(app, replyDecisionEndpoints[outcome], writing, async (request) => {
        const grounds = groundsOf(request.body);
        const reviewId = request.params.id;
        return decideReply(deps, callerOf(request).userId, { ...grounds, reviewId, outcome });
      });
    }
  };
}
