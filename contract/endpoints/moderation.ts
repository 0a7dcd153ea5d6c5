import * as z from 'zod/mini';
import { get, post } from '../endpoint.ts';
import {
  ModeratedReview,
  ModeratedReviewPage,
  RemovalRequest,
  ReportsQuery,
} from '../review-moderation.ts';

const decision = {
  params: z.strictObject({ id: z.uuid() }),
  answers: { 200: ModeratedReview },
  errors: [404],
} as const;

/** What moderators do. None of it shows who wrote a review, or who reported it. */
export const moderationEndpoints = {
  listReports: get('/admin/reports/', 'admin', {
    query: ReportsQuery,
    answers: { 200: ModeratedReviewPage },
  }),
  remove: post('/admin/reviews/:id/remove/', 'admin', { ...decision, body: RemovalRequest }),
  restore: post('/admin/reviews/:id/restore/', 'admin', decision),
  keep: post('/admin/reviews/:id/keep/', 'admin', decision),
};
