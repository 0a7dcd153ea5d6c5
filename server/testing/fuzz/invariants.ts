import type { Match } from './operations.ts';
import type { Role } from './roles.ts';
import type { Answer } from './socket.ts';

/** Must hold for every response, and for the server process and its database. */
export const INVARIANTS = {
  failure: 'no request makes the server fail',
  answer: 'every request gets a response',
  problem: 'every rejection is a problem from the error table',
  status: 'every status is declared for its route',
  method: 'an undeclared method gets a response with Allow',
  schema: 'every success satisfies the declared schema',
  repetition: 'no list of errors repeats a message',
  leak: 'no response contains a stack, SQL, or a file path',
  headers: 'every response has the security headers and a request id',
  access: 'nobody gets past the access that a route declares',
  stall: 'no request stalls the event loop',
  log: 'the log contains nothing from requests',
  coverage: 'every operation has succeeded at least once',
  statements: 'the number of SQL texts is bounded',
  heap: 'the memory of the process is flat',
  backends: 'the memory of the database backends is flat',
} as const;
export type Invariant = keyof typeof INVARIANTS;

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

export interface Violation {
  readonly invariant: Invariant;
  readonly route: string;
  /** Distinguishes failures of the same invariant and route. */
  readonly kind: string;
  readonly detail: string;
}
