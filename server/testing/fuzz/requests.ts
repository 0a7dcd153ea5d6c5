import fc from 'fast-check';
import type { JsonSchema, Operation } from './operations.ts';
import { type Role, rolesFor } from './roles.ts';
import { pathValue, toJson, valid, wrong } from './values.ts';

/** A generated request. Its text may contain placeholders for the running server's values. */
export interface FuzzRequest {
  readonly role: Role;
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

/** Requests that are sent one after another. */
export type Exchange = readonly FuzzRequest[];

type Pairs = readonly (readonly [name: string, value: unknown])[];

/** The parts of a request that mutations change before they become text. */
export interface Draft {
  readonly operation: Operation;
  readonly role: Role;
  readonly path: string;
  readonly query: Pairs;
  readonly body: unknown;
}

/** Leaves `{{…}}` unescaped, so that it gets replaced. */
const encode = (value: unknown) =>
  encodeURIComponent((typeof value === 'string' ? value : toJson(value)).toWellFormed()).replace(
    /%7B%7B([\w%]+?)%7D%7D/g,
    (_, name) => `{{${decodeURIComponent(name)}}}`,
  );

export const queryText = (pairs: Pairs) =>
  pairs.map(([name, value]) => `${encode(name)}=${encode(value)}`).join('&');

export const JSON_TYPE = { 'content-type': 'application/json' };

export function toRequest({ operation, role, path, query, body }: Draft): FuzzRequest {
  const text = queryText(query);
  const hasBody = body !== undefined;
  return {
    role,
    method: operation.method,
    url: text ? `${path}?${text}` : path,
    headers: hasBody ? JSON_TYPE : {},
    body: hasBody ? toJson(body) : null,
  };
}

type ValueOf = (schema: JsonSchema, name: string, path: string) => fc.Arbitrary<unknown>;

export function drafts(operation: Operation, generate: ValueOf): fc.Arbitrary<Draft> {
  const { path, parameters, body } = operation;
  const inQuery = parameters.filter((parameter) => parameter.in === 'query');
  const query = fc.record(
    Object.fromEntries(inQuery.map(({ name, schema }) => [name, generate(schema, name, path)])),
    { requiredKeys: inQuery.filter(({ required }) => required).map(({ name }) => name) },
  );
  return fc.record({
    operation: fc.constant(operation),
    role: rolesFor(operation.access),
    path: pathValue(path).map((id) => path.replace(/\{\w+\}/, id)),
    query: query.map((fields) => Object.entries(fields)),
    body: body ? generate(body, '', path) : fc.constant(undefined),
  });
}

/** Operations that hash passwords or send mail cost a hundred times as much as others. */
const COSTLY = /login|register|delete-account|password|users/;

export const anyOperation = (operations: readonly Operation[]) =>
  fc.oneof(
    ...operations.map((operation) => ({
      arbitrary: fc.constant(operation),
      weight: COSTLY.test(operation.path) ? 1 : 12,
    })),
  );

/** Requests that handlers accept, or would accept with the right ids and permissions. */
export const validRequests = (operations: readonly Operation[]): fc.Arbitrary<Exchange> =>
  anyOperation(operations).chain((operation) =>
    drafts(operation, valid).map((draft) => [toRequest(draft)]),
  );

/** Requests in which all types and values are wrong. */
export const wrongRequests = (operations: readonly Operation[]): fc.Arbitrary<Exchange> =>
  anyOperation(operations).chain((operation) =>
    drafts(operation, (schema, name, path) => {
      if (schema.type !== 'object') return fc.oneof(wrong(schema), valid(schema, name, path));
      const fields = Object.entries(schema.properties ?? {});
      return fc.oneof(
        fc.record(Object.fromEntries(fields.map(([key, each]) => [key, wrong(each)])), {
          requiredKeys: [],
        }),
        wrong(schema),
      );
    }).map((draft) => [toRequest(draft)]),
  );
