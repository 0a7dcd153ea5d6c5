import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import {
  ACCOUNT_MESSAGES,
  LoginRequest,
  LoginResponse,
  RefreshRequest,
  RegisterRequest,
  RegisterResponse,
  Tokens,
  User,
} from '#contract/accounts.ts';
import { Message } from '#contract/problem.ts';
import { AppError } from '#server/app-error.ts';
import type { Deps } from '#server/deps.ts';
import { callerOf } from '#server/plugins/access.ts';
import { networkAddress, type RateLimits } from '#server/plugins/rate-limits.ts';
import { refusals } from '#server/plugins/route-schema.ts';
import { logIn } from './login.ts';
import { loadProfile } from './service.ts';
import { endSession, refreshSession } from './sessions.ts';
import { checkNpi, createAccount, sendCode } from './signup.ts';

/** `/auth/…` (specification, section 7). */
export function accountRoutes(deps: Deps, limits: RateLimits): FastifyPluginAsyncZod {
  return async (app) => {
    app.post(
      '/auth/login/',
      {
        config: { access: 'public', rateLimit: 'login' },
        schema: {
          body: LoginRequest,
          response: { 200: LoginResponse, ...refusals(400, 401, 429) },
        },
      },
      async (request, reply) => {
        const { email } = request.body;
        await limits.take('loginPair', `${networkAddress(request)}/${email.toLowerCase()}`);
        reply.header('cache-control', 'no-store');
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
      async ({ body }, reply) => {
        reply.header('cache-control', 'no-store');
        if (body.action === 'verify_otp') {
          const { action: _, otp_code, ...details } = body;
          checkNpi(details.npi);
          const created = await createAccount(deps, details, otp_code);
          return { message: ACCOUNT_MESSAGES.signedUp, ...created };
        }
        if (body.action === 'create_account') checkNpi(body.npi);
        await limits.take('codeMail', body.email.toLowerCase());
        await sendCode(deps, body.email);
        return {
          message:
            body.action === 'create_account'
              ? ACCOUNT_MESSAGES.codeSent
              : ACCOUNT_MESSAGES.codeResent,
        };
      },
    );

    app.post(
      '/auth/token/refresh/',
      {
        config: { access: 'public', rateLimit: 'refresh' },
        schema: { body: RefreshRequest, response: { 200: Tokens, ...refusals(400, 401, 429) } },
      },
      async ({ body }, reply) => {
        reply.header('cache-control', 'no-store');
        return refreshSession(deps, body.refresh);
      },
    );

    app.post(
      '/auth/logout/',
      {
        config: { access: 'public' },
        schema: { body: RefreshRequest, response: { 200: Message, ...refusals(400, 429) } },
      },
      async ({ body }, reply) => {
        await endSession(deps, body.refresh);
        reply.header('cache-control', 'no-store');
        return { message: ACCOUNT_MESSAGES.signedOut };
      },
    );

    app.get(
      '/auth/user/',
      {
        config: { access: 'signed-in' },
        schema: { response: { 200: User, ...refusals(401) } },
      },
      async (request) => {
        const profile = await loadProfile(deps, deps.db, callerOf(request).userId);
        if (!profile) throw new AppError('authentication_required');
        return profile.user;
      },
    );
  };
}
