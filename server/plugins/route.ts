import type { FastifyContextConfig, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type * as z from 'zod/mini';
import type { AnyAnswer, Endpoint } from '#contract/endpoint.ts';
import type { AccountLimit } from '#server/rate-limits/limits.ts';
import { refusals } from './route-schema.ts';

type ApiEndpoint = Endpoint & { readonly rateLimit?: AccountLimit };

type Parsed<E, Part extends string> = E extends { [P in Part]: infer Schema extends z.ZodMiniType }
  ? z.output<Schema>
  : unknown;

/** The answer has the endpoint's lowest status, unless the handler sets another. */
type Handler<E extends Endpoint> = (
  request: FastifyRequest<{
    Params: Parsed<E, 'params'>;
    Querystring: Parsed<E, 'query'>;
    Body: Parsed<E, 'body'>;
  }>,
  reply: FastifyReply,
) => Promise<AnyAnswer<E>>;

type UntypedHandler = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>;

/** What the server decides about a route: the topics of the cache; a body schema with its own clock. */
type Options = Omit<FastifyContextConfig, keyof Endpoint> & Pick<Endpoint, 'body'>;

/** Registers the route of an endpoint (contract/endpoints). */
export function route<const E extends ApiEndpoint>(
  app: FastifyInstance,
  endpoint: E,
  handler: Handler<E>,
): void;
export function route<const E extends ApiEndpoint>(
  app: FastifyInstance,
  endpoint: E,
  options: Options,
  handler: Handler<E>,
): void;
export function route(
  app: FastifyInstance,
  endpoint: ApiEndpoint,
  ...rest: [UntypedHandler] | [Options, UntypedHandler]
): void {
  const [options, handler] = rest.length === 1 ? [{}, rest[0]] : rest;
  const { method, path, params, query, body, answers, errors, ...config } = {
    ...endpoint,
    ...options,
  };
  const status = Math.min(...Object.keys(answers).map(Number));
  const response = { ...answers, ...refusals(...errorStatuses(endpoint)) };
  app.route({
    method,
    url: path,
    config,
    schema: {
      ...(params && { params }),
      ...(query && { querystring: query }),
      ...(body && { body }),
      response,
    },
    handler: (request, reply) => handler(request, reply.code(status)),
  });
}

/** Invalid input, no session, and too little access; then what the endpoint adds. */
function errorStatuses({ access, params, query, body, errors = [] }: Endpoint): number[] {
  return [
    ...(params || query || body ? [400] : []),
    ...(access === 'public' ? [] : [401]),
    ...(access === 'public' || access === 'signed-in' ? [] : [403]),
    ...errors,
  ];
}
