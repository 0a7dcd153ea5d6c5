import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { FastifyInstance } from 'fastify';
import * as z from 'zod/mini';
import { DAY_MS } from '#contract/limits.ts';
import { type Clock, toDay } from '#server/anonymity/coarse-time.ts';
import type { Config } from '#server/config/config.ts';
import type { Database } from '#server/db/open.ts';
import { AppError } from '#server/errors/app-error.ts';
import { refusals } from './route.ts';

/** The routes that proxies ask again and again. */
export const HEALTH_CHECKS: readonly string[] = ['/healthz', '/readyz'];

/**
 * `/healthz`: the process responds. `/readyz`: it should get requests, because its database
 * responds and it is not stopping.
 */
export function health(app: FastifyInstance, { database }: { database: Database }) {
  const config = { access: 'public' } as const;
  app.get('/healthz', { config }, async () => ({ status: 'ok' }));
  app.get('/readyz', { config }, async (_request, reply) => {
    if (app.isStopping()) return reply.code(503).send({ status: 'stopping' });
    try {
      await database.pool.query('select 1');
      return { status: 'ok' };
    } catch {
      return reply.code(503).send({ status: 'no database' });
    }
  });
}

const POLICY = readFileSync(path.resolve(import.meta.dirname, '../../SECURITY.md'), 'utf8');
const POLICY_PATH = '/security.md';
const TEXT_PATH = '/.well-known/security.txt';
/** RFC 9116, section 2.5.5, recommends less than a year. */
const VALID_DAYS = 180;
const CACHED = 'public, max-age=3600';

/** Tells security researchers where to report a vulnerability (RFC 9116). */
export function securityTxt(
  app: FastifyInstance,
  { config, clock }: { config: Config; clock: Clock },
) {
  const options = {
    config: { access: 'public' },
    schema: { hide: true, response: { 200: z.string(), ...refusals(404) } },
  } as const;

  app.get(TEXT_PATH, options, async (_request, reply) => {
    if (config.securityContact === null) throw new AppError('not_found');
    reply.header('cache-control', CACHED).type('text/plain; charset=utf-8');
    const expires = new Date(new Date(toDay(clock())).getTime() + VALID_DAYS * DAY_MS);
    return [
      `Contact: ${config.securityContact}`,
      `Expires: ${expires.toISOString()}`,
      'Preferred-Languages: en',
      `Canonical: ${config.publicUrl}${TEXT_PATH}`,
      `Policy: ${config.publicUrl}${POLICY_PATH}`,
      '',
    ].join('\n');
  });

  app.get(POLICY_PATH, options, async (_request, reply) => {
    reply.header('cache-control', CACHED).type('text/markdown; charset=utf-8');
    return POLICY;
  });
}
