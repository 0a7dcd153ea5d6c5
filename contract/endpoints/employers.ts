import * as z from 'zod/mini';
import { CompareQuery, EmployerComparison } from '../employer-comparison.ts';
import * as curation from '../employer-curation.ts';
import * as employers from '../employers.ts';
import { get, patch, post } from '../endpoint.ts';
import { EmployerReviewsQuery, ReviewPage } from '../reviews.ts';

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
    answers: { 200: ReviewPage, 301: employers.MergedEmployer },
    errors: [404],
  }),
  listSubmitted: get('/admin/employers/submitted/', 'admin', {
    query: curation.SubmittedEmployerQuery,
    answers: { 200: curation.SubmittedEmployerPage },
  }),
  curate: patch('/admin/employers/:id/', 'admin', {
    params: byId,
    body: curation.EmployerCurationRequest,
    answers: { 200: employers.Employer },
    errors: [404],
  }),
  merge: post('/admin/employers/:id/merge/', 'admin', {
    params: byId,
    body: curation.EmployerMergeRequest,
    answers: { 200: curation.EmployerMerge },
    errors: [404],
  }),
};
