import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import {
  ACCOUNT_MESSAGES,
  ForgotPasswordRequest,
  PasswordChangeRequest,
  ResetConfirmRequest,
  ResetLink,
} from '#contract/accounts.ts';
import { Message } from '#contract/problem.ts';
import type { Deps } from '#server/deps.ts';
import { callerOf } from '#server/plugins/access.ts';
import { rememberDevice } from '#server/plugins/known-device.ts';
import { refusals } from '#server/plugins/route-schema.ts';
import { networkOf } from '#server/rate-limits/networks.ts';
import type { RateLimits } from '#server/rate-limits/rate-limits.ts';
import { changePassword } from './password-change.ts';
import { openResetLink, requestReset, resetPassword } from './password-reset.ts';

/** `/auth/password/…`: a new password, by a link or by the present one. */
export function passwordRoutes(deps: Deps, limits: RateLimits): FastifyPluginAsyncZod {
  return async (app) => {
    app.post(
      '/auth/password/reset/',
      {
        config: { access: 'public' },
        schema: {
          body: ForgotPasswordRequest,
          response: { 200: Message, ...refusals(400, 429) },
        },
      },
      async (request) => {
        const { email } = request.body;
        const network = networkOf(request);
        await limits.take('resetMailNetwork', '', network);
        try {
          await limits.take('resetMail', email.toLowerCase());
        } catch (error) {
          await limits.giveBack('resetMailNetwork', '', network);
          throw error;
        }
        await requestReset(deps, email);
        return { message: ACCOUNT_MESSAGES.resetSent };
      },
    );

    app.get(
      '/auth/password/reset/validate/',
      {
        config: { access: 'public' },
        schema: { querystring: ResetLink, response: { 200: Message, ...refusals(400) } },
      },
      async ({ query }) => {
        await openResetLink(deps, query);
        return { message: ACCOUNT_MESSAGES.resetLinkValid };
      },
    );

    app.post(
      '/auth/password/reset/confirm/',
      {
        config: { access: 'public' },
        schema: { body: ResetConfirmRequest, response: { 200: Message, ...refusals(400, 429) } },
      },
      async (request, reply) => {
        const email = await resetPassword(deps, request.body, request);
        // Whoever guesses at the account does not keep out its owner, who holds the mailbox.
        rememberDevice(deps, request, reply, email);
        return { message: ACCOUNT_MESSAGES.passwordReset };
      },
    );

    app.post(
      '/auth/password/change/',
      {
        config: { access: 'signed-in' },
        schema: {
          body: PasswordChangeRequest,
          response: { 200: Message, ...refusals(400, 401, 429) },
        },
      },
      async (request) => {
        await changePassword(deps, limits, callerOf(request), request.body);
        return { message: ACCOUNT_MESSAGES.passwordChanged };
      },
    );
  };
}
