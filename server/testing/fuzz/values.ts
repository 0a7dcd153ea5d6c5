import fc from 'fast-check';
import { PASSWORD } from '#server/features/accounts/testing/account-flows.ts';
import type { JsonSchema } from './operations.ts';
import { CANARY, INHERITED, searches, texts, tooLong } from './texts.ts';

/** A number that JSON.stringify cannot write. `toJson` removes the quotes. */
const literal = (number: string) => `@@${number}@@`;

/** JSON with the numbers from `literal`. */
export const toJson = (value: unknown) => JSON.stringify(value).replace(/"@@([^@"]+)@@"/g, '$1');

/** A placeholder that `World.resolve` replaces when the request is sent. */
const ref = (name: string, count = 40) => fc.nat(count - 1).map((at) => `{{${name}:${at}}}`);

const mostly = <T, U>(usual: fc.Arbitrary<T>, other: fc.Arbitrary<U>) =>
  fc.oneof({ arbitrary: usual, weight: 4 }, other);

const employerId = mostly(ref('employer'), fc.constant('2147483647'));
const reviewId = mostly(fc.oneof(ref('own'), ref('review')), fc.uuid());
const THIS_YEAR = new Date().getUTCFullYear();
const password = mostly(
  fc.constant(PASSWORD),
  texts(40).map((text) => `Aa1!aaaa${text}`),
);

/** Valid values for fields by name, for rules that their types do not express. */
const MEANINGFUL: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  search: searches,
  employer: mostly(ref('employer'), texts(200)),
  into: ref('employer').map((id) => literal(id)),
  start_year: fc.integer({ min: THIS_YEAR - 29, max: THIS_YEAR - 9 }),
  end_year: fc.option(fc.integer({ min: THIS_YEAR - 10, max: THIS_YEAR })),
  position_title: fc.oneof(fc.constantFrom('Hospitalist', 'Resident'), texts(100)),
  state: fc.oneof(fc.constantFrom('IL', 'TX', 'CA'), texts(100)),
  city: fc.oneof(fc.constantFrom('Springfield', 'Austin,Springfield'), texts(1000)),
  staff: mostly(ref('colleague'), texts(100)),
  demand: mostly(ref('demand'), texts(100)),
  received_on: fc.constant(`${THIS_YEAR}-01-05`),
  due_on: fc.constantFrom(null, `${THIS_YEAR}-02-05`),
  review: mostly(reviewId, texts(300)),
  page: fc.oneof(fc.integer({ min: 1, max: 3 }), fc.constantFrom(500, 1_000_000)),
  email: fc.oneof(
    fc.constant('{{email}}'),
    fc.nat(99).map((at) => `${CANARY}${at}@Mail.Example`),
  ),
  npi: ref('npi', 1),
  password,
  new_password: password,
  current_password: password,
  refresh: fc.constant('{{refresh}}'),
};

/** Employers to compare or save, or reviews. */
const idsFor = ({ type }: JsonSchema, path: string) => {
  const id = path.includes('employers') ? ref('employer') : reviewId;
  const ids = fc.array(id, { minLength: 2, maxLength: 4 });
  return ids.map((list) => (type === 'array' ? list.map(literal) : list.join(',')));
};

/** Paths to save. */
const address = fc.oneof(
  ref('employer').map((id) => `/employers/${id}`),
  fc.constantFrom('/reviews?state=TX', '/employers?hospitals_only=true&search=mary'),
  texts(300),
);

const IDS: readonly (readonly [part: string, id: fc.Arbitrary<string>])[] = [
  ['/employers/', employerId],
  ['/users/', ref('user', 1)],
  ['/cases/', ref('case')],
  ['/legal-demands/', ref('demand')],
  ['/doctors/', ref('doctor')],
  ['/staff/', ref('colleague')],
];

/** The value of a path parameter. */
export const pathValue = (path: string): fc.Arbitrary<string> =>
  IDS.find(([part]) => path.includes(part))?.[1] ?? reviewId;

const matching = new Map<string, fc.Arbitrary<string>>();

/** Kept, because fast-check needs longer to prepare one than the server to answer a request. */
function textMatching(pattern: string): fc.Arbitrary<string> {
  const known = matching.get(pattern) ?? fc.stringMatching(new RegExp(pattern));
  matching.set(pattern, known);
  return known;
}

export type ValueOf = (schema: JsonSchema, name: string, path: string) => fc.Arbitrary<unknown>;

/** A value that satisfies the schema, or nearly satisfies it. `inner` makes the values in it. */
export function valid(
  schema: JsonSchema,
  name: string,
  path: string,
  inner: ValueOf = valid,
): fc.Arbitrary<unknown> {
  const { properties = {}, required = [], items = {}, pattern = '' } = schema;
  if (name === 'ids') return idsFor(schema, path);
  if (name === 'entries') return fc.array(address, { minLength: 1, maxLength: 3 });
  const meaningful = MEANINGFUL[name];
  if (meaningful) return meaningful;
  if (schema.enum) return fc.constantFrom(...schema.enum);
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return fc.oneof(...choices.map((choice) => inner(choice, name, path)));
  switch ([schema.type].flat()[0]) {
    case 'object':
      return fc.record(
        Object.fromEntries(
          Object.entries(properties).map(([key, each]) => [key, inner(each, key, path)]),
        ),
        { requiredKeys: [...required] },
      );
    case 'array':
      return fc.array(inner(items, name, path), { maxLength: 3 });
    case 'integer':
      return fc.integer({ min: schema.minimum ?? 0, max: Math.min(schema.maximum ?? 99, 1e9) });
    case 'number':
      return fc.double({ noNaN: true });
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    default:
      // A pattern for the whole text. Those for parts of it are about classes of characters.
      return /^\^.*\$$/.test(pattern) && !pattern.includes('\\p')
        ? mostly(textMatching(pattern), texts(schema.maxLength))
        : texts(schema.maxLength);
  }
}

/** A value of the wrong type, out of bounds, or hostile. */
export function wrong({ maxLength = 200 }: JsonSchema): fc.Arbitrary<unknown> {
  const deep = `${'['.repeat(2000)}${']'.repeat(2000)}`;
  return fc.oneof(
    fc.constantFrom<unknown>(null, true, '', ' ', [], {}, [[]], ['a', 'b'], { a: { b: [1] } }),
    fc
      .constantFrom(...['1e309', '-1e309', '-0', '1e-400', '9007199254740993', '0.1', '-1', deep])
      .map(literal),
    fc.constantFrom<unknown>(0, 2 ** 31, -(2 ** 31) - 1, 2 ** 53, 1.5, 'NaN', '1e3', '0x1', '１２'),
    fc.constantFrom(...INHERITED).map((key) => JSON.parse(`{"${key}":{"x":1}}`)),
    tooLong(Math.min(maxLength, 20_000)),
    texts(maxLength),
    fc.jsonValue({ maxDepth: 3 }),
  );
}
