import { finished } from 'node:stream';
import type { FastifyError, FastifyInstance, FastifyPluginAsync, FastifyRequest } from 'fastify';
import { employerEndpoints } from '#contract/endpoints/employers.ts';
import { moderationEndpoints } from '#contract/endpoints/moderation.ts';
import {
  caseEndpoints,
  digestEndpoints,
  doctorDecisionEndpoints,
  doctorEndpoints,
  factorEndpoints,
  legalEndpoints,
  logEndpoints,
  staffEndpoints,
} from '#contract/endpoints/office.ts';
import {
  representativeDecisionEndpoints,
  representativeEndpoints,
} from '#contract/endpoints/replies.ts';
import { DOCUMENT_MESSAGES } from '#contract/legal-demands/legal-demand-choices.ts';
import { DEMAND_DOCUMENT_BYTES } from '#contract/limits.ts';
import { DOCTOR_DECISIONS, DOCTOR_MESSAGES } from '#contract/office/case-queue.ts';
import { STAFF_MESSAGES } from '#contract/office/staff.ts';
import { REPRESENTATIVE_DECISIONS } from '#contract/replies/representatives.ts';
import { claimCase, prolongClaim, releaseCase } from '#server/cases/queue.ts';
import type { Deps } from '#server/deps.ts';
import { AppError, unavailable } from '#server/errors/app-error.ts';
import { listRepresentatives } from '#server/features/replies/representatives/representatives.ts';
import { doctorsOfNpi, unban } from '#server/features/verification/administration.ts';
import { toPage } from '#server/listing/page.ts';
import { callerOf } from '#server/plugins/access.ts';
import { route } from '#server/plugins/route.ts';
import type { RateLimits } from '#server/rate-limits/rate-limits.ts';
import { readHistory } from './cases/files.ts';
import {
  ask,
  changeClaim,
  listCases,
  readCase,
  readChanges,
  readReviewFile,
  writeNote,
} from './cases/queue.ts';
import { setDigest, wantsDigest } from './digest.ts';
import { decideDoctor, toStaffDoctors } from './doctors.ts';
import { mergeEmployers, previewMerge, unmergeEmployer } from './employers/merges.ts';
import { rejectEmployer, unrejectEmployer } from './employers/rejections.ts';
import {
  beginSetup,
  confirmSetup,
  factorStatus,
  removeFactor,
  renewRecoveryCodes,
  spendCode,
} from './factor/factor.ts';
import { ageOfPass, givePass, officeGate } from './factor/pass.ts';
import {
  addDocument,
  correctDemand,
  decideDemand,
  liftGag,
  listDemands,
  readDocument,
  recordDemand,
} from './legal/demands.ts';
import { exportLog, readLog, readRemoved } from './log/log.ts';
import { decideRepresentative } from './representatives.ts';
import { appoint, dismiss, listStaff, resetFactor } from './staff/appointments.ts';

/** Appointments by an owner, and the caller's own daily mail. */
function staffRoutes(deps: Deps): FastifyPluginAsync {
  return async (app) => {
    route(app, staffEndpoints.list, async () => listStaff(deps));

    route(app, staffEndpoints.appoint, async (request) => {
      const act = { actor: callerOf(request).userId, userId: request.params.id };
      await appoint(deps, act, request.body.roles);
      return listStaff(deps);
    });

    route(app, staffEndpoints.dismiss, async (request) => {
      await dismiss(deps, { actor: callerOf(request).userId, userId: request.params.id });
      return { message: STAFF_MESSAGES.removed };
    });

    route(app, staffEndpoints.resetFactor, async (request) => {
      await resetFactor(deps, { actor: callerOf(request).userId, userId: request.params.id });
      return { message: STAFF_MESSAGES.factorReset };
    });

    route(app, digestEndpoints.read, async (request) => ({
      is_on: await wantsDigest(deps.db, callerOf(request).userId),
    }));

    route(app, digestEndpoints.set, async (request) => {
      const { is_on } = request.body;
      await setDigest(deps, callerOf(request).userId, is_on);
      return { is_on };
    });
  };
}

