import { createServer, type RequestListener } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { allPassed } from '#server/features/verification/claims.ts';
import { checkDoctor } from '#server/features/verification/registry-check.ts';
import { listen } from '#server/testing/listen.ts';
import { httpNpiRegistry } from './http.ts';
import { RegistryUnavailable } from './registry.ts';

const NPI = '1234567893';
const DOCTOR = { first_name: 'Miriam', last_name: 'Ashworth-Levy' };

async function serve(listener: RequestListener, path = '/api/') {
  const server = createServer(listener);
  const port = await listen(server);
  onTestFinished(() => server.closeAllConnections());
  return `http://127.0.0.1:${port}${path}`;
}

const answering =
  (body: unknown, status = 200): RequestListener =>
  (_request, response) => {
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  };

/** A response of CMS about a physician, with a test's changes. */
const person = ({ basic = {}, ...rest }: Record<string, unknown> = {}) => ({
  result_count: 1,
  results: [
    {
      ...{ created_epoch: '1579046400000', enumeration_type: 'NPI-1', number: NPI },
      basic: {
        ...{ first_name: 'MIRIAM', last_name: 'ASHWORTH-LEVY', credential: 'MD' },
        ...{ sole_proprietor: 'NO', status: 'A', ...(basic as object) },
      },
      addresses: [{ country_code: 'US', city: 'ROCHESTER', state: 'NY' }],
      taxonomies: [{ code: '207R00000X', desc: 'Internal Medicine', primary: true, state: 'NY' }],
      ...{ identifiers: [], endpoints: [], other_names: [], ...rest },
    },
  ],
});
const taxonomies = (...codes: string[]) => ({ taxonomies: codes.map((code) => ({ code })) });
const cmsError = (description: string) => ({ Errors: [{ description, field: 'number' }] });
const NONE = { result_count: 0, results: [] };

const PASSED = { known: true, active: true, individual: true, physician: true, name_matches: true };
const NOTHING = { active: null, individual: null, physician: null, name_matches: null };
const RENAMED = { ...PASSED, name_matches: false };

/** Miriam, with a last name, and with other names. */
const named = (last_name: string, ...other_names: object[]) =>
  person({ basic: { last_name }, other_names });
const other = (first_name: string, last_name: string, type = 'Other Name') => {
  return { type, code: '5', first_name, last_name };
};
const FORMER = other('MIRIAM', 'ASHWORTH', 'Former Name');
const ANNA = { basic: { first_name: 'ANNA' }, other_names: [other('MIRIAM', 'NGUYEN')] };
const OMITTED = { basic: { first_name: '--' }, other_names: [{ last_name: null }, {}] };
const ORGANIZATION = {
  ...{ enumeration_type: 'NPI-2', number: NPI, taxonomies: [{ code: '282N00000X' }] },
  basic: { organization_name: 'ST. AGNES', status: 'A' },
  other_names: [{ organization_name: 'AGNES', type: 'Doing Business As' }],
};
const INDIVIDUAL = { ...NOTHING, known: true, active: true, individual: false };
const DEACTIVATED = `CMS deactivated NPI ${NPI}. The provider can no longer use this NPI.`;

// The tests of `professionOf` have all kinds of codes.
test.each([
  ['a physician', person(), PASSED],
  ['a trainee', person(taxonomies('390200000X')), PASSED],
  ['a nurse who became a physician', person(taxonomies('163W00000X', '208000000X')), PASSED],
  ['oral surgery', person(taxonomies('204E00000X')), { ...PASSED, physician: null }],
  ['a nurse', person(taxonomies('363LF0000X')), { ...PASSED, physician: false }],
  ['no taxonomy', person({ taxonomies: [] }), { ...PASSED, physician: false }],
  ['an inactive number', person({ basic: { status: 'D' } }), { ...PASSED, active: false }],
  ['another name', named('LEVY'), RENAMED],
  ['one of the other names', named('NGUYEN', FORMER, other('Miriam', 'Ashworth Levy')), PASSED],
  ['the maiden and the current name side by side', named('LEVY', FORMER), PASSED],
  ['first and last name from two different names', person(ANNA), RENAMED],
  ['names omitted, null, or dashes', person(OMITTED), RENAMED],
  ['a number given as a number', person({ number: Number(NPI) }), PASSED],
  ['an organization', { result_count: 1, results: [ORGANIZATION] }, INDIVIDUAL],
  ['an unknown number', NONE, { ...NOTHING, known: false }],
  ['a deactivated number', cmsError(DEACTIVATED), { ...NOTHING, known: true, active: false }],
])('%s', async (_what, body, checks) => {
  const registry = httpNpiRegistry(await serve(answering(body)));
  const result = checkDoctor(await registry.lookUp(NPI), DOCTOR);
  expect(result).toEqual(checks);
  expect(allPassed(result)).toBe(checks === PASSED);
});

