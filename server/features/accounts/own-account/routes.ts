import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import * as z from 'zod/mini';
import {
  AccountDeletionRequest,
  AccountExport,
  AccountExportRequest,
} from '#contract/account-data.ts';
import {
  ACCOUNT_MESSAGES,
  EmailLinkRequest,
  ProfileUpdateRequest,
  User,
} from '#contract/accounts.ts';
import { Message } from '#contract/problem.ts';
import { AppError } from '#server/app-error.ts';
import type { Deps } from '#server/deps.ts';
import { callerOf } from '#server/plugins/access.ts';
import { refusals } from '#server/plugins/route-schema.ts';
import type { RateLimits } from '#server/rate-limits/rate-limits.ts';
import { confirmEmailChange } from '../email-change/email-change.ts';
import { undoEmailChange } from '../email-change/email-undo.ts';
import { exportAccount, removeAccount } from './account-data.ts';
import { ownProfile, updateProfile } from './own-account.ts';

const AS_FILE = { 'content-disposition': 'attachment; filename="curbside-data.json"' };

/** One's own account: its profile, a change of address, its data, its end. */
export function ownAccountRoutes(deps: Deps, limits: RateLimits): FastifyPluginAsyncZod {
  return async (app) => {
    app.get(
      '/auth/user/',
      {
        config: { access: 'signed-in' },
        schema: { response: { 200: User, ...refusals(401) } },
      },
      async (request) => (await ownProfile(deps, callerOf(request).userId)).user,
    );

    app.patch(
      '/users/:id/',
      {
        config: { access: 'signed-in', fieldsAtTopLevel: true },
        schema: {
          params: z.strictObject({ id: z.string() }),
          body: ProfileUpdateRequest,
          response: { 200: User, ...refusals(400, 401, 403, 404, 429) },
        },
      },
      async (request) => {
        const caller = callerOf(request);
        // Anyone else's account is not there.
        if (request.params.id.toLowerCase() !== caller.userId) throw new AppError('not_found');
        return updateProfile(deps, limits, caller, request.body);
      },
    );

    app.post(
      '/auth/email/confirm/',
      {
        config: { access: 'public' },
        schema: { body: EmailLinkRequest, response: { 200: Message, ...refusals(400, 429) } },
      },
      async ({ body }) => {
        await confirmEmailChange(deps, body.token);
        return { message: ACCOUNT_MESSAGES.emailChanged };
      },
    );

    app.post(
      '/auth/email/stop/',
      {
        config: { access: 'public' },
        schema: { body: EmailLinkRequest, response: { 200: Message, ...refusals(400, 429) } },
      },
      async ({ body }) => ({ message: await undoEmailChange(deps, body.token) }),
    );

    app.get(
      '/auth/export/',
      {
        config: { access: 'signed-in' },
        schema: { response: { 200: AccountExport, ...refusals(401, 403) } },
      },
      async (request, reply) => {
        const data = await exportAccount(deps, limits, callerOf(request));
        return reply.headers(AS_FILE).send(data);
      },
    );

    // With the password, which must not stand in a URL.
    app.post(
      '/auth/export/',
      {
        config: { access: 'signed-in' },
        schema: {
          body: AccountExportRequest,
          response: { 200: AccountExport, ...refusals(400, 401, 429) },
        },
      },
      async (request, reply) => {
        const { password } = request.body;
        const data = await exportAccount(deps, limits, callerOf(request), password);
        return reply.headers(AS_FILE).send(data);
      },
    );

    app.post(
      '/auth/delete-account/',
      {
        config: { access: 'signed-in', changes: ['reviews', 'votes'] },
        schema: {
          body: AccountDeletionRequest,
          response: { 200: Message, ...refusals(400, 401, 429) },
        },
      },
      async (request) => {
        await removeAccount(deps, limits, callerOf(request), request.body);
        return { message: ACCOUNT_MESSAGES.accountDeleted };
      },
    );
  };
}
