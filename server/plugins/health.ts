import type { FastifyInstance } from 'fastify';
import type { Deps } from '#server/deps.ts';

/** `/healthz`: the process responds. `/readyz`: its database responds too. */
export function health(app: FastifyInstance, { database }: Pick<Deps, 'database'>) {
  const config = { access: 'public' } as const;
  app.get('/healthz', { config }, async () => ({ status: 'ok' }));
  app.get('/readyz', { config }, async (_request, reply) => {
    try {
      await database.pool.query('select 1');
      return { status: 'ok' };
    } catch {
      return reply.code(503).send({ status: 'no database' });
    }
  });
}
