import * as z from 'zod/mini';
import { RegisterResponse } from '../accounts/accounts.ts';
import { del, type Endpoint, get, patch, post } from '../endpoint.ts';
import { Message } from '../problem.ts';
import * as representatives from '../replies/representatives.ts';
import { ReportRequest } from '../reviews/review-feedback.ts';
import { KeepingRequest, ModeratedReply, RemovalRequest } from '../reviews/review-moderation.ts';
import * as replies from '../reviews/review-replies.ts';

const ofReview = { params: z.strictObject({ id: z.uuid() }) };
const writing = {
  ...ofReview,
  body: replies.ReplyRequest,
  errors: [404, 409],
  rateLimit: 'replyWrite',
} as const;

/** Employers' replies to reviews, by review id, and reports of replies. */
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
  /** Also open to the author of the review, who gets the same answer as anyone else. */
  report: post('/reviews/:id/reply/report/', 'reader', {
    ...ofReview,
    body: ReportRequest,
    answers: { 200: Message },
    errors: [404],
    rateLimit: 'reviewReport',
  }),
};

const replyDecision = {
  ...ofReview,
  answers: { 200: ModeratedReply },
  errors: [404, 409],
} as const;

/** Decisions about a reply. None of these shows who reported it. */
export const replyDecisionEndpoints = {
  keep: post('/admin/replies/:id/keep/', 'moderator', { ...replyDecision, body: KeepingRequest }),
  remove: post('/admin/replies/:id/remove/', 'moderator', {
    ...replyDecision,
    body: RemovalRequest,
  }),
};

/** Accounts of employers' representatives. */
export const representativeEndpoints = {
  register: post('/auth/register/representative/', 'public', {
    body: representatives.RepresentativeRequest,
    answers: { 200: RegisterResponse },
  }),
  list: get('/admin/representatives/', 'curator', {
    query: representatives.RepresentativesQuery,
    answers: { 200: representatives.RepresentativePage },
  }),
  own: get('/representatives/me/', 'signed-in', {
    answers: { 200: representatives.Representative },
    errors: [404],
  }),
};

const representativeDecision = {
  params: z.strictObject({ id: z.uuid() }),
  body: representatives.RepresentativeDecisionRequest,
  // Null if the account has been deleted.
  answers: { 200: z.nullable(representatives.RepresentativeFile) },
  errors: [404, 409],
} as const;

/** Decisions about a representative, by account id, even if the account has been deleted. */
export const representativeDecisionEndpoints = {
  approve: post('/admin/representatives/:id/approve/', 'curator', representativeDecision),
  refuse: post('/admin/representatives/:id/refuse/', 'curator', representativeDecision),
} satisfies Record<representatives.RepresentativeDecision, Endpoint>;
