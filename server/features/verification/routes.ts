import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import * as z from 'zod/mini';
import { Doctor } from '#contract/doctors.ts';
import { Message } from '#contract/problem.ts';
import {
  LetterCodeRequest,
  MailboxCodeRequest,
  MailboxRequest,
  VERIFICATION_MESSAGES,
  VerificationSteps,
} from '#contract/verification.ts';
import { AppError } from '#server/app-error.ts';
import type { Deps } from '#server/deps.ts';
import { loadProfile } from '#server/features/accounts/service.ts';
import { callerOf } from '#server/plugins/access.ts';
import { refusals } from '#server/plugins/route-schema.ts';
import type { RateLimits } from '#server/rate-limits/rate-limits.ts';
import { confirmLetter, orderLetter } from './letters/proof.ts';
import { confirmMailbox, mailMailboxCode } from './mailbox/proof.ts';
import { verificationSteps } from './verification-steps.ts';

/** `/verification/…`: the proofs that doctors give themselves. */
export function proofRoutes(deps: Deps, limits: RateLimits): FastifyPluginAsyncZod {
  const ownDoctor = async (userId: string) => {
    const profile = await loadProfile(deps, deps.db, userId);
    if (!profile?.doctor) throw new AppError('not_found');
    return profile.doctor;
  };

  return async (app) => {
    app.get(
      '/verification/',
      {
        config: { access: 'signed-in' },
        schema: { response: { 200: VerificationSteps, ...refusals(401) } },
      },
      async (request) => verificationSteps(deps, callerOf(request).userId),
    );

    app.post(
      '/verification/letter/',
      {
        config: { access: 'signed-in', rateLimit: 'letter' },
        schema: {
          body: z.strictObject({}),
          response: { 200: VerificationSteps, ...refusals(400, 401, 409, 503) },
        },
      },
      async (request) => {
        const { userId } = callerOf(request);
        await orderLetter(deps, userId);
        return verificationSteps(deps, userId);
      },
    );

    app.post(
      '/verification/letter/confirm/',
      {
        config: { access: 'signed-in', rateLimit: 'letterCode' },
        schema: {
          body: LetterCodeRequest,
          response: { 200: Doctor, ...refusals(400, 401, 404, 409) },
        },
      },
      async (request) => {
        const { userId } = callerOf(request);
        await confirmLetter(deps, userId, request.body.code);
        return ownDoctor(userId);
      },
    );

    app.post(
      '/verification/mailbox/',
      {
        config: { access: 'signed-in' },
        schema: {
          body: MailboxRequest,
          response: { 200: Message, ...refusals(400, 401, 409) },
        },
      },
      async (request) => {
        await mailMailboxCode(deps, limits, callerOf(request), request.body.email);
        return { message: VERIFICATION_MESSAGES.codeMailed };
      },
    );

    app.post(
      '/verification/mailbox/confirm/',
      {
        config: { access: 'signed-in', rateLimit: 'mailboxCode' },
        schema: {
          body: MailboxCodeRequest,
          response: { 200: Doctor, ...refusals(400, 401, 404, 409) },
        },
      },
      async (request) => {
        const { userId } = callerOf(request);
        await confirmMailbox(deps, userId, request.body.code);
        return ownDoctor(userId);
      },
    );
  };
}
