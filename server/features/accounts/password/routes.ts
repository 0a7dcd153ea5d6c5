import type { FastifyPluginAsync } from 'fastify';
import { ACCOUNT_MESSAGES } from '#contract/accounts.ts';
import { accountEndpoints } from '#contract/endpoints/account.ts';
import type { Deps } from '#server/deps.ts';
import { callerOf } from '#server/plugins/access.ts';
import { route } from '#server/plugins/route.ts';
import { networkOf } from '#server/rate-limits/networks.ts';
import type { RateLimits } from '#server/rate-limits/rate-limits.ts';
import { rememberDevice } from '../session/known-device.ts';
import { changePassword } from './password-change.ts';
import { openResetLink, requestReset, resetPassword } from './password-reset.ts';

/** `/auth/password/…`: reset by link, and change with the current password. */
export function passwordRoutes(deps: Deps, limits: RateLimits): FastifyPluginAsync {
  return async (app) => {
    route(app, accountEndpoints.requestPasswordReset, async (request) => {
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
    });

    route(app, accountEndpoints.checkResetLink, async ({ query }) => {
      await openResetLink(deps, query);
      return { message: ACCOUNT_MESSAGES.resetLinkValid };
    });

    route(app, accountEndpoints.resetPassword, async (request, reply) => {
      const email = await resetPassword(deps, request.body, request);
      // Guesses by others do not lock out the owner, who has the mailbox.
      rememberDevice(deps, request, reply, email);
      return { message: ACCOUNT_MESSAGES.passwordReset };
    });

    route(app, accountEndpoints.changePassword, async (request) => {
      await changePassword(deps, limits, callerOf(request), request.body);
      return { message: ACCOUNT_MESSAGES.passwordChanged };
    });
  };
}
