import * as z from 'zod/mini';
import { get, post } from '../endpoint.ts';
import * as moderation from '../review-moderation.ts';

const decision = {
  params: z.strictObject({ id: z.uuid() }),
  answers: { 200: moderation.ModeratedReview },
  errors: [404],
} as const;

/** What moderators do. None of it shows who wrote a review, or who reported it. */
export const moderationEndpoints = {
  listReports: get('/admin/reports/', 'admin', {
    query: moderation.ReportsQuery,
    answers: { 200: moderation.ModeratedReviewPage },
  }),
  remove: post('/admin/reviews/:id/remove/', 'admin', {
    ...decision,
    body: moderation.RemovalRequest,
  }),
  restore: post('/admin/reviews/:id/restore/', 'admin', decision),
  keep: post('/admin/reviews/:id/keep/', 'admin', decision),
};
