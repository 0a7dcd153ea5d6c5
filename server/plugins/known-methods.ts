import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import findMyWay from 'find-my-way';
import { AppError } from '#server/errors/app-error.ts';
import { sendProblem } from './problem-details.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route handles all paths that have no route of their own. */
    isCatchAll?: boolean;
  }
}

/**
 * Records the methods of each path registered after it. The returned handler answers unrouted
 * requests: 405 and `Allow` (RFC 9110, section 15.5.6) for a path with other methods, otherwise
 * 404.
 */
export function knownMethods(app: FastifyInstance) {
  const router = findMyWay({ ignoreTrailingSlash: true });
  const byPath = new Map<string, Set<string>>();
  app.addHook('onRoute', ({ url, method, config }) => {
    if (config?.isCatchAll) return;
    // Parameter names and trailing slashes do not matter.
    const path = url.replace(/:\w+/g, ':part').replace(/(?<=.)\/$/, '');
    let methods = byPath.get(path);
    if (!methods) {
      methods = new Set(['OPTIONS']);
      byPath.set(path, methods);
      router.on('GET', path, () => {}, methods);
    }
    for (const one of [method].flat()) methods.add(one);
  });
  const methodsAt = (url: string): ReadonlySet<string> | undefined =>
    url === '*' ? new Set([...byPath.values()].flatMap((all) => [...all])) : findAt(url);
  const findAt = (url: string) => router.find('GET', url.split('?')[0] ?? '')?.store ?? undefined;

  return (request: FastifyRequest, reply: FastifyReply) => {
    const methods = methodsAt(request.url);
    if (!methods) return sendProblem(request, reply, new AppError('not_found'));
    reply.header('allow', [...methods].sort().join(', '));
    if (request.method === 'OPTIONS') return reply.code(204).send();
    return sendProblem(request, reply, new AppError('method_not_allowed'));
  };
}
