import type { FastifyPluginAsync } from 'fastify';
import { DOCTOR_DECISIONS, DOCTOR_MESSAGES } from '#contract/case-queue.ts';
import { moderationEndpoints } from '#contract/endpoints/moderation.ts';
import {
  caseEndpoints,
  doctorDecisionEndpoints,
  doctorEndpoints,
  logEndpoints,
} from '#contract/endpoints/office.ts';
import {
  representativeDecisionEndpoints,
  representativeEndpoints,
} from '#contract/endpoints/representatives.ts';
import { REPRESENTATIVE_DECISIONS } from '#contract/representatives.ts';
import type { Deps } from '#server/deps.ts';
import { listRepresentatives } from '#server/features/replies/representatives/representatives.ts';
import { doctorsOfNpi, unban } from '#server/features/verification/administration.ts';
import { toPage } from '#server/listing/page.ts';
import { callerOf } from '#server/plugins/access.ts';
import { route } from '#server/plugins/route.ts';
import type { RateLimits } from '#server/rate-limits/rate-limits.ts';
import { decideDoctor, toStaffDoctors } from './doctors.ts';
import { employerDecisionRoutes } from './employers/routes.ts';
import { factorRoutes } from './factor/routes.ts';
import { legalRoutes } from './legal/routes.ts';
import { exportLog, readLog, readRemoved } from './log/log.ts';
import { readHistory } from './queue/history.ts';
import {
  ask,
  claim,
  listCases,
  prolong,
  readCase,
  readChanges,
  readReviewFile,
  release,
  writeNote,
} from './queue/service.ts';
import { decideRepresentative } from './representatives.ts';
import { staffRoutes } from './staff/routes.ts';

/** The office: its queue, decisions about doctors, legal demands, staff, and the second factor (docs/product/office.md). */
export function officeRoutes(deps: Deps, limits: RateLimits): FastifyPluginAsync {
  return async (app) => {
    await app.register(staffRoutes(deps));
    await app.register(factorRoutes(deps, limits));
    await app.register(legalRoutes(deps));
    await app.register(employerDecisionRoutes(deps));
    route(app, caseEndpoints.list, async (request) => {
      const { query, url } = request;
      const { cases, count, kinds, oldest } = await listCases(deps, callerOf(request), query);
      return { ...toPage(url, query, count, cases), kinds, oldest };
    });

    route(app, caseEndpoints.changes, async (request) =>
      readChanges(deps, callerOf(request), request.query),
    );

    route(app, caseEndpoints.read, async (request) =>
      readCase(deps, callerOf(request), request.params.id, request.query),
    );

    route(app, caseEndpoints.history, async (request) => ({
      acts: await readHistory(deps, callerOf(request), request.query),
    }));

    route(app, moderationEndpoints.read, async (request) =>
      readReviewFile(deps, callerOf(request), request.params.id),
    );

    route(app, caseEndpoints.claim, async (request) =>
      claim(deps, callerOf(request), request.params.id),
    );

    route(app, caseEndpoints.release, async (request) =>
      release(deps, callerOf(request), request.params.id),
    );

    route(app, caseEndpoints.prolong, async (request) =>
      prolong(deps, callerOf(request), request.params.id),
    );

    route(app, caseEndpoints.ask, async (request) =>
      ask(deps, callerOf(request), request.params.id, request.body),
    );

    route(app, caseEndpoints.note, async (request) =>
      writeNote(deps, callerOf(request), request.params.id, request.body),
    );

    route(app, logEndpoints.list, async (request) => {
      const { query, url } = request;
      const { entries, count } = await readLog(deps, callerOf(request), query);
      return toPage(url, query, count, entries);
    });

    route(app, logEndpoints.export, async (request) =>
      exportLog(deps, callerOf(request), request.query),
    );

    route(app, logEndpoints.removed, async (request) =>
      readRemoved(deps, callerOf(request), request.params.id),
    );

    route(app, representativeEndpoints.list, async ({ query, url }) => {
      const { results, count } = await listRepresentatives(deps, query);
      return toPage(url, query, count, results);
    });

    for (const decision of REPRESENTATIVE_DECISIONS) {
      route(
        app,
        representativeDecisionEndpoints[decision],
        { changes: ['replies'] },
        async (request) =>
          decideRepresentative(
            deps,
            callerOf(request).userId,
            request.params.id,
            decision,
            request.body,
          ),
      );
    }

    route(app, doctorEndpoints.find, async (request) => {
      const { is_banned, results } = await doctorsOfNpi(deps, request.query.npi);
      return { is_banned, results: await toStaffDoctors(deps, results) };
    });

    route(app, doctorEndpoints.unban, async (request) => {
      const { npi, reason } = request.body;
      const wasBanned = await unban(deps, { actor: callerOf(request).userId, reason }, npi);
      return { message: wasBanned ? DOCTOR_MESSAGES.unbanned : DOCTOR_MESSAGES.notBanned };
    });

    for (const decision of DOCTOR_DECISIONS) {
      route(app, doctorDecisionEndpoints[decision], async (request) =>
        decideDoctor(deps, callerOf(request).userId, request.params.id, decision, request.body),
      );
    }
  };
}
