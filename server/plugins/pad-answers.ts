import type { FastifyInstance } from 'fastify';
import { padded } from '#contract/padding.ts';

/**
 * Pads the JSON of every response that is not the same for everyone, and forbids proxies to
 * compress it: its length would tell which reviews are the caller's.
 */
export function padAnswers(api: FastifyInstance) {
  api.addHook('onSend', async ({ routeOptions }, reply, payload) => {
    if (routeOptions.config.madeFrom || typeof payload !== 'string') return payload;
    if (!/\bjson\b/.test(String(reply.getHeader('content-type')))) return payload;
    reply.header('cache-control', 'no-store, no-transform');
    return padded(payload);
  });
}
