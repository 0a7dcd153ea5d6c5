import fc from 'fast-check';
import { PASSWORD } from '#server/features/accounts/testing/account-flows.ts';
import type { JsonSchema } from './operations.ts';
import { CANARY, searches, texts, tooLong } from './texts.ts';

/** A number that JSON.stringify cannot write. `toJson` removes the quotes. */
const literal = (number: string) => `@@${number}@@`;

/** JSON with the numbers from `literal`. */
export const toJson = (value: unknown) => JSON.stringify(value).replace(/"@@([^@"]+)@@"/g, '$1');

/** A placeholder that `World.resolve` replaces when the request is sent. */
const ref = (name: string, count = 40) => fc.nat(count - 1).map((at) => `{{${name}:${at}}}`);

const employerId = fc.oneof({ arbitrary: ref('employer'), weight: 9 }, fc.constant('2147483647'));
const reviewId = fc.oneof(
  { arbitrary: ref('own'), weight: 5 },
  { arbitrary: ref('review'), weight: 5 },
  { arbitrary: fc.uuid(), weight: 1 },
);
const THIS_YEAR = new Date().getUTCFullYear();
const startYear = fc.integer({ min: THIS_YEAR - 29, max: THIS_YEAR - 9 });
const endYear = fc.integer({ min: THIS_YEAR - 10, max: THIS_YEAR });
const email = fc.oneof(
  fc.constant('{{email}}'),
  fc.nat(99).map((at) => `${CANARY}${at}@Mail.Example`),
);
const password = fc.oneof(
  fc.constant(PASSWORD),
  texts(40).map((text) => `Aa1!aaaa${text}`),
);

/** Valid values for fields by name, for rules that their types do not express. */
const MEANINGFUL: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  search: searches,
  employer: fc.oneof({ arbitrary: ref('employer'), weight: 3 }, texts(200)),
  into: ref('employer').map((id) => literal(id)),
  start_year: startYear,
  end_year: fc.oneof({ arbitrary: endYear, weight: 3 }, fc.constant(null)),
  position_title: fc.oneof(fc.constantFrom('Hospitalist', 'Resident'), texts(100)),
  state: fc.oneof(fc.constantFrom('IL', 'TX', 'CA'), texts(100)),
  city: fc.oneof(fc.constantFrom('Springfield', 'Austin,Springfield'), texts(1000)),
  domain: fc.oneof(fc.constantFrom('mail.hospital.org', 'clinic.ny.us'), texts(253)),
  month: fc.oneof({ arbitrary: fc.constantFrom('2026-01', '2024-12'), weight: 3 }, texts(20)),
  staff: fc.oneof({ arbitrary: ref('colleague'), weight: 3 }, texts(100)),
  demand: fc.oneof({ arbitrary: ref('demand'), weight: 3 }, texts(100)),
  received_on: fc.constantFrom('2026-01-05', '2024-02-30', '0000-01-01', '9999-12-31'),
  review: fc.oneof({ arbitrary: reviewId, weight: 3 }, texts(300)),
  page: fc.oneof(fc.integer({ min: 1, max: 3 }), fc.constantFrom(500, 1_000_000)),
  email,
  npi: ref('npi', 1),
  password,
  new_password: password,
  current_password: password,
  refresh: fc.constant('{{refresh}}'),
  otp_code: fc.constant('123456'),
};

/** The `ids` of a query: employers to compare, or reviews. */
const idsFor = (path: string) =>
  fc
    .array(path.includes('employers') ? ref('employer') : reviewId, { minLength: 2, maxLength: 4 })
    .map((ids) => ids.join(','));

/** Paths to save. */
const addresses = fc.array(
  fc.oneof(
    ref('employer').map((id) => `/employers/${id}`),
    fc.constantFrom('/reviews?state=TX', '/employers?hospitals_only=true&search=mary'),
    texts(300),
  ),
  { minLength: 1, maxLength: 3 },
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

/** A value that satisfies the schema, or nearly satisfies it. */
export function valid(schema: JsonSchema, name: string, path: string): fc.Arbitrary<unknown> {
  if (name === 'ids' && schema.type === 'array') {
    return fc.array(ref('employer').map(literal), { minLength: 1, maxLength: 4 });
  }
  if (name === 'ids') return idsFor(path);
  if (name === 'entries') return addresses;
  const meaningful = MEANINGFUL[name];
  if (meaningful) return meaningful;
  if (schema.enum) return fc.constantFrom(...schema.enum);
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return fc.oneof(...choices.map((choice) => valid(choice, name, path)));
  switch (schema.type) {
    case 'object':
      return validObject(schema, path);
    case 'array':
      return fc.array(valid(schema.items ?? {}, name, path), { maxLength: 3 });
    case 'integer':
      return fc.integer({ min: schema.minimum ?? 0, max: Math.min(schema.maximum ?? 99, 1e9) });
    case 'number':
      return fc.double({ noNaN: true });
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    default:
      return texts(schema.maxLength ?? 200);
  }
}

function validObject({ properties = {}, required = [] }: JsonSchema, path: string) {
  const fields = Object.entries(properties).map(
    ([name, schema]) => [name, valid(schema, name, path)] as const,
  );
  return fc.record(Object.fromEntries(fields), { requiredKeys: [...required] });
}

/** A value of the wrong type, out of bounds, or hostile. */
export function wrong(schema: JsonSchema): fc.Arbitrary<unknown> {
  const deep = `${'['.repeat(2000)}${']'.repeat(2000)}`;
  return fc.oneof(
    fc.constantFrom<unknown>(null, true, '', ' ', [], {}, [[]], ['a', 'b'], { a: { b: [1] } }),
    fc
      .constantFrom(...['1e309', '-1e309', '-0', '1e-400', '9007199254740993', '0.1', '-1', deep])
      .map(literal),
    fc.constantFrom<unknown>(0, 2 ** 31, -(2 ** 31) - 1, 2 ** 53, 1.5, 'NaN', '1e3', '0x1', '１２'),
    fc
      .constantFrom('__proto__', 'constructor', 'prototype', 'toString')
      .map((key) => JSON.parse(`{"${key}":{"x":1}}`)),
    tooLong(Math.min(schema.maxLength ?? 200, 20_000)),
    texts(schema.maxLength ?? 200),
    fc.jsonValue({ maxDepth: 3 }),
  );
}