const location = (address: object) => ({
  ...{ address_purpose: 'LOCATION', country_code: 'US', city: 'ROCHESTER', state: 'NY' },
  ...{ address_1: '601 ELMWOOD AVE', address_2: '', postal_code: '146420001', ...address },
});
const mailing = { ...location({}), address_purpose: 'MAILING', address_1: 'PO BOX 1' };
const practice = (postal_code: string, ...lines: string[]) => {
  return { lines: ['601 ELMWOOD AVE', ...lines], city: 'ROCHESTER', state: 'NY', postal_code };
};
const suite = { address_2: ' SUITE  4\n', postal_code: '14642' };

test.each([
  ['of the practice', [mailing, location({})], practice('14642-0001')],
  ['with a second line and only five digits', [location(suite)], practice('14642', 'SUITE 4')],
  ['ending in four zeros', [location({ postal_code: '146420000' })], practice('14642')],
  ['abroad', [location({ country_code: 'CA' })], null],
  ['no street', [location({ address_1: null })], null],
  ['no postal code', [location({ postal_code: '--' })], null],
  ['with a foreign postal code', [location({ postal_code: 'M5V 2T6' })], null],
  ['a mailing address only', [mailing], null],
  ['another form', [location({ city: 7 })], null],
  ['missing', undefined, null],
])('parses an address: %s', async (_what, addresses, expected) => {
  const registry = httpNpiRegistry(await serve(answering(person({ addresses }))));
  const answer = await registry.lookUp(NPI);
  expect(answer).toMatchObject({ kind: 'person', practice: expected });
});

test("queries the number with version 2.1 of the API, and keeps the configured URL's parameters", async () => {
  const asked: (string | undefined)[] = [];
  const url = await serve((request, response) => {
    asked.push(request.url);
    answering(person())(request, response);
  }, '/npi?key=k');
  await httpNpiRegistry(url).lookUp(NPI);
  expect(asked).toEqual([`/npi?key=k&version=2.1&number=${NPI}`]);
});

const breaking: RequestListener = (_request, response) => {
  response.writeHead(200, { 'content-length': '1000' });
  response.write('{"result_count":');
  setImmediate(() => response.destroy());
};

test.each([
  ['too many requests', answering(NONE, 429)],
  ['a server error', answering(NONE, 500)],
  ['a gateway error in HTML', answering('<h1>Bad Gateway</h1>', 502)],
  ['not found', answering(NONE, 404)],
  ['HTML', answering('<h1>Maintenance</h1>')],
  ['nothing', answering('')],
  ['a truncated response', answering(JSON.stringify(person()).slice(0, 200))],
  ['null', answering('null')],
  ['an empty object', answering({})],
  ['a count without results', answering({ result_count: 1, results: [] })],
  ['results without a count', answering({ results: person().results })],
  ['another number', answering(person({ number: '1245319599' }))],
  ['another kind of number', answering(person({ enumeration_type: 'NPI-3' }))],
  ['no status', answering(person({ basic: { status: null } }))],
  ['another error', answering(cmsError('The service is not available'))],
  ['an error without a description', answering({ Errors: [{}] })],
  ['an endless redirect', (_request, response) => response.writeHead(302, { location: '/' }).end()],
  ['a response that is too large', answering({ ...NONE, more: 'x'.repeat(300_000) })],
  ['a broken connection', (request) => request.destroy()],
  ['a connection that breaks halfway', breaking],
  ['silence', () => {}],
  ['a body that never ends', (_request, response) => response.write('{"result_count":')],
] satisfies [string, RequestListener][])('retries later after %s', async (_what, listener) => {
  const registry = httpNpiRegistry(await serve(listener), 300);
  const failure = await registry.lookUp(NPI).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(RegistryUnavailable);
  expect(String(failure)).not.toContain(NPI);
});

test('does not follow redirects', async () => {
  const location = await serve(answering(NONE));
  const url = await serve((_request, response) => response.writeHead(307, { location }).end());
  await expect(httpNpiRegistry(url).lookUp(NPI)).rejects.toBeInstanceOf(RegistryUnavailable);
});

test('retries later if the registry is unreachable', async () => {
  const registry = httpNpiRegistry('http://127.0.0.1:1/api/');
  await expect(registry.lookUp(NPI)).rejects.toBeInstanceOf(RegistryUnavailable);
});
