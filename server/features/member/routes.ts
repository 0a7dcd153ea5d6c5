import type { FastifyPluginAsync } from 'fastify';
import { ACCOUNT_MESSAGES } from '#contract/accounts/account-rules.ts';
import type { ProfileUpdateRequest, User } from '#contract/accounts/accounts.ts';
import { accountEndpoints } from '#contract/endpoints/account.ts';
import { representativeEndpoints } from '#contract/endpoints/replies.ts';
import { sessionEndpoints } from '#contract/endpoints/session.ts';
import { markAnswered } from '#server/cases/cases.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors/app-error.ts';
import {
  beginEmailChange,
  confirmEmailChange,
  undoEmailChange,
} from '#server/features/accounts/email-change/email-change.ts';
import { lockAccount } from '#server/features/accounts/identity/account-queries.ts';
import { updateAccount } from '#server/features/accounts/identity/account-writes.ts';
import {
  isSameAddress,
  openIdentity,
  sealIdentity,
} from '#server/features/accounts/identity/identity.ts';
import { ownProfile } from '#server/features/accounts/identity/profiles.ts';
import {
  canLock,
  lockReviews,
  unlockReviews,
} from '#server/features/accounts/review-lock/review-lock.ts';
import { proveFreshness } from '#server/features/accounts/session/authentication.ts';
import { holdsSession } from '#server/features/accounts/session/sessions.ts';
import {
  ownRepresentation,
  requireSameDomain,
} from '#server/features/replies/representatives/representatives.ts';
import { holdClaim } from '#server/features/verification/claims.ts';
import { renameDoctor } from '#server/features/verification/registry-check.ts';
import { type Caller, callerOf } from '#server/plugins/access.ts';
import { route } from '#server/plugins/route.ts';
import type { RateLimits } from '#server/rate-limits/rate-limits.ts';
import { exportAccount, removeAccount } from './account-data.ts';

const NAMES = ['first_name', 'last_name'] as const;

/**
 * Changes names immediately, and starts a change of the email address. A new address could take
 * over the account, so it requires a recent login or the password. Throws `confirm_password`.
 */
async function updateProfile(
  deps: Pick<Deps, 'config' | 'db' | 'keys' | 'clock' | 'jobs'>,
  limits: RateLimits,
  caller: Caller,
  { email, first_name, last_name, password }: ProfileUpdateRequest,
): Promise<User> {
  const { userId } = caller;
  const { user } = await ownProfile(deps, userId);
  const newAddress = email === undefined || isSameAddress(email, user.email) ? null : email;
  if (newAddress !== null || password !== undefined) {
    await proveFreshness(deps, limits, caller, password);
  }
  if (newAddress !== null) {
    await requireSameDomain(deps.db, userId, user.email, newAddress);
    await limits.take('emailChange', userId);
    await limits.take('emailChangeMail', newAddress.toLowerCase());
  }
  await inTransaction(deps.db, async (trx) => {
    await holdClaim(deps.keys, trx, userId);
    const account = await lockAccount(trx, userId);
    // The session may have ended since the request was authenticated.
    if (!account || !(await holdsSession(deps.keys, trx, caller))) {
      throw new AppError('authentication_required');
    }
    const identity = openIdentity(deps.keys, userId, account.sealed);
    const changed = await renameDoctor(deps, trx, userId, identity, {
      first_name: first_name ?? identity.first_name,
      last_name: last_name ?? identity.last_name,
    });
    // At most the case differs, so it is the same mailbox. Another one may have been confirmed since.
    const isPresent = email !== undefined && isSameAddress(email, identity.email);
    if (isPresent) changed.email = email;
    await updateAccount(trx, userId, { sealed: sealIdentity(deps.keys, userId, changed) });
    const isRenamed = NAMES.some((name) => changed[name] !== identity[name]);
    if (isRenamed) await markAnswered(trx, userId);
    if (newAddress === null || isPresent) return;
    const present = { id: userId, email: identity.email, passwordHash: account.password_hash };
    await beginEmailChange(deps, trx, present, newAddress);
  });
  return (await ownProfile(deps, userId)).user;
}

const AS_FILE = { 'content-disposition': 'attachment; filename="curbside-data.json"' };

/** The user's own account: profile, email change, data export, deletion, and review lock. */
export function memberRoutes(deps: Deps, limits: RateLimits): FastifyPluginAsync {
  return async (app) => {
    route(
      app,
      sessionEndpoints.user,
      async (request) => (await ownProfile(deps, callerOf(request).userId)).user,
    );

    route(app, representativeEndpoints.own, async (request) => {
      const own = await ownRepresentation(deps, callerOf(request).userId);
      if (!own) throw new AppError('not_found');
      return own;
    });

    route(app, accountEndpoints.update, async (request) => {
      const caller = callerOf(request);
      // Other people's accounts are reported as not found.
      if (request.params.id.toLowerCase() !== caller.userId) throw new AppError('not_found');
      return updateProfile(deps, limits, caller, request.body);
    });

    route(app, accountEndpoints.confirmEmail, async ({ body }) => {
      await confirmEmailChange(deps, body.token);
      return { message: ACCOUNT_MESSAGES.emailChanged };
    });

    route(app, accountEndpoints.stopEmailChange, async ({ body }) => ({
      message: await undoEmailChange(deps, body.token),
    }));

    route(app, accountEndpoints.export, async (request, reply) => {
      const data = await exportAccount(deps, limits, callerOf(request));
      reply.headers(AS_FILE);
      return data;
    });

    route(app, accountEndpoints.exportWithPassword, async (request, reply) => {
      const data = await exportAccount(deps, limits, callerOf(request), request.body.password);
      reply.headers(AS_FILE);
      return data;
    });

    route(app, accountEndpoints.delete, { changes: ['reviews', 'votes'] }, async (request) => {
      await removeAccount(deps, limits, callerOf(request), request.body);
      return { message: ACCOUNT_MESSAGES.accountDeleted };
    });

    route(app, accountEndpoints.reviewLock, async (request) => {
      const { userId, author } = callerOf(request);
      return { locked: author.salt !== null, can_lock: await canLock(deps, deps.db, userId) };
    });

    route(app, accountEndpoints.lockReviews, async (request) =>
      lockReviews(deps, limits, callerOf(request), request.body),
    );

    route(app, accountEndpoints.unlockReviews, async (request) =>
      unlockReviews(deps, limits, callerOf(request), request.body),
    );
  };
}
