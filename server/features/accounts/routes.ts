import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { ACCOUNT_MESSAGES } from '#contract/accounts/account-rules.ts';
import type { LoginRequest, LoginResponse, RegisterResponse } from '#contract/accounts/accounts.ts';
import { accountEndpoints } from '#contract/endpoints/account.ts';
import { representativeEndpoints } from '#contract/endpoints/replies.ts';
import { sessionEndpoints } from '#contract/endpoints/session.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors/app-error.ts';
import { callerOf } from '#server/plugins/access.ts';
import { route } from '#server/plugins/route.ts';
import { type Network, networkOf } from '#server/rate-limits/limits.ts';
import type { Budget, RateLimits } from '#server/rate-limits/rate-limits.ts';
import { unwrapSecret } from './credentials/author-secret.ts';
import { openPassword, refuseCommonPassword } from './credentials/passwords.ts';
import { findAccountByEmail, lockAccount } from './identity/account-queries.ts';
import { mayHaveOlderSalts, moveToCurrentSalt } from './identity/author-rekeying.ts';
import { emailIndexes } from './identity/identity.ts';
import { toOwnProfile } from './identity/profiles.ts';
import { openResetLink } from './mail-links.ts';
import { changePassword, requestReset, resetPassword } from './password/password.ts';
import { knownDevice, rememberDevice } from './session/known-device.ts';
import { endSession, openSession, refreshSession } from './session/sessions.ts';
import { type NewAccount, tryCode } from './signup/one-time-codes.ts';
import {
  checkDetails,
  createAccount,
  type Representatives,
  sendCode,
  sendCodeAgain,
  takeCodeMail,
} from './signup/signup.ts';

/** Signing up in two steps, as a doctor or as an employer's representative. */
function signupRoutes(
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

/** The origin of a login. */
interface Origin {
  network: Network;
  /** The id of a device that has signed in to this account before. */
  device: string | null;
}

/**
 * Signs in. A wrong password and an unknown address have the same response and timing, even when
 * rate limited. Throws `invalid_credentials`, `rate_limited`.
 */
async function logIn(
  deps: Deps,
  limits: RateLimits,
  { email, password }: LoginRequest,
  { network, device }: Origin,
): Promise<LoginResponse> {
  const address = email.toLowerCase();
  // Guesses by others never lock the owner out of a known device.
  const budgets: Budget[] =
    device === null
      ? [
          ['login', address, network],
          ['loginAccount', address],
          ['loginNetwork', '', network],
        ]
      : [['loginDevice', device]];
  const proven = await limits.attempt(`login/${device ?? address}`, budgets, async () => {
    const account = await findAccountByEmail(deps.db, emailIndexes(deps.keys, email));
    const wrappingKey = await openPassword(deps, account?.password_hash ?? null, password);
    return account && wrappingKey ? { account, wrappingKey } : null;
  });
  if (!proven) throw new AppError('invalid_credentials');
  const { account, wrappingKey } = proven;
  const { id, password_hash: hash } = account;
  if (mayHaveOlderSalts(deps.keys, account)) {
    await inTransaction(deps.db, async (trx) => {
      const held = await lockAccount(trx, id);
      if (held?.password_hash !== hash) throw new AppError('invalid_credentials');
      const secret = unwrapSecret(wrappingKey, held.author_secret);
      if (secret) await moveToCurrentSalt(deps, trx, held, secret);
    });
  }
  const tokens = await openSession(deps, id, { hash, wrappingKey });
  if (!tokens) throw new AppError('invalid_credentials');
  return { ...tokens, ...(await toOwnProfile(deps, deps.db, account)) };
}

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
