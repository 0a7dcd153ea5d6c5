import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ERRORS } from '#contract/errors.ts';
import type { Problem } from '#contract/problem.ts';
import { isBusy, isCallerDeleted } from '#server/db/errors.ts';
import { AppError, type FieldErrors, unavailable } from '#server/errors/app-error.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Repeats field errors at the top level of the problem. */
    fieldsAtTopLevel?: boolean;
  }
}

/** Turns every error into problem details (RFC 9457). */
export function problemDetails(app: FastifyInstance) {
  app.setErrorHandler((error: FastifyError, request, reply) => {
    const appError = requestError(error, request) ?? toAppError(error);
    if (appError.status >= 500) request.log.error({ err: error }, 'request failed');
    return sendProblem(request, reply, appError);
  });
}

/** The members that every problem has. */
export function problemOf(error: AppError, requestId: string): Problem {
  const { status, text } = ERRORS[error.code];
  return {
    type: 'about:blank',
    title: text,
    status,
    code: error.code,
    detail: error.message,
    message: error.message,
    request_id: requestId,
    ...(error.fields && { errors: error.fields }),
  };
}

/** Sends an error as problem details. */
export function sendProblem(request: FastifyRequest, reply: FastifyReply, error: AppError) {
  const problem: Problem = {
    ...problemOf(error, request.id),
    ...(request.url.startsWith('/api/auth/') && { error: error.message }),
    ...(request.routeOptions.config.fieldsAtTopLevel && topLevel(error.fields)),
    ...error.extra,
  };
  if (error.retryAfterSeconds !== undefined) reply.header('retry-after', error.retryAfterSeconds);
  return reply
    .code(error.status)
    .header('cache-control', 'no-store')
    .type('application/problem+json')
    .serializer((body: unknown) => JSON.stringify(body))
    .send(problem);
}

/** The profile page expects two fields by name, and the rest as `details`. */
function topLevel({ email, username, ...others }: FieldErrors = {}) {
  const details = Object.values(others).flat();
  return {
    ...(email && { email }),
    ...(username && { username }),
    ...(details.length > 0 && { details }),
  };
}

function requestError(error: FastifyError, request: FastifyRequest): AppError | null {
  // The client hung up while it was sending the body.
  if (error === request.raw.errored) return new AppError('malformed_request');
  return error.code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE' ? wrongMediaType(request) : null;
}

/** Says what the route takes: JSON, or files. */
export function wrongMediaType({ routeOptions }: FastifyRequest): AppError {
  const type = routeOptions.schema?.consumes?.[0];
  return new AppError('unsupported_media_type', {
    ...(type && { detail: `Please send a file as ${type}, uncompressed.` }),
  });
}

export function toAppError(error: FastifyError): AppError {
  if (error instanceof AppError) return error;
  if (isBusy(error)) return unavailable();
  if (isCallerDeleted(error)) return new AppError('authentication_required');
  if (error.code === 'FST_ERR_CTP_BODY_TOO_LARGE') return new AppError('payload_too_large');
  if (error.statusCode && error.statusCode < 500) return new AppError('malformed_request');
  return new AppError('server_error');
}
