import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { ACCOUNT_MESSAGES } from '#contract/account-messages.ts';
import type { RegisterResponse } from '#contract/accounts.ts';
import { representativeEndpoints } from '#contract/endpoints/representatives.ts';
import { sessionEndpoints } from '#contract/endpoints/session.ts';
import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors/app-error.ts';
import { refuseCommonPassword } from '#server/features/accounts/credentials/passwords.ts';
import { route } from '#server/plugins/route.ts';
import { networkOf } from '#server/rate-limits/networks.ts';
import type { Budget, RateLimits } from '#server/rate-limits/rate-limits.ts';
import { rememberDevice } from '../session/known-device.ts';
import { type NewAccount, tryCode } from './one-time-codes.ts';
import {
  checkDetails,
  createAccount,
  type Representatives,
  sendCode,
  sendCodeAgain,
  takeCodeMail,
} from './signup.ts';

/** Signing up in two steps, as a doctor or as an employer's representative. */
export function signupRoutes(
  deps: Deps,
  limits: RateLimits,
  representatives: Representatives,
): FastifyPluginAsync {
  async function mailCode(request: FastifyRequest, details: NewAccount) {
    await takeCodeMail(limits, details.email.toLowerCase(), networkOf(request));
    await sendCode(deps, details);
    return { message: ACCOUNT_MESSAGES.codeSent };
  }

  async function enterCode(
    request: FastifyRequest,
    reply: FastifyReply,
    details: NewAccount,
    otp_code: string,
  ): Promise<RegisterResponse> {
    const network = networkOf(request);
    const address = details.email.toLowerCase();
    const budgets: Budget[] = [
      ['code', address, network],
      ['codeNetwork', '', network],
    ];
    const code = await limits.attempt(`code/${address}`, budgets, () =>
      tryCode(deps, details, otp_code),
    );
    if (!code) throw new AppError('invalid_code');
    const created = await createAccount(deps, representatives, details, code);
    rememberDevice(deps, request, reply, details.email);
    return { message: ACCOUNT_MESSAGES.signedUp, ...created };
  }

  return async (app) => {
    route(app, sessionEndpoints.register, async (request, reply) => {
      const { body } = request;
      if (body.action === 'resend_otp') {
        await takeCodeMail(limits, body.email.toLowerCase(), networkOf(request));
        await sendCodeAgain(deps, body.email);
        return { message: ACCOUNT_MESSAGES.codeResent };
      }
      checkDetails(body);
      if (body.action === 'verify_otp') {
        const { action: _, otp_code, ...details } = body;
        return enterCode(request, reply, details, otp_code);
      }
      const { action: _, ...details } = body;
      return mailCode(request, details);
    });

    route(app, representativeEndpoints.register, async (request, reply) => {
      const { body } = request;
      refuseCommonPassword('password', body.password);
      await representatives.check(body);
      if (body.action === 'verify_otp') {
        const { action: _, otp_code, ...details } = body;
        return enterCode(request, reply, details, otp_code);
      }
      const { action: _, ...details } = body;
      return mailCode(request, details);
    });
  };
}
