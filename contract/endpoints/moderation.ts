import * as z from 'zod/mini';
import { get, post } from '../endpoint.ts';
import { AppealDecisionRequest } from '../reviews/review-appeals.ts';
import * as moderation from '../reviews/review-moderation.ts';

const decision = {
  params: z.strictObject({ id: z.uuid() }),
  answers: { 200: moderation.ModeratedReview },
  errors: [404, 409],
} as const;

/** What moderators do. None of these shows who wrote or reported a review. */
export const moderationEndpoints = {
  listReports: get('/admin/reports/', 'moderator', {
    query: moderation.ReportsQuery,
    answers: { 200: moderation.ListedReviewPage },
  }),
  /** Any review, for staff who saw it on the site. */
  read: get('/admin/reviews/:id/', 'moderator', {
    params: decision.params,
    answers: { 200: moderation.ReviewFile },
    errors: [404],
  }),
  remove: post('/admin/reviews/:id/remove/', 'moderator', {
    ...decision,
    body: moderation.RemovalRequest,
  }),
  hold: post('/admin/reviews/:id/hold/', 'moderator', {
    ...decision,
    body: moderation.RemovalRequest,
  }),
  decideAppeal: post('/admin/reviews/:id/appeal/', 'moderator', {
    ...decision,
    body: AppealDecisionRequest,
  }),
  /** Records whether another moderator agrees with the last decision. */
  secondLook: post('/admin/reviews/:id/second-look/', 'moderator', {
    params: decision.params,
    body: moderation.SecondLookRequest,
    answers: { 200: moderation.SecondLook },
    errors: decision.errors,
  }),
  restore: post('/admin/reviews/:id/restore/', 'moderator', {
    ...decision,
    body: moderation.KeepingRequest,
  }),
  keep: post('/admin/reviews/:id/keep/', 'moderator', {
    ...decision,
    body: moderation.KeepingRequest,
  }),
};
