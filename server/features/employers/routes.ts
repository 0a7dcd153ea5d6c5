import type { FastifyPluginAsync } from 'fastify';
import { CORRECTION_DECISIONS, CORRECTION_SENT } from '#contract/employers/employer-corrections.ts';
import { correctionDecisionEndpoints, employerEndpoints } from '#contract/endpoints/employers.ts';
import type { Db } from '#server/db/open.ts';
import type { Deps } from '#server/deps.ts';
import { registrableDomain } from '#server/email-domains.ts';
import { AppError } from '#server/errors/app-error.ts';
import { toPage, toSearchedPage } from '#server/listing/page.ts';
import { callerOf } from '#server/plugins/access.ts';
import { route } from '#server/plugins/route.ts';
import type { RateLimits } from '#server/rate-limits/rate-limits.ts';
import { compareEmployers } from './compare/comparison.ts';
import { decideCorrection, proposeCorrection } from './correction/corrections.ts';
import { acceptEmployer, curateEmployer } from './curation/curation.ts';
import { listSubmitted, readEmployerFile } from './curation/submitted-employers.ts';
import {
  customEmployer,
  employerFilterOptions,
  listEmployers,
  redirectMerged,
} from './employers.ts';
import type { FromReviews } from './from-reviews.ts';
import { readBrief } from './insights/brief.ts';
import { readOne } from './queries.ts';

/**
 * Whether the domain belongs to an employer, by registrable domain (Public Suffix List):
 * `mail.hospital.org` matches the website `www.hospital.org`.
 */
async function isEmployerDomain(
  { db, cache }: Pick<Deps, 'db' | 'cache'>,
  domain: string,
): Promise<boolean> {
  const domains = await cache.remember(['employers'], 'employers/mail-domains', () =>
    selectDomains(db),
  );
  return domains.has(registrableDomain(domain) ?? '');
}

/** The registrable domains of all employers' websites. */
async function selectDomains(db: Db): Promise<ReadonlySet<string>> {
  const rows = await db
    .selectFrom('employers')
    .select('website')
    .distinct()
    .where('website', 'is not', null)
    .execute();
  return new Set(rows.flatMap(({ website }) => registrableDomain(website ?? '') ?? []));
}

/** The directory, and its curation by administrators (docs/api.md, "Endpoints"). */
export function employerRoutes(
  deps: Deps,
  limits: RateLimits,
  reviews: FromReviews,
): FastifyPluginAsync {
  const { db } = deps;
  const fromRatings = { madeFrom: ['employers', 'reviews'] } as const;
  const fromReviews = { madeFrom: ['employers', 'reviews', 'votes', 'replies'] } as const;
  return async (app) => {
    route(app, employerEndpoints.list, fromRatings, async ({ query, url }) => {
      return toSearchedPage(url, query, await listEmployers(deps, query));
    });

    route(app, employerEndpoints.filterOptions, fromRatings, async ({ query }) =>
      employerFilterOptions(deps, query),
    );

    route(app, employerEndpoints.compare, fromReviews, async ({ query }) =>
      compareEmployers(db, reviews, query.ids, query.specialty),
    );

    // Only the sign-up form loads this.
    const fromDomains = { madeFrom: ['employers'], precedesActs: true } as const;
    route(app, employerEndpoints.mailDomain, fromDomains, async ({ query }) => ({
      is_employer: await isEmployerDomain(deps, query.domain),
    }));

    route(app, employerEndpoints.add, { changes: ['employers'] }, async (request) =>
      customEmployer(deps, limits, callerOf(request), request.body),
    );

    route(app, employerEndpoints.read, fromRatings, async (request, reply) => {
      const { employer, merged_into, rejected_for } = await readOne(db, request.params.id);
      if (rejected_for !== null) throw new AppError('not_found');
      return redirectMerged(merged_into, request, reply) ?? employer;
    });

    route(app, employerEndpoints.insights, fromRatings, async (request, reply) => {
      const { params, query } = request;
      const { brief, merged_into } = await readBrief(deps, reviews, params.id, query.specialty);
      return redirectMerged(merged_into, request, reply) ?? brief;
    });

    route(app, employerEndpoints.correct, async ({ params, body }) => {
      await proposeCorrection(deps, params.id, body);
      return { message: CORRECTION_SENT };
    });

    route(app, employerEndpoints.listSubmitted, async ({ query, url }) => {
      const { results, count } = await listSubmitted(db, query);
      return toPage(url, query, count, results);
    });

    route(app, employerEndpoints.readFile, async ({ params }) => readEmployerFile(deps, params.id));

    const curation = { changes: ['employers', 'reviews', 'votes'] } as const;
    route(app, employerEndpoints.curate, curation, async (request) =>
      curateEmployer(deps, callerOf(request).userId, request.params.id, request.body),
    );

    for (const decision of CORRECTION_DECISIONS) {
      route(app, correctionDecisionEndpoints[decision], curation, async (request) =>
        decideCorrection(deps, callerOf(request).userId, request.params.id, decision, request.body),
      );
    }

    route(app, employerEndpoints.accept, async (request) =>
      acceptEmployer(deps, callerOf(request).userId, request.params.id, request.body),
    );
  };
}