/** The caller's own second factor. */
function factorRoutes(deps: Deps, limits: RateLimits): FastifyPluginAsync {
  const gate = officeGate(deps);

  /** Only someone who has the factor can replace it. */
  async function unlessReplaced(request: FastifyRequest) {
    const caller = callerOf(request);
    if ((await factorStatus(deps, caller)).is_set_up) await gate(request, caller, 'fresh');
    return caller;
  }

  return async (app) => {
    route(app, factorEndpoints.status, async (request) => factorStatus(deps, callerOf(request)));

    route(app, factorEndpoints.begin, async (request) => {
      const caller = await unlessReplaced(request);
      return beginSetup(deps, limits, caller, request.body.password);
    });

    route(app, factorEndpoints.confirm, async (request, reply) => {
      const caller = await unlessReplaced(request);
      const { id, codes } = await confirmSetup(deps, limits, caller, request.body);
      givePass(deps, reply, caller, id);
      return { recovery_codes: codes };
    });

    route(app, factorEndpoints.enter, async (request, reply) => {
      const caller = callerOf(request);
      const isKnown = (factorId: string) => ageOfPass(deps, request, caller, factorId) !== null;
      const { id, wrong } = await spendCode(deps, limits, caller, request.body.code, isKnown);
      givePass(deps, reply, caller, id);
      return { message: STAFF_MESSAGES.entered, wrong_codes: wrong };
    });

    route(app, factorEndpoints.newRecoveryCodes, async (request) => ({
      recovery_codes: await renewRecoveryCodes(deps, callerOf(request)),
    }));

    route(app, factorEndpoints.remove, async (request) => {
      await removeFactor(deps, callerOf(request));
      return { message: STAFF_MESSAGES.factorRemoved };
    });
  };
}

/** Decisions about employers that also move or hide reviews. */
function employerDecisionRoutes(deps: Deps): FastifyPluginAsync {
  const curation = { changes: ['employers', 'reviews', 'votes'] } as const;
  return async (app) => {
    route(app, employerEndpoints.unmerge, curation, async (request) =>
      unmergeEmployer(deps, callerOf(request).userId, request.params.id, request.body),
    );

    route(app, employerEndpoints.reject, curation, async (request) =>
      rejectEmployer(deps, callerOf(request).userId, request.params.id, request.body),
    );

    route(app, employerEndpoints.unreject, curation, async (request) =>
      unrejectEmployer(deps, callerOf(request).userId, request.params.id, request.body),
    );

    route(app, employerEndpoints.previewMerge, async ({ params, query }) =>
      previewMerge(deps.db, params.id, query.into),
    );

    route(app, employerEndpoints.merge, curation, async (request) =>
      mergeEmployers(deps, callerOf(request).userId, request.params.id, request.body),
    );
  };
}

/** How many files one server reads at a time, because they stay in memory. */
const FILES_AT_ONCE = 4;

/** The routes of this plugin take one file, as it is, as their body. No other route takes as much. */
function readFiles(app: FastifyInstance) {
  app.addContentTypeParser(
    'application/octet-stream',
    { parseAs: 'buffer', bodyLimit: DEMAND_DOCUMENT_BYTES },
    async (_request: unknown, body: Buffer) => new File([body as Buffer<ArrayBuffer>], ''),
  );
  app.setErrorHandler((error: FastifyError) => {
    if (error.code !== 'FST_ERR_CTP_BODY_TOO_LARGE') throw error;
    const { tooLarge } = DOCUMENT_MESSAGES;
    throw new AppError('payload_too_large', { detail: tooLarge, fields: { document: [tooLarge] } });
  });
  let reading = 0;
  app.addHook('preParsing', async (_request, reply) => {
    if (reading >= FILES_AT_ONCE) throw unavailable();
    reading += 1;
    // `finished` also reports responses whose client is gone.
    finished(reply.raw, () => {
      reading -= 1;
    });
  });
}

/** Legal demands, handled by owners (docs/moderation.md, "Legal demands"). */
function legalRoutes(deps: Deps): FastifyPluginAsync {
  return async (app) => {
    route(app, legalEndpoints.list, async ({ query, url }) => {
      const { demands, count } = await listDemands(deps, query);
      return toPage(url, query, count, demands);
    });

    route(app, legalEndpoints.record, async (request) =>
      recordDemand(deps, callerOf(request).userId, request.body),
    );

    route(app, legalEndpoints.download, async (request) => readDocument(deps, request.params.id));

    await app.register(async (uploads) => {
      readFiles(uploads);
      route(uploads, legalEndpoints.upload, async (request) =>
        addDocument(deps, callerOf(request).userId, request.params.id, request.body),
      );
    });

    route(app, legalEndpoints.decide, async (request) =>
      decideDemand(deps, callerOf(request).userId, request.params.id, request.body),
    );

    route(app, legalEndpoints.correct, async (request) =>
      correctDemand(deps, callerOf(request).userId, request.params.id, request.body),
    );

    route(app, legalEndpoints.liftGag, async (request) =>
      liftGag(deps, callerOf(request).userId, request.params.id),
    );
  };
}

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
      changeClaim(deps, callerOf(request), request.params.id, claimCase),
    );

    route(app, caseEndpoints.release, async (request) =>
      changeClaim(deps, callerOf(request), request.params.id, releaseCase),
    );

    route(app, caseEndpoints.prolong, async (request) =>
      changeClaim(deps, callerOf(request), request.params.id, prolongClaim),
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
