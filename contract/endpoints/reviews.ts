import * as z from 'zod/mini';
import { del, get, patch, post } from '../endpoint.ts';
import { REVIEW_MESSAGES } from '../review-choices.ts';
import { PhysicianCounts, PhysicianCountsQuery } from '../reviews/physician-counts.ts';
import { AppealRequest } from '../reviews/review-appeals.ts';
import { ReviewFilterOptions, ReviewQuery } from '../reviews/review-queries.ts';
import * as reviews from '../reviews/reviews.ts';
import { SuggestionQuery, Suggestions } from '../reviews/suggestions.ts';

const byId = z.strictObject({ id: z.uuid() });
/** While a review is scheduled, its author sees more fields than the public will. */
const WrittenReview = z.union([reviews.Review, reviews.OwnReview]);

/** Reviews as the public reads them and as their authors write them. */
export const reviewEndpoints = {
  list: get('/reviews/', 'public', {
    query: ReviewQuery,
    answers: { 200: reviews.ReviewPage },
  }),
  filterOptions: get('/reviews/filter_options/', 'public', {
    answers: { 200: ReviewFilterOptions },
  }),
  listOwn: get('/reviews/my_reviews/', 'verified', {
    answers: { 200: reviews.OwnReviews },
    denial: REVIEW_MESSAGES.ownForbidden,
  }),
  read: get('/reviews/:id/', 'public', {
    params: byId,
    answers: { 200: reviews.Review },
    errors: [404],
  }),
  create: post('/reviews/', 'poster', {
    body: reviews.ReviewRequest,
    answers: { 201: WrittenReview },
    errors: [409],
    rateLimit: 'reviewWrite',
  }),
  publish: post('/reviews/:id/publish/', 'poster', {
    params: byId,
    answers: { 200: reviews.OwnReview },
    errors: [404, 409],
    rateLimit: 'reviewWrite',
  }),
  edit: patch('/reviews/:id/', 'verified', {
    params: byId,
    body: reviews.ReviewEditRequest,
    answers: { 200: WrittenReview },
    errors: [404, 409],
    rateLimit: 'reviewWrite',
  }),
  /** Also open to authors who are no longer verified. */
  appeal: post('/reviews/:id/appeal/', 'signed-in', {
    params: byId,
    body: AppealRequest,
    answers: { 200: reviews.OwnReview },
    errors: [404, 409],
    rateLimit: 'reviewWrite',
  }),
  /** Also open to authors who are no longer verified. */
  delete: del('/reviews/:id/', 'signed-in', {
    params: byId,
    answers: { 204: z.null() },
    errors: [404],
  }),
};

/** The position titles that the form suggests. */
export const positionTitleEndpoints = {
  list: get('/position-titles/', 'public', {
    query: reviews.PositionTitleQuery,
    answers: { 200: reviews.PositionTitlePage },
  }),
};

/** The review form uses this to show how many physicians could have written the review. */
export const physicianCountEndpoints = {
  read: get('/physician-counts/', 'public', {
    query: PhysicianCountsQuery,
    answers: { 200: PhysicianCounts },
  }),
};

/** What the search boxes suggest. */
export const suggestionEndpoints = {
  list: get('/suggestions/', 'public', {
    query: SuggestionQuery,
    answers: { 200: Suggestions },
  }),
};
