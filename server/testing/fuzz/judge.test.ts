import { expect, test } from 'vitest';
import { type Invariant, type Outcome, violationsOf } from './judge.ts';
import type { Operation } from './operations.ts';
import type { Answer } from './socket.ts';

const HEADERS = {
  'content-type': 'application/json',
  'content-security-policy': "default-src 'none'",
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'x-request-id': 'request-1',
};
const PROBLEM = {
  type: 'about:blank',
  title: 'Validation error',
  status: 400,
  code: 'validation_error',
  detail: 'Unknown field',
  message: 'Unknown field',
  request_id: 'request-1',
};
const operation: Operation = {
  method: 'GET',
  path: '/api/things/',
  access: 'signed-in',
  parameters: [],
  body: null,
};
const good: Answer = { status: 200, headers: HEADERS, body: '{"id":1}' };
const refused: Answer = { status: 400, headers: HEADERS, body: JSON.stringify(PROBLEM) };

function found(answer: Answer | Error, about: Partial<Outcome> = {}): Invariant[] {
  const outcome: Outcome = {
    role: 'pending',
    method: 'GET',
    route: 'GET /api/things/',
    requestId: undefined,
    match: { operation, isKnownPath: true },
    answer,
    ...about,
  };
  return violationsOf(outcome).map(({ invariant }) => invariant);
}

const problem = (changes: object, status = 400): Answer => ({
  ...refused,
  status,
  body: JSON.stringify({ ...PROBLEM, ...changes }),
});

test('finds no violation in declared responses', () => {
  expect(found(good)).toEqual([]);
  expect(found(refused)).toEqual([]);
  const unknown = { match: { operation: null, isKnownPath: true } };
  const headers = { ...HEADERS, allow: 'GET' };
  const refusal = { status: 405, code: 'method_not_allowed' };
  expect(found({ ...problem(refusal, 405), headers }, unknown)).toEqual([]);
});

test.each<[invariant: Invariant, answer: Answer | Error, about?: Partial<Outcome>]>([
  ['failure', problem({ status: 500, code: 'server_error' }, 500)],
  ['answer', new Error('closed')],
  ['problem', { ...refused, body: '{"error":"Bad Request"}' }],
  ['problem', problem({ code: 'no_such_code' })],
  ['problem', problem({ code: 'not_found' })],
  [
    'method',
    problem({ status: 404, code: 'not_found' }, 404),
    { match: { operation: null, isKnownPath: true } },
  ],
  ['repetition', problem({ errors: { page: ['Too long', 'Too long'] } })],
  ['leak', problem({ detail: `at open (${process.cwd()}/server/db/open.ts:1:2)` })],
  ['leak', problem({ detail: 'duplicate key value violates unique constraint' })],
  ['headers', { ...good, headers: { ...HEADERS, 'cache-control': '' } }],
  ['headers', { ...good, headers: { ...HEADERS, 'x-request-id': 'a b' } }],
  ['headers', good, { requestId: 'another-request' }],
  ['access', good, { role: 'signed-out' }],
  ['access', refused, { role: 'expired' }],
])('finds a violation of "%s"', (invariant, answer, about) => {
  expect(found(answer, about)).toContain(invariant);
});
