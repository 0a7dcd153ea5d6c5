import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import * as z from 'zod/mini';
import {
  CustomEmployerRequest,
  Employer,
  EmployerFilterOptions,
  EmployerPage,
  EmployerQuery,
} from '#contract/employers.ts';
import { EmployerReviewsQuery, ReviewPage } from '#contract/reviews.ts';
import { AppError } from '#server/app-error.ts';
import type { Deps } from '#server/deps.ts';
import { listReviews } from '#server/features/reviews/service.ts';
import { toPage } from '#server/paging.ts';
import { refusals } from '#server/plugins/route-schema.ts';
import { filterOptions, findEmployer, findOrAddByName, listEmployers } from './queries.ts';

const MAX_INT = 2 ** 31 - 1;
const byId = z.strictObject({
  id: z.coerce.number().check(z.int(), z.minimum(1), z.maximum(MAX_INT)),
});

/** `/employers/…` (specification, section 7). */
export function employerRoutes({ db, clock }: Deps): FastifyPluginAsyncZod {
  return async (app) => {
    app.get(
      '/employers/',
      {
        config: { access: 'public' },
        schema: { querystring: EmployerQuery, response: { 200: EmployerPage, ...refusals(400) } },
      },
      async ({ query, url }) => {
        const { employers, count } = await listEmployers(db, query);
        return toPage(url, query, count, employers);
      },
    );

    app.get(
      '/employers/filter_options/',
      {
        config: { access: 'public' },
        schema: { response: { 200: EmployerFilterOptions } },
      },
      async () => filterOptions(db),
    );

    app.post(
      '/employers/custom/',
      {
        config: { access: 'poster' },
        schema: {
          body: CustomEmployerRequest,
          response: { 200: Employer, ...refusals(400, 401, 403, 429) },
        },
      },
      async ({ body }) => {
        const employer = await findEmployer(db, await findOrAddByName(db, body.name));
        if (!employer) throw new AppError('not_found');
        return employer;
      },
    );

    app.get(
      '/employers/:id/',
      {
        config: { access: 'public' },
        schema: { params: byId, response: { 200: Employer, ...refusals(400, 404) } },
      },
      async ({ params }) => {
        const employer = await findEmployer(db, params.id);
        if (!employer) throw new AppError('not_found');
        return employer;
      },
    );

    app.get(
      '/employers/:id/reviews/',
      {
        config: { access: 'public' },
        schema: {
          params: byId,
          querystring: EmployerReviewsQuery,
          response: { 200: ReviewPage, ...refusals(400, 404) },
        },
      },
      async ({ params, query, url }) => {
        const employer = await findEmployer(db, params.id);
        if (!employer) throw new AppError('not_found');
        const { reviews } = await listReviews({ db, clock }, { ...query, employer_id: params.id });
        return toPage(url, query, employer.total_reviews, reviews);
      },
    );
  };
}
