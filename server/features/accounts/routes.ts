import type { FastifyPluginAsync } from 'fastify';
import { ACCOUNT_MESSAGES } from '#contract/account-messages.ts';
import { accountEndpoints } from '#contract/endpoints/account.ts';
import { sessionEndpoints } from '#contract/endpoints/session.ts';
import type { Deps } from '#server/deps.ts';
import { callerOf } from '#server/plugins/access.ts';
import { route } from '#server/plugins/route.ts';
import { networkOf } from '#server/rate-limits/networks.ts';
import type { RateLimits } from '#server/rate-limits/rate-limits.ts';
import { openResetLink } from './links/reset-links.ts';
import { changePassword } from './password/password-change.ts';
import { requestReset, resetPassword } from './password/password-reset.ts';
import { knownDevice, rememberDevice } from './session/known-device.ts';
import { logIn } from './session/login.ts';
import { endSession, refreshSession } from './session/sessions.ts';
import { signupRoutes } from './signup/routes.ts';
import type { Representatives } from './signup/signup.ts';

/** `/auth/…` and `/users/…` (docs/api.md, "Endpoints"). */
export function accountRoutes(
  deps: Deps,
  limits: RateLimits,
  representatives: Representatives,
): FastifyPluginAsync {
  return async (app) => {
    await app.register(signupRoutes(deps, limits, representatives));

    route(app, sessionEndpoints.login, async (request, reply) => {
      const { body } = request;
      const device = knownDevice(deps, request, body.email);
      const origin = { network: networkOf(request), device };
      const answer = await logIn(deps, limits, body, origin);
      rememberDevice(deps, request, reply, body.email);
      return answer;
    });

    route(app, sessionEndpoints.refresh, async ({ body }) =>
      refreshSession(deps, limits, body.refresh),
    );

    route(app, sessionEndpoints.logout, async ({ body }) => {
      await endSession(deps, body.refresh);
      return { message: ACCOUNT_MESSAGES.signedOut };
    });

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
