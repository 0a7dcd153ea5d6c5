import type { FastifyContextConfig, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type * as z from 'zod/mini';
import type { AnyAnswer, Endpoint } from '#contract/endpoint.ts';
import { endpoints } from '#contract/endpoints.ts';
import { Problem } from '#contract/problem.ts';
import type { AccountLimit } from '#server/rate-limits/limits.ts';

/** Methods that change nothing (RFC 9110, section 9.2.1). */
export const SAFE_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

type ApiEndpoint = Endpoint & { readonly rateLimit?: AccountLimit };

type Parsed<E, Part extends string> = E extends { [P in Part]: infer Schema extends z.ZodMiniType }
  ? z.output<Schema>
  : unknown;

/** The response has the endpoint's lowest status unless the handler sets another. */
type Handler<E extends Endpoint> = (
  request: FastifyRequest<{
    Params: Parsed<E, 'params'>;
    Querystring: Parsed<E, 'query'>;
    Body: Parsed<E, 'body'>;
  }>,
  reply: FastifyReply,
) => Promise<AnyAnswer<E>>;

type UntypedHandler = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>;

/** Server-side options of a route: its cache topics, or a body schema that depends on the clock. */
type Options = Omit<FastifyContextConfig, keyof Endpoint> & Pick<Endpoint, 'body'>;

/** Each endpoint's names in the OpenAPI document. */
const OPERATIONS = new Map(
  Object.entries(endpoints).flatMap(([group, members]) =>
    Object.entries<Endpoint>(members).map(([name, endpoint]) => [
      endpoint,
      { operationId: `${group}.${name}`, tags: [group] },
    ]),
  ),
);

/** Registers the route of an endpoint (contract/endpoints.ts). */
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
  const { method, path, params, query, body, answers, errors, consumes, produces, ...config } = {
    ...endpoint,
    ...options,
  };
  const operation = OPERATIONS.get(endpoint);
  if (!operation) throw new Error(`${method} ${path} is missing in contract/endpoints.ts`);
  const status = Math.min(...Object.keys(answers).map(Number));
  const response = { ...answers, ...refusals(...errorStatuses(endpoint)) };
  app.route({
    method,
    url: path,
    config,
    schema: {
      ...operation,
      ...(params && { params }),
      ...(query && { querystring: query }),
      ...(body && { body }),
      ...(consumes && { consumes: [consumes] }),
      ...(produces && { produces: [produces] }),
      response,
    },
    handler: produces
      ? async (request, reply) =>
          download(reply, (await handler(request, reply.code(status))) as File)
      : (request, reply) => handler(request, reply.code(status)),
  });
}

/** Sends a file that a browser saves and never shows, under the file's own name. */
async function download(reply: FastifyReply, file: File): Promise<Buffer> {
  reply.headers({
    'content-type': file.type,
    'content-disposition': `attachment; filename="${file.name}"`,
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store, no-transform',
  });
  return Buffer.from(await file.arrayBuffer());
}

/**
 * 400 for invalid input, or for a body that is not JSON, even if none is needed; 401 and 403 by
 * access; and the endpoint's own.
 */
function errorStatuses({ method, access, params, query, errors = [] }: Endpoint): number[] {
  return [
    ...(params || query || method !== 'GET' ? [400] : []),
    ...(access === 'public' ? [] : [401]),
    ...(access === 'public' || access === 'signed-in' ? [] : [403]),
    ...errors,
  ];
}

/** Declares problem details as the response for each of these statuses. */
export function refusals<Status extends number>(...statuses: Status[]) {
  return Object.fromEntries(statuses.map((status) => [status, Problem])) as Record<
    Status,
    typeof Problem
  >;
}

/** Declares the errors that any route may return: CSRF, body checks, rate limits, failures. */
export function commonRefusals(app: FastifyInstance) {
  app.addHook('onRoute', ({ method, schema }) => {
    if (!schema?.response) return;
    const isUnsafe = [method].flat().some((one) => !SAFE_METHODS.has(one));
    const common = isUnsafe ? refusals(403, 413, 415, 429, 500, 503) : refusals(429, 500, 503);
    schema.response = { ...common, ...schema.response };
  });
}
