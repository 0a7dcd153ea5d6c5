import type { IncomingHttpHeaders } from 'node:http';
import type {} from '@fastify/cookie';
import type { FastifyBaseLogger, FastifyInstance, FastifyRequest } from 'fastify';
import type { Clock } from '#server/anonymity/coarse-time.ts';
import type { Keys } from '#server/anonymity/keys.ts';
import { type Config, isHttps } from '#server/config/config.ts';
import { isUnconnected } from '#server/db/errors.ts';
import type { Database, Db } from '#server/db/open.ts';
import type { Position } from '#server/db/replicas.ts';
import { SAFE_METHODS } from '#server/plugins/route.ts';
import { TIME_OUTS, within } from '#server/time-outs.ts';
import type { PublicCache } from './public-cache.ts';
import {
  markPosition,
  openPosition,
  readingWith,
  sealPosition,
  TOKEN_MS,
  UNKNOWN_POSITION,
} from './write-position.ts';

const COOKIE = 'write_position';
const HEADER = 'x-write-position';
/** Sealed positions have about 150 characters. */
const TOKEN_MAX = 300;

/** Whether a request may carry the position of a write. */
export const mayHavePosition = (headers: IncomingHttpHeaders): boolean =>
  headers[HEADER] !== undefined || headers.cookie?.includes(COOKIE) === true;

interface ReadDeps {
  readonly config: Config;
  readonly database: Database;
  readonly db: Db;
  readonly keys: Keys;
  readonly clock: Clock;
  readonly cache: PublicCache;
  readonly log: FastifyBaseLogger;
}

/**
 * Clients read their own writes, on any server. The response to a write carries the position of its
 * commit, in a cookie and a header. A request that sends one back is answered from the database if
 * this server has not yet been notified of all changes up to it (docs/operations.md).
 */
export function readYourWrites(app: FastifyInstance, deps: ReadDeps) {
  const { config, db, keys, clock, cache } = deps;

  app.addHook('onRequest', (request, _reply, next) => {
    const text = request.headers[HEADER] ?? request.cookies[COOKIE];
    if (typeof text !== 'string' || text.length > TOKEN_MAX) return next();
    const position = openPosition(keys, text, clock());
    if (position === null) return next();
    readingWith({ position, isBehind: position > cache.caughtUpTo() }, next);
  });

  const unwritten = new WeakSet<FastifyRequest>();
  app.addHook('onError', async (request, _reply, error) => {
    if (isUnconnected(error)) unwritten.add(request);
  });

  // A 4xx has changed nothing. A 5xx may have, unless there was no connection.
  app.addHook('onSend', async (request, reply) => {
    if (SAFE_METHODS.has(request.method) || unwritten.has(request)) return;
    if (reply.statusCode >= 400 && reply.statusCode < 500) return;
    const token = sealPosition(keys, await positionOf(deps), clock());
    reply.header(HEADER, token);
    reply.setCookie(COOKIE, token, {
      path: '/',
      httpOnly: true,
      sameSite: 'lax',
      secure: isHttps(config),
      maxAge: TOKEN_MS / 1000,
    });
  });

  const positionOf = async ({ log }: ReadDeps): Promise<Position> => {
    try {
      return (await within(markPosition(db), TIME_OUTS.writePosition.ms)) ?? UNKNOWN_POSITION;
    } catch (err) {
      log.warn({ err }, 'could not read the position of a write');
      return UNKNOWN_POSITION;
    }
  };
}
