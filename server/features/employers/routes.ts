import type { FastifyReply, FastifyRequest } from 'fastify';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import * as z from 'zod/mini';
import {
  CompareQuery,
  CustomEmployerRequest,
  Employer,
  EmployerComparison,
  EmployerFilterOptions,
  EmployerId,
  EmployerInsights,
  EmployerPage,
  EmployerQuery,
  MailDomain,
  MailDomainQuery,
  MergedEmployer,
} from '#contract/employers.ts';
import { EmployerReviewsQuery, ReviewPage } from '#contract/reviews.ts';
import type { Deps } from '#server/deps.ts';
import { listReviews } from '#server/features/reviews/service.ts';
import { toPage } from '#server/paging.ts';
import { callerOf } from '#server/plugins/access.ts';
import { refusals } from '#server/plugins/route-schema.ts';
import type { RateLimits } from '#server/rate-limits/rate-limits.ts';
import { isEmployerDomain } from './mail-domains.ts';
import {
  compareEmployers,
  currentId,
  customEmployer,
  employerFilterOptions,
  listEmployers,
  readEmployer,
  readInsights,
} from './service.ts';

const byId = z.strictObject({ id: EmployerId });

/** `/employers/…` (specification, section 7). */
export function employerRoutes(deps: Deps, limits: RateLimits): FastifyPluginAsyncZod {
  const { db } = deps;
  return async (app) => {
    app.get(
      '/employers/',
      {
        config: { access: 'public', madeFrom: ['employers', 'reviews'] },
        schema: {
          querystring: EmployerQuery,
          response: { 200: EmployerPage, ...refusals(400) },
        },
      },
      async ({ query, url }) => {
        const { employers, count } = await listEmployers(deps, query);
        return toPage(url, query, count, employers);
      },
    );

    app.get(
      '/employers/filter_options/',
      {
        config: { access: 'public', madeFrom: ['employers'] },
        schema: { response: { 200: EmployerFilterOptions } },
      },
      async () => employerFilterOptions(deps),
    );

    app.get(
      '/employers/compare/',
      {
        config: { access: 'public', madeFrom: ['employers', 'reviews'] },
        schema: {
          querystring: CompareQuery,
          response: { 200: EmployerComparison, ...refusals(400) },
        },
      },
      async ({ query }) => compareEmployers(deps, query.ids),
    );

    app.get(
      '/employers/mail_domain/',
      {
        config: { access: 'public', madeFrom: ['employers'] },
        schema: {
          querystring: MailDomainQuery,
          response: { 200: MailDomain, ...refusals(400) },
        },
      },
      async ({ query }) => ({ is_employer: await isEmployerDomain(deps, query.domain) }),
    );

    app.post(
      '/employers/custom/',
      {
        config: { access: 'poster', changes: ['employers'] },
        schema: {
          body: CustomEmployerRequest,
          response: { 200: Employer, ...refusals(400, 401, 403, 429) },
        },
      },
      async (request) => customEmployer(deps, limits, callerOf(request), request.body.name),
    );

    app.get(
      '/employers/:id/',
      {
        config: { access: 'public', madeFrom: ['employers', 'reviews'] },
        schema: {
          params: byId,
          response: { 200: Employer, 301: MergedEmployer, ...refusals(400, 404) },
        },
      },
      async (request, reply) => {
        const id = await currentId(db, request.params.id);
        if (id !== request.params.id) return movedTo(id, request, reply);
        return readEmployer(db, id);
      },
    );

    app.get(
      '/employers/:id/insights/',
      {
        config: { access: 'public', madeFrom: ['employers', 'reviews'] },
        schema: {
          params: byId,
          response: { 200: EmployerInsights, 301: MergedEmployer, ...refusals(400, 404) },
        },
      },
      async (request, reply) => {
        const id = await currentId(db, request.params.id);
        if (id !== request.params.id) return movedTo(id, request, reply);
        return readInsights(deps, id);
      },
    );

    app.get(
      '/employers/:id/reviews/',
      {
        config: { access: 'public', madeFrom: ['employers', 'reviews', 'votes'] },
        schema: {
          params: byId,
          querystring: EmployerReviewsQuery,
          response: { 200: ReviewPage, 301: MergedEmployer, ...refusals(400, 404) },
        },
      },
      async (request, reply) => {
        const { query, url } = request;
        const id = await currentId(db, request.params.id);
        if (id !== request.params.id) return movedTo(id, request, reply);
        const { reviews, count } = await listReviews(deps, { ...query, employer_id: id });
        return toPage(url, query, count, reviews);
      },
    );
  };
}

/** The answer: the same path of the employer that it has been merged into. */
function movedTo(id: number, request: FastifyRequest, reply: FastifyReply) {
  const location = request.url.replace(/(?<=\/employers\/)\d+/, String(id));
  reply.code(301).header('location', location);
  return { merged_into: id };
}
