import * as z from 'zod/mini';
import { del, type Endpoint, get, post } from '../endpoint.ts';
import { Message } from '../problem.ts';
import * as feedback from '../reviews/review-feedback.ts';

const byId = z.strictObject({ id: z.uuid() });

const vote = {
  params: byId,
  answers: { 200: feedback.VoteResponse },
  errors: [404],
  rateLimit: 'reviewVote',
} as const;

/** Votes on reviews and reports of them. */
export const feedbackEndpoints = {
  ownVotes: get('/reviews/votes/', 'signed-in', {
    query: feedback.ReviewVotesQuery,
    answers: { 200: feedback.ReviewVotes },
  }),
  answeredReports: get('/reviews/reports/', 'signed-in', {
    answers: { 200: feedback.AnsweredReports },
  }),
  report: post('/reviews/:id/report/', 'reader', {
    params: byId,
    body: feedback.ReportRequest,
    answers: { 200: Message },
    errors: [404],
    rateLimit: 'reviewReport',
  }),
};

export const castVoteEndpoints = {
  helpful: post('/reviews/:id/helpful/', 'verified', vote),
  not_helpful: post('/reviews/:id/not-helpful/', 'verified', vote),
} satisfies Record<feedback.Vote, Endpoint>;

export const takeVoteBackEndpoints = {
  helpful: del('/reviews/:id/helpful/', 'verified', vote),
  not_helpful: del('/reviews/:id/not-helpful/', 'verified', vote),
} satisfies Record<feedback.Vote, Endpoint>;
