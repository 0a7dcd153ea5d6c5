import * as z from 'zod/mini';
import { ERRORS } from '#contract/errors.ts';
import { Problem } from '#contract/problem.ts';
import { requestId } from '#server/plugins/request-log.ts';
import type { Match } from './operations.ts';
import { type Role, refusalsFor } from './roles.ts';
import type { Answer } from './socket.ts';

/** What must hold for every response, besides what its route declares (`server/testing/app.ts`). */
export type Invariant =
  /** No request makes the server fail. */
  | 'failure'
  /** Every request gets a response. */
  | 'answer'
  /** Every rejection is a problem from the error table. */
  | 'problem'
  /** An undeclared method gets a response with Allow. */
  | 'method'
  /** No list of errors repeats a message. */
  | 'repetition'
  /** No response contains a stack, SQL, or a file path. */
  | 'leak'
  /** Every response has the security headers and a request id. */
  | 'headers'
  /** Nobody gets past the access that a route declares. */
  | 'access';

/** A request as it was sent, and its response. */
export interface Outcome {
  readonly role: Role;
  readonly method: string;
  /** The route, or a name for requests without one. */
  readonly route: string;
  readonly requestId: string | undefined;
  readonly match: Match | null;
  /** An error if there was no response, or no valid HTTP response. */
  readonly answer: Answer | Error;
}

interface Violation {
  readonly invariant: Invariant;
  readonly text: string;
}

/** Paths of the server, which no response may contain. */
const PATHS = [process.cwd(), 'node_modules/'];
/** Error texts of Node and PostgreSQL. Generated requests do not contain them, so echoes are fine. */
const LEAKS = [
  ...PATHS,
  '.ts:',
  '\n    at ',
  'sqlstate',
  'syntax error at',
  'violates ',
  'invalid input syntax',
  'invalid byte sequence',
  'relation "',
  'insert into "',
  ' from "',
];

type Report = (invariant: Invariant, kind: string | number, detail?: string) => void;

/** Checks one response. Returns every violation. */
export function violationsOf(outcome: Outcome): Violation[] {
  const { answer, route } = outcome;
  const violations: Violation[] = [];
  const report: Report = (invariant, kind, detail = '') => {
    violations.push({ invariant, text: `${invariant}: ${route}: ${kind} ${detail}`.slice(0, 600) });
  };
  if (answer instanceof Error) {
    report('answer', 'none', answer.message);
    return violations;
  }
  if (answer.status >= 500) report('failure', answer.status, answer.body);
  const isRefusal = answer.status >= 400 && /json/.test(answer.headers['content-type'] ?? '');
  for (const leak of isRefusal ? LEAKS : PATHS) {
    if (answer.body.toLowerCase().includes(leak)) report('leak', leak, answer.body);
  }
  if (isRefusal && outcome.method !== 'HEAD') checkProblem(answer, report);
  checkStatus(outcome, answer, report);
  checkHeaders(outcome, answer, report);
  return violations;
}

function checkProblem({ status, headers, body }: Answer, report: Report) {
  const problem = parseJson(body);
  const parsed = z.safeParse(Problem, problem);
  if (!parsed.success) {
    report('problem', `${status} not a problem`, body);
    return;
  }
  const { code, errors = {}, request_id } = parsed.data;
  const known = ERRORS[code as keyof typeof ERRORS];
  if (!known || known.status !== status || parsed.data.status !== status) {
    report('problem', `${status} ${code}`, body);
  }
  if (request_id !== headers['x-request-id']) report('headers', 'another request id', body);
  for (const [field, messages] of Object.entries(errors)) {
    if (new Set(messages).size < messages.length) {
      report('repetition', messages.join(' / '), `${field}: ${messages.join(' / ')}`);
    }
  }
}

/** Whether the access that the route declares, and its methods, explain the status. */
function checkStatus(
  { match, role, method }: Outcome,
  { status, headers }: Answer,
  report: Report,
) {
  if (!match) return;
  const { operation, isKnownPath } = match;
  if (operation) {
    const refusals = refusalsFor(role, operation.access);
    // Headers that are too long are rejected before the request has a route.
    const isExpected = status === 431 || !refusals || refusals.includes(status);
    if (!isExpected) report('access', `${role} got ${status}`);
    return;
  }
  const expected = method === 'OPTIONS' ? [204, 405] : [405];
  const isTold = expected.includes(status) && headers['allow'];
  if (isKnownPath && !isTold) report('method', `${method} is ${status}`);
}

const REQUIRED_HEADERS = [
  'content-security-policy',
  'cache-control',
  'x-content-type-options',
  'x-request-id',
];

function checkHeaders({ requestId: sent }: Outcome, { headers, status }: Answer, report: Report) {
  const missing = REQUIRED_HEADERS.filter((name) => !headers[name]);
  if (missing.length > 0) {
    report('headers', `${status} lacks ${missing.join(', ')}`);
    return;
  }
  if (headers['x-content-type-options'] !== 'nosniff') report('headers', 'sniffable');
  const id = headers['x-request-id'] ?? '';
  const accepted = (value: string) => requestId({ headers: { 'x-request-id': value } }) === value;
  if (!accepted(id)) report('headers', 'odd request id', id);
  else if (sent !== undefined && accepted(sent) && sent !== id)
    report('headers', 'lost request id');
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
