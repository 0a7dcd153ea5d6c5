import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import {
  ACCOUNT_MESSAGES,
  LoginRequest,
  LoginResponse,
  RefreshRequest,
  RegisterRequest,
  RegisterResponse,
  Tokens,
} from '#contract/accounts.ts';
import { Message } from '#contract/problem.ts';
import type { Deps } from '#server/deps.ts';
import { networkAddress, type RateLimits } from '#server/plugins/rate-limits.ts';
import { refusals } from '#server/plugins/route-schema.ts';
import { logIn } from './login.ts';
import { ownAccountRoutes } from './own-account-routes.ts';
import { passwordRoutes } from './password-routes.ts';
import { endSession, refreshSession } from './sessions.ts';
import { checkCode, checkDetails, createAccount, sendCode } from './signup.ts';

/** `/auth/…` and `/users/…` (specification, section 7); here, the ways in and out. */
export function accountRoutes(deps: Deps, limits: RateLimits): FastifyPluginAsyncZod {
  return async (app) => {
    await app.register(passwordRoutes(deps, limits));
    await app.register(ownAccountRoutes(deps, limits));

    app.post(
      '/auth/login/',
      {
        config: { access: 'public', rateLimit: 'login' },
        schema: {
          body: LoginRequest,
          response: { 200: LoginResponse, ...refusals(400, 401, 429) },
        },
      },
      async (request) => {
        const { email } = request.body;
        await limits.take('loginPair', `${networkAddress(request)}/${email.toLowerCase()}`);
        return logIn(deps, request.body);
      },
    );

    app.post(
      '/auth/register/',
      {
        config: { access: 'public', rateLimit: 'register' },
        schema: {
          body: RegisterRequest,
          response: { 200: RegisterResponse, ...refusals(400, 429) },
        },
      },
      async (request) => {
        const { body } = request;
        const from = networkAddress(request);
        if (body.action !== 'resend_otp') checkDetails(body);
        if (body.action === 'verify_otp') {
          const { action: _, otp_code, ...details } = body;
          const code = await checkCode(deps, details.email, otp_code);
          await limits.take('newAccount', from);
          const created = await createAccount(deps, limits, details, code);
          return { message: ACCOUNT_MESSAGES.signedUp, ...created };
        }
        const address = body.email.toLowerCase();
        await limits.take('codeMail', `${from}/${address}`);
        await limits.take('codeMailTotal', address);
        await sendCode(deps, body.email);
        const isFirst = body.action === 'create_account';
        return { message: isFirst ? ACCOUNT_MESSAGES.codeSent : ACCOUNT_MESSAGES.codeResent };
      },
    );

    app.post(
      '/auth/token/refresh/',
      {
        config: { access: 'public', rateLimit: 'refresh' },
        schema: { body: RefreshRequest, response: { 200: Tokens, ...refusals(400, 401, 429) } },
      },
      async ({ body }) => refreshSession(deps, body.refresh),
    );

    app.post(
      '/auth/logout/',
      {
        config: { access: 'public' },
        schema: { body: RefreshRequest, response: { 200: Message, ...refusals(400, 429) } },
      },
      async ({ body }) => {
        await endSession(deps, body.refresh);
        return { message: ACCOUNT_MESSAGES.signedOut };
      },
    );
  };
}
