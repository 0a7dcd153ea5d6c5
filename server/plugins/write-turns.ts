import type { FastifyInstance } from 'fastify';
import { keyedQueue } from '#server/rate-limits/keyed-queue.ts';
import { SAFE_METHODS } from './safe-methods.ts';

/** Of the pool's connections, no more wait for one account. */
const AT_ONCE = 4;

/**
 * Lets an account change a few things at once; its other requests wait here. Some wait in the
 * database for others of the same account (a vote while its reviews are being locked), and each
 * would keep a connection from everybody else. The turn lasts as long as the work, whether the client
 * waits for it or not.
 */
export function takeTurnsAtWriting(app: FastifyInstance) {
  const inTurn = keyedQueue(AT_ONCE);
  app.addHook('onRoute', (route) => {
    if ([route.method].flat().every((method) => SAFE_METHODS.has(method))) return;
    const { handler } = route;
    route.handler = function handleInTurn(request, reply) {
      const work = async () => handler.call(this, request, reply);
      return request.caller ? inTurn(request.caller.userId, work) : work();
    };
  });
}
