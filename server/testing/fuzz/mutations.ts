import fc from 'fast-check';
import type { Operation } from './operations.ts';
import {
  anyOperation,
  type Draft,
  drafts,
  type Exchange,
  type FuzzRequest,
  JSON_TYPE,
  queryText,
  toRequest,
} from './requests.ts';
import { texts } from './texts.ts';
import { toJson, valid, wrong } from './values.ts';

type Mutation = (request: FuzzRequest, draft: Draft) => fc.Arbitrary<FuzzRequest>;

const withQuery = (request: FuzzRequest, more: string) => ({
  ...request,
  url: `${request.url}${request.url.includes('?') ? '&' : '?'}${more}`,
});

const KEYS = [
  '__proto__',
  'constructor',
  'prototype',
  'id',
  'user_id',
  'author_key',
  'is_admin',
  '',
];

const withFields = (request: FuzzRequest, fields: string) => ({
  ...request,
  headers: JSON_TYPE,
  body: request.body?.startsWith('{"') ? `{${fields},${request.body.slice(1)}` : `{${fields}}`,
});

/** Each mutation makes one change to a valid request. */
const MUTATIONS: readonly Mutation[] = [
  // Adds an unknown parameter, sometimes named like a property of Object.prototype.
  (request) =>
    fc
      .tuple(fc.constantFrom(...KEYS, 'color', 'page[]', 'search[a]'), texts(50))
      .map(([name, value]) => withQuery(request, queryText([[name, value]]))),
  // Repeats a parameter, or sends it as an array.
  (request, { operation, query }) =>
    fc
      .constantFrom(
        ...operation.parameters.map(({ name }) => name),
        ...query.map(([name]) => name),
        'x',
      )
      .map((name) =>
        withQuery(
          request,
          queryText([
            [name, '1'],
            [name, '2'],
          ]),
        ),
      ),
  // Adds an unknown field, and repeats one.
  (request) =>
    fc
      .tuple(fc.constantFrom(...KEYS), fc.jsonValue({ maxDepth: 2 }))
      .map(([name, value]) =>
        withFields(request, `${JSON.stringify(name)}:${JSON.stringify(value)}`),
      ),
  (request, { operation }) =>
    fc
      .constantFrom(...Object.keys(propertiesOf(operation)))
      .map((name) => withFields(request, `"${name}":"first"`)),
  // Removes a field, or changes its type.
  (request, { body }) =>
    fc.constantFrom(...Object.keys(Object(body)), 'none').map((name) => {
      const { [name]: _, ...rest } = Object(body);
      return { ...request, headers: JSON_TYPE, body: toJson(rest) };
    }),
  (request, { operation, body }) =>
    fc.constantFrom(...Object.entries(propertiesOf(operation))).chain(([name, schema]) =>
      wrong(schema).map((value) => ({
        ...request,
        headers: JSON_TYPE,
        body: toJson({ ...Object(body), [name]: value }),
      })),
    ),
  // Replaces the body with something invalid.
  (request) =>
    fc
      .constantFrom('', '{', '[]', 'null', '"text"', '1', '{"a":1}{', '\ufeff{}', '{"\\ud800":1}')
      .map((body) => ({ ...request, headers: JSON_TYPE, body })),
];

/** The properties of a body. For an empty or missing body, a property that it must not have. */
function propertiesOf({ body }: Operation) {
  const properties = body?.properties ?? {};
  return Object.keys(properties).length > 0 ? properties : { email: {} };
}

/** Requests that are valid except for one thing. */
export const nearlyValidRequests = (operations: readonly Operation[]): fc.Arbitrary<Exchange> =>
  anyOperation(operations).chain((operation) =>
    drafts(operation, valid)
      .chain((draft) =>
        fc.constantFrom(...MUTATIONS).chain((mutation) => mutation(toRequest(draft), draft)),
      )
      .map((request) => [request]),
  );
