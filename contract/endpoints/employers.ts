import * as z from 'zod/mini';
import { CompareQuery, EmployerComparison } from '../employers/employer-comparison.ts';
import {
  type CorrectionDecision,
  CorrectionDecisionRequest,
  CorrectionRequest,
} from '../employers/employer-corrections.ts';
import * as curation from '../employers/employer-curation.ts';
import * as employers from '../employers/employers.ts';
import { type Endpoint, get, patch, post } from '../endpoint.ts';
import { Message } from '../problem.ts';
import { EmployerReviewsQuery } from '../reviews/review-queries.ts';
import { EmployerReviewPage } from '../reviews/reviews.ts';

const byId = z.strictObject({ id: employers.EmployerId });

/** The directory, and how administrators maintain it. */
export const employerEndpoints = {
  list: get('/employers/', 'public', {
    query: employers.EmployerQuery,
    answers: { 200: employers.EmployerPage },
  }),
  filterOptions: get('/employers/filter_options/', 'public', {
    query: employers.EmployerFilterOptionsQuery,
    answers: { 200: employers.EmployerFilterOptions },
  }),
  compare: get('/employers/compare/', 'public', {
    query: CompareQuery,
    answers: { 200: EmployerComparison },
  }),
  mailDomain: get('/employers/mail_domain/', 'public', {
    query: employers.MailDomainQuery,
    answers: { 200: employers.MailDomain },
  }),
  add: post('/employers/custom/', 'poster', {
    body: employers.CustomEmployerRequest,
    answers: { 200: employers.Employer },
    errors: [409],
  }),
  read: get('/employers/:id/', 'public', {
    params: byId,
    answers: { 200: employers.Employer, 301: employers.MergedEmployer },
    errors: [404],
  }),
  insights: get('/employers/:id/insights/', 'public', {
    params: byId,
    query: employers.InsightsQuery,
    answers: { 200: employers.EmployerBrief, 301: employers.MergedEmployer },
    errors: [404],
  }),
  reviews: get('/employers/:id/reviews/', 'public', {
    params: byId,
    query: EmployerReviewsQuery,
    answers: { 200: EmployerReviewPage, 301: employers.MergedEmployer },
    errors: [404],
  }),
  correct: post('/employers/:id/corrections/', 'reader', {
    params: byId,
    body: CorrectionRequest,
    answers: { 200: Message },
    errors: [404, 409],
    rateLimit: 'correction',
  }),
  listSubmitted: get('/admin/employers/submitted/', 'curator', {
    query: curation.SubmittedEmployerQuery,
    answers: { 200: curation.SubmittedEmployerPage },
  }),
  readFile: get('/admin/employers/:id/', 'curator', {
    params: byId,
    answers: { 200: curation.EmployerFile },
    errors: [404],
  }),
  curate: patch('/admin/employers/:id/', 'curator', {
    params: byId,
    body: curation.EmployerCurationRequest,
    answers: { 200: employers.Employer },
    errors: [404],
  }),
  accept: post('/admin/employers/:id/accept/', 'curator', {
    params: byId,
    body: curation.EmployerAcceptanceRequest,
    answers: { 200: employers.Employer },
    errors: [404, 409],
  }),
  reject: post('/admin/employers/:id/reject/', 'curator', {
    params: byId,
    body: curation.EmployerRejectionRequest,
    answers: { 200: curation.EmployerRejection },
    errors: [404, 409],
  }),
  unreject: post('/admin/employers/:id/unreject/', 'curator', {
    params: byId,
    body: curation.EmployerUnrejectRequest,
    answers: { 200: curation.EmployerUnrejection },
    errors: [404, 409],
  }),
  previewMerge: get('/admin/employers/:id/merge/', 'curator', {
    params: byId,
    query: curation.EmployerMergePreviewQuery,
    answers: { 200: curation.EmployerMergePreview },
    errors: [404, 409],
  }),
  merge: post('/admin/employers/:id/merge/', 'curator', {
    params: byId,
    body: curation.EmployerMergeRequest,
    factor: 'fresh',
    answers: { 200: curation.EmployerMerge },
    errors: [404, 409],
  }),
  unmerge: post('/admin/employers/:id/unmerge/', 'curator', {
    params: byId,
    body: curation.EmployerUnmergeRequest,
    factor: 'fresh',
    answers: { 200: curation.EmployerUnmerge },
    errors: [404, 409],
  }),
};

const correctionDecision = {
  params: byId,
  body: CorrectionDecisionRequest,
  answers: { 200: employers.Employer },
  errors: [404, 409],
} as const;

/** Decisions about the correction of one fact. */
export const correctionDecisionEndpoints = {
  accept: post('/admin/employers/:id/corrections/accept/', 'curator', correctionDecision),
  refuse: post('/admin/employers/:id/corrections/refuse/', 'curator', correctionDecision),
} satisfies Record<CorrectionDecision, Endpoint>;
