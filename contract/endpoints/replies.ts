import * as z from 'zod/mini';
import { del, get, patch, post } from '../endpoint.ts';
import { Message } from '../problem.ts';
import { ReportRequest } from '../review-feedback.ts';
import { ModeratedReply, ReplyKeepingRequest, ReplyRemovalRequest } from '../review-moderation.ts';
import * as replies from '../review-replies.ts';

const ofReview = { params: z.strictObject({ id: z.uuid() }) };
const writing = {
  ...ofReview,
  body: replies.ReplyRequest,
  errors: [404, 409],
  rateLimit: 'replyWrite',
} as const;

/** An employer's replies to reviews, by the id of the review, and reports of them. */
export const replyEndpoints = {
  listRemoved: get('/reviews/replies/removed/', 'representative', {
    answers: { 200: replies.RemovedReplies },
  }),
  create: post('/reviews/:id/reply/', 'representative', {
    ...writing,
    answers: { 201: replies.Reply },
  }),
  edit: patch('/reviews/:id/reply/', 'representative', {
    ...writing,
    answers: { 200: replies.Reply },
  }),
  delete: del('/reviews/:id/reply/', 'representative', {
    ...ofReview,
    answers: { 204: z.null() },
    errors: [404, 409],
  }),
  /** Also for the author of the review, who gets the same answer as anyone. */
  report: post('/reviews/:id/reply/report/', 'reader', {
    ...ofReview,
    body: ReportRequest,
    answers: { 200: Message },
    errors: [404],
    rateLimit: 'reviewReport',
  }),
};

const decision = { ...ofReview, answers: { 200: ModeratedReply }, errors: [404, 409] } as const;

/** Decisions about a reply. None of them shows who reported it. */
export const replyDecisionEndpoints = {
  keep: post('/admin/replies/:id/keep/', 'moderator', { ...decision, body: ReplyKeepingRequest }),
  remove: post('/admin/replies/:id/remove/', 'moderator', {
    ...decision,
    body: ReplyRemovalRequest,
  }),
};
