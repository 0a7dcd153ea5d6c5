import type { FastifyPluginAsync } from 'fastify';
import { ACCOUNT_MESSAGES } from '#contract/accounts.ts';
import { sessionEndpoints } from '#contract/endpoints/session.ts';
import { AppError } from '#server/app-error.ts';
import type { Deps } from '#server/deps.ts';
import { route } from '#server/plugins/route.ts';
import { networkOf } from '#server/rate-limits/networks.ts';
import type { Budget, RateLimits } from '#server/rate-limits/rate-limits.ts';
import { ownAccountRoutes } from './own-account/routes.ts';
import { passwordRoutes } from './password/routes.ts';
import { reviewLockRoutes } from './review-lock/routes.ts';
import { knownDevice, rememberDevice } from './session/known-device.ts';
import { logIn } from './session/login.ts';
import { endSession, refreshSession } from './session/sessions.ts';
import { forgetCodeMail, takeCodeMail } from './signup/code-mail-limits.ts';
import { tryCode } from './signup/one-time-codes.ts';
import { checkDetails, createAccount, sendCode, sendCodeAgain } from './signup/signup.ts';

/**
 * `/auth/…` and `/users/…` (docs/api.md, "Endpoints"). This file has login, sign-up, and sessions.
 */
export function accountRoutes(deps: Deps, limits: RateLimits): FastifyPluginAsync {
  return async (app) => {
    await app.register(passwordRoutes(deps, limits));
    await app.register(ownAccountRoutes(deps, limits));
    await app.register(reviewLockRoutes(deps, limits));

    route(app, sessionEndpoints.login, async (request, reply) => {
      const { body } = request;
      const device = knownDevice(deps, request, body.email);
      const origin = { network: networkOf(request), device };
      const answer = await logIn(deps, limits, body, origin);
      rememberDevice(deps, request, reply, body.email);
      return answer;
    });

    route(app, sessionEndpoints.register, async (request, reply) => {
      const { body } = request;
      const network = networkOf(request);
      const address = body.email.toLowerCase();
      if (body.action === 'resend_otp') {
        await takeCodeMail(limits, address, network);
        await sendCodeAgain(deps, body.email);
        return { message: ACCOUNT_MESSAGES.codeResent };
      }
      checkDetails(body);
      if (body.action === 'create_account') {
        await takeCodeMail(limits, address, network);
        await sendCode(deps, body);
        return { message: ACCOUNT_MESSAGES.codeSent };
      }
      const { action: _, otp_code, ...details } = body;
      const budgets: Budget[] = [
        ['code', address, network],
        ['codeNetwork', '', network],
      ];
      const code = await limits.attempt(`code/${address}`, budgets, () =>
        tryCode(deps, details, otp_code),
      );
      if (!code) throw new AppError('invalid_code');
      await limits.take('newAccount', '', network);
      const created = await createAccount(deps, details, code);
      await forgetCodeMail(limits, address, network);
      rememberDevice(deps, request, reply, details.email);
      return { message: ACCOUNT_MESSAGES.signedUp, ...created };
    });

    route(app, sessionEndpoints.refresh, async ({ body }) =>
      refreshSession(deps, limits, body.refresh),
    );

    route(app, sessionEndpoints.logout, async ({ body }) => {
      await endSession(deps, body.refresh);
      return { message: ACCOUNT_MESSAGES.signedOut };
    });
  };
}
