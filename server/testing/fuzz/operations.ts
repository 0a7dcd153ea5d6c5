import type { FastifyInstance } from 'fastify';
import type { Access, Endpoint } from '#contract/endpoint.ts';
import { endpoints } from '#contract/endpoints.ts';

/** The parts of JSON Schema in the project's document. */
export interface JsonSchema {
  type?: string | readonly string[];
  enum?: readonly unknown[];
  anyOf?: readonly JsonSchema[];
  oneOf?: readonly JsonSchema[];
  properties?: Readonly<Record<string, JsonSchema>>;
  required?: readonly string[];
  items?: JsonSchema;
  pattern?: string;
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

interface Documented {
  parameters?: Parameter[];
  requestBody?: { content: { 'application/json'?: { schema: JsonSchema } } };
}

/** One method of one path, as the OpenAPI document declares it. */
export interface Operation {
  readonly method: string;
  readonly path: string;
  readonly access: Access;
  readonly parameters: readonly Parameter[];
  readonly body: JsonSchema | null;
}

/** Reads the operations from the document that the server serves. */
export async function readOperations(app: FastifyInstance): Promise<Operation[]> {
  const declared = Object.values(endpoints).flatMap((group) => Object.values<Endpoint>(group));
  const access = new Map(
    declared.map((each) => [
      `${each.method} /api${each.path.replace(/:(\w+)/g, '{$1}')}`,
      each.access,
    ]),
  );
  const document = (await app.inject('/api/docs/json')).json<{
    paths: Record<string, Record<string, Documented>>;
  }>();
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([name, { parameters = [], requestBody }]) => {
      const method = name.toUpperCase();
      const who = access.get(`${method} ${path}`);
      if (!who) throw new Error(`the document has ${method} ${path}, but the contract does not`);
      const body = requestBody?.content['application/json']?.schema ?? null;
      return { method, path, access: who, parameters, body };
    }),
  );
}

/** The target of a request: the operation, or only the path if its method is not declared. */
export interface Match {
  operation: Operation | null;
  isKnownPath: boolean;
}

/**
 * Finds the operation that the router must choose. Literal paths win over parameters. The router
 * rejects longer parameters (`maxParamLength`).
 */
export function matcher(operations: readonly Operation[]) {
  const ordered = operations
    .toSorted((a, b) => Number(a.path.includes('{')) - Number(b.path.includes('{')))
    .map((operation) => {
      const path = operation.path.replace(/\{\w+\}/g, '[^/]{1,200}').replace(/\/$/, '/?');
      return { operation, pattern: new RegExp(`^${path}$`) };
    });
  return (method: string, url: string): Match => {
    const path = decodedPath(url);
    const found = ordered.filter(({ pattern }) => path !== null && pattern.test(path));
    const asked = method === 'HEAD' ? 'GET' : method;
    const match = found.find(({ operation }) => operation.method === asked);
    return { operation: match?.operation ?? null, isKnownPath: found.length > 0 };
  };
}

function decodedPath(url: string): string | null {
  try {
    return decodeURI(url.replace(/[?#].*$/s, ''));
  } catch {
    return null;
  }
}
