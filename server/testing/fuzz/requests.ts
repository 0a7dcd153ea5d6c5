import fc from 'fast-check';
import type { Operation } from './operations.ts';
import { type Role, rolesFor } from './roles.ts';
import { INHERITED } from './texts.ts';
import { pathValue, toJson, type ValueOf, valid, wrong } from './values.ts';

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

/** Leaves `{{…}}` unescaped, so that it gets replaced. */
const encode = (value: unknown) =>
  encodeURIComponent((typeof value === 'string' ? value : toJson(value)).toWellFormed()).replace(
    /%7B%7B([\w%]+?)%7D%7D/g,
    (_, name) => `{{${decodeURIComponent(name)}}}`,
  );

export const withQuery = (path: string, pairs: Pairs) =>
  pairs.length > 0 ? `${path}?${pairs.map((pair) => pair.map(encode).join('=')).join('&')}` : path;

export const JSON_TYPE = { 'content-type': 'application/json' };

/** Operations that hash passwords or send mail cost a hundred times as much as others. */
const COSTLY = /login|register|delete-account|password|users/;

const anyOperation = (operations: readonly Operation[]) =>
  fc.oneof(
    ...operations.map((operation) => ({
      arbitrary: fc.constant(operation),
      weight: COSTLY.test(operation.path) ? 1 : 12,
    })),
  );

/** The parts of a request to an operation. */
function drafts({ method, path, access, parameters, body }: Operation, generate: ValueOf) {
  const inQuery = parameters.filter((parameter) => parameter.in === 'query');
  const query = fc.record(
    Object.fromEntries(inQuery.map(({ name, schema }) => [name, generate(schema, name, path)])),
    { requiredKeys: inQuery.filter(({ required }) => required).map(({ name }) => name) },
  );
  return fc.record({
    role: rolesFor(access),
    method: fc.constant(method),
    path: pathValue(path).map((id) => path.replace(/\{\w+\}/, id)),
    query: query.map((fields) => Object.entries(fields)),
    json: body ? generate(body, '', path).map(toJson) : fc.constant(null),
  });
}

/** Requests that handlers accept, or would accept with the right ids and permissions. */
export const validRequests = (operations: readonly Operation[]): fc.Arbitrary<Exchange> =>
  anyOperation(operations).chain((operation) =>
    drafts(operation, valid).map(({ path, query, json, ...rest }) => [
      { ...rest, url: withQuery(path, query), headers: json ? JSON_TYPE : {}, body: json },
    ]),
  );

const KEYS = [...INHERITED, 'id', 'user_id', 'author_key', 'is_admin', 'page[]', 'search[a]', ''];
const NOT_JSON = ['', '{', '[]', 'null', '"text"', '1', '{"a":1}{', '\ufeff{}', '{"\\ud800":1}'];

/** Valid values, of which some are wrong, and from some of which a field is missing. */
function nearlyValid(oddity: number): ValueOf {
  const generate: ValueOf = (schema, name, path) => {
    const required = schema.required ?? [];
    const nearly = fc
      .constantFrom(undefined, ...required)
      .chain((lost) =>
        valid(
          { ...schema, required: required.filter((key) => key !== lost) },
          name,
          path,
          generate,
        ),
      );
    return fc.oneof(
      { arbitrary: nearly, weight: 10 },
      { arbitrary: wrong(schema), weight: oddity },
    );
  };
  return generate;
}

/** Requests in which something is wrong, missing, repeated, or unknown, or the body is not JSON. */
export const invalidRequests = (operations: readonly Operation[]): fc.Arbitrary<Exchange> =>
  fc
    .tuple(anyOperation(operations), fc.constantFrom(0, 1, 20))
    .chain(([operation, oddity]) => {
      const { parameters, body } = operation;
      const known = [...parameters.map(({ name }) => name), ...Object.keys(body?.properties ?? {})];
      const more = fc.array(
        fc.tuple(fc.constantFrom(...KEYS, ...known), fc.jsonValue({ maxDepth: 2 })),
        { maxLength: 2 },
      );
      return fc.record({
        draft: drafts(operation, nearlyValid(oddity)),
        moreQuery: more,
        moreFields: more,
        replaced: fc.oneof(
          { arbitrary: fc.constant(null), weight: 9 },
          fc.constantFrom(...NOT_JSON),
        ),
      });
    })
    .map(({ draft: { path, query, json, ...rest }, moreQuery, moreFields, replaced }) => {
      const fields = moreFields.map(([name, value]) => `${toJson(name)}:${toJson(value)}`);
      const inner = /^\{(.+)\}$/s.exec(json ?? '')?.[1];
      const object = `{${[...fields, ...(inner ? [inner] : [])].join(',')}}`;
      const text = replaced ?? (fields.length > 0 ? object : json);
      const url = withQuery(path, [...query, ...moreQuery]);
      return [{ ...rest, url, headers: text === null ? {} : JSON_TYPE, body: text }];
    });
