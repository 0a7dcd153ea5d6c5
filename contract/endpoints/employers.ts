import * as z from 'zod/mini';
import {
  CompareQuery,
  CustomEmployerRequest,
  Employer,
  EmployerComparison,
  EmployerCurationRequest,
  EmployerFilterOptions,
  EmployerId,
  EmployerInsights,
  EmployerMerge,
  EmployerMergeRequest,
  EmployerPage,
  EmployerQuery,
  MailDomain,
  MailDomainQuery,
  MergedEmployer,
  SubmittedEmployerPage,
  SubmittedEmployerQuery,
} from '../employers.ts';
import { get, patch, post } from '../endpoint.ts';
import { EmployerReviewsQuery, ReviewPage } from '../reviews.ts';

const byId = z.strictObject({ id: EmployerId });

/** The directory, and how administrators maintain it. */
export const employerEndpoints = {
  list: get('/employers/', 'public', { query: EmployerQuery, answers: { 200: EmployerPage } }),
  filterOptions: get('/employers/filter_options/', 'public', {
    answers: { 200: EmployerFilterOptions },
  }),
  compare: get('/employers/compare/', 'public', {
    query: CompareQuery,
    answers: { 200: EmployerComparison },
  }),
  mailDomain: get('/employers/mail_domain/', 'public', {
    query: MailDomainQuery,
    answers: { 200: MailDomain },
  }),
  add: post('/employers/custom/', 'poster', {
    body: CustomEmployerRequest,
    answers: { 200: Employer },
  }),
  read: get('/employers/:id/', 'public', {
    params: byId,
    answers: { 200: Employer, 301: MergedEmployer },
    errors: [404],
  }),
  insights: get('/employers/:id/insights/', 'public', {
    params: byId,
    answers: { 200: EmployerInsights, 301: MergedEmployer },
    errors: [404],
  }),
  reviews: get('/employers/:id/reviews/', 'public', {
    params: byId,
    query: EmployerReviewsQuery,
    answers: { 200: ReviewPage, 301: MergedEmployer },
    errors: [404],
  }),
  listSubmitted: get('/admin/employers/submitted/', 'admin', {
    query: SubmittedEmployerQuery,
    answers: { 200: SubmittedEmployerPage },
  }),
  curate: patch('/admin/employers/:id/', 'admin', {
    params: byId,
    body: EmployerCurationRequest,
    answers: { 200: Employer },
    errors: [404],
  }),
  merge: post('/admin/employers/:id/merge/', 'admin', {
    params: byId,
    body: EmployerMergeRequest,
    answers: { 200: EmployerMerge },
    errors: [404],
  }),
};
