import type { FastifyInstance } from 'fastify';
import type { Database } from '#server/db/open.ts';

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
