import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import * as z from 'zod/mini';
import { Message } from '#contract/problem.ts';
import {
  FEEDBACK_MESSAGES,
  ReportRequest,
  ReviewVotes,
  ReviewVotesQuery,
  VOTES,
  type Vote,
  VoteResponse,
} from '#contract/review-feedback.ts';
import type { Deps } from '#server/deps.ts';
import { callerOf } from '#server/plugins/access.ts';
import { refusals } from '#server/plugins/route-schema.ts';
import { castVote, reportReview, takeVoteBack, votesOf } from './service.ts';

const byId = z.strictObject({ id: z.uuid() });
const VOTE_URLS: Record<Vote, string> = {
  helpful: '/reviews/:id/helpful/',
  not_helpful: '/reviews/:id/not-helpful/',
};

/** What readers say of reviews: that one is helpful, or is not, or should not be there. */
export function feedbackRoutes(deps: Deps): FastifyPluginAsyncZod {
  return async (app) => {
    app.get(
      '/reviews/votes/',
      {
        config: { access: 'signed-in' },
        schema: {
          querystring: ReviewVotesQuery,
          response: { 200: ReviewVotes, ...refusals(400, 401) },
        },
      },
      async (request) => votesOf(deps, callerOf(request).author, request.query.ids),
    );

    for (const vote of VOTES) {
      app.route({
        method: ['POST', 'DELETE'],
        url: VOTE_URLS[vote],
        config: { access: 'verified', rateLimit: 'reviewVote', changes: ['votes'] },
        schema: {
          params: byId,
          response: { 200: VoteResponse, ...refusals(400, 401, 403, 404, 429) },
        },
        async handler(request) {
          const change = request.method === 'POST' ? castVote : takeVoteBack;
          return change(deps, callerOf(request), request.params.id, vote);
        },
      });
    }

    app.post(
      '/reviews/:id/report/',
      {
        config: { access: 'signed-in', rateLimit: 'reviewReport' },
        schema: {
          params: byId,
          body: ReportRequest,
          response: { 200: Message, ...refusals(400, 401, 403, 404, 429) },
        },
      },
      async (request) => {
        await reportReview(deps, callerOf(request), request.params.id, request.body);
        return { message: FEEDBACK_MESSAGES.reported };
      },
    );
  };
}
