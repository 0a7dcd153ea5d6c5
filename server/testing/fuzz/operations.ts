import type { FastifyInstance } from 'fastify';
import * as z from 'zod';
import type { Access } from '#contract/endpoint.ts';

/** The parts of JSON Schema in the project's document. */
export interface JsonSchema {
  type?: string;
  enum?: readonly unknown[];
  anyOf?: readonly JsonSchema[];
  oneOf?: readonly JsonSchema[];
  properties?: Readonly<Record<string, JsonSchema>>;
  required?: readonly string[];
  items?: JsonSchema;
  pattern?: string;
  format?: string;
  minimum?: number;
  maximum?: number;
  maxLength?: number;
}

interface Parameter {
  name: string;
  in: 'path' | 'query';
  required?: boolean;
  schema: JsonSchema;
}

interface Content {
  content?: { 'application/json'?: { schema: JsonSchema } };
}

interface OpenApiDocument {
  paths: Record<
    string,
    Record<
      string,
      { parameters?: Parameter[]; requestBody?: Content; responses: Record<string, Content> }
    >
  >;
}

/** One method of one path, as the OpenAPI document declares it. */
export interface Operation {
  readonly method: string;
  readonly path: string;
  readonly access: Access;
  readonly parameters: readonly Parameter[];
  readonly body: JsonSchema | null;
  /** The schema of each declared status; null for a status without a body. */
  readonly answers: ReadonlyMap<number, z.ZodType | null>;
}

export type RouteAccess = ReadonlyMap<string, Access>;

/** Records the access that each route declares. Must be called before the routes are registered. */
export function recordAccess(app: FastifyInstance): RouteAccess {
  const access = new Map<string, Access>();
  app.addHook('onRoute', ({ method, url, config }) => {
    for (const each of [method].flat()) {
      if (config?.access) access.set(`${each} ${url.replace(/:(\w+)/g, '{$1}')}`, config.access);
    }
  });
  return access;
}

/** Reads the operations from the document that the server serves. */
export async function readOperations(
  app: FastifyInstance,
  routes: RouteAccess,
): Promise<Operation[]> {
  const document = (await app.inject('/api/docs/json')).json<OpenApiDocument>();
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([name, { parameters = [], requestBody, responses }]) => {
      const method = name.toUpperCase();
      const access = routes.get(`${method} ${path}`);
      if (!access) throw new Error(`the document has ${method} ${path}, but the server does not`);
      const body = schemaOf(requestBody);
      return { method, path, access, parameters, body, answers: answersOf(responses) };
    }),
  );
}

const schemaOf = (declared?: Content) => declared?.content?.['application/json']?.schema ?? null;

function answersOf(responses: Record<string, Content>): Operation['answers'] {
  return new Map(
    Object.entries(responses).map(([status, response]) => {
      const schema = schemaOf(response);
      return [Number(status), schema && z.fromJSONSchema(schema as z.core.JSONSchema.BaseSchema)];
    }),
  );
}

/** The target of a request: the operation, or only the path if its method is not declared. */
export interface Match {
  operation: Operation | null;
  isKnownPath: boolean;
}

/** Finds the operation that the router must choose. */
export type Matcher = (method: string, url: string) => Match;

/** Literal paths win over parameters. */
export function matcher(operations: readonly Operation[]): Matcher {
  const ordered = operations
    .toSorted((a, b) => Number(a.path.includes('{')) - Number(b.path.includes('{')))
    .map((operation) => ({ operation, pattern: patternOf(operation.path) }));
  return (method, url) => {
    const path = decodedPath(url);
    const found = path === null ? [] : ordered.filter(({ pattern }) => pattern.test(path));
    const asked = method === 'HEAD' ? 'GET' : method;
    const match = found.find(({ operation }) => operation.method === asked);
    return { operation: match?.operation ?? null, isKnownPath: found.length > 0 };
  };
}

/** The router rejects longer parameters (`maxParamLength`). */
const PARAMETER = '[^/]{1,200}';

const patternOf = (path: string) =>
  new RegExp(`^${path.replace(/\{\w+\}/g, PARAMETER).replace(/\/$/, '/?')}$`);

function decodedPath(url: string): string | null {
  try {
    return decodeURI(url.replace(/[?#].*$/s, ''));
  } catch {
    return null;
  }
}
