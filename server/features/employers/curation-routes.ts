import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import * as z from 'zod/mini';
import {
  Employer,
  EmployerCurationRequest,
  EmployerId,
  EmployerMerge,
  EmployerMergeRequest,
  SubmittedEmployerPage,
  SubmittedEmployerQuery,
} from '#contract/employers.ts';
import type { Deps } from '#server/deps.ts';
import { toPage } from '#server/paging.ts';
import { callerOf } from '#server/plugins/access.ts';
import { refusals } from '#server/plugins/route-schema.ts';
import { curateEmployer, listSubmitted, mergeEmployers } from './curation.ts';

const byId = z.strictObject({ id: EmployerId });
const config = { access: 'admin', changes: ['employers', 'reviews', 'votes'] } as const;
const refused = refusals(400, 401, 403, 404, 429);

/** What administrators do for the directory: nothing in it is about a reader or an author. */
export function curationRoutes(deps: Deps): FastifyPluginAsyncZod {
  return async (app) => {
    app.get(
      '/admin/employers/submitted/',
      {
        config: { access: 'admin' },
        schema: {
          querystring: SubmittedEmployerQuery,
          response: { 200: SubmittedEmployerPage, ...refusals(400, 401, 403) },
        },
      },
      async ({ query, url }) => {
        const { results, count } = await listSubmitted(deps.db, query);
        return toPage(url, query, count, results);
      },
    );

    app.patch(
      '/admin/employers/:id/',
      {
        config,
        schema: {
          params: byId,
          body: EmployerCurationRequest,
          response: { 200: Employer, ...refused },
        },
      },
      async (request) =>
        curateEmployer(deps, callerOf(request).userId, request.params.id, request.body),
    );

    app.post(
      '/admin/employers/:id/merge/',
      {
        config,
        schema: {
          params: byId,
          body: EmployerMergeRequest,
          response: { 200: EmployerMerge, ...refused },
        },
      },
      async (request) =>
        mergeEmployers(deps, callerOf(request).userId, request.params.id, request.body.into),
    );
  };
}
