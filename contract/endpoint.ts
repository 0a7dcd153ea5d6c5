import type * as z from 'zod/mini';

/**
 * Who may call an endpoint:
 * - `public`: anyone. The server does not look at who calls, so all callers get the same answer and
 *   it can be cached.
 * - `signed-in`: an account.
 * - `verified`: a doctor whom an administrator or the registry has verified.
 * - `poster`: a verified doctor who also may post reviews.
 * - `admin`: an administrator.
 */
export type Access = 'public' | 'signed-in' | 'verified' | 'poster' | 'admin';

/**
 * An endpoint of the API. The server's route (server/plugins/route.ts), and its OpenAPI entry
 * follow from it.
 */
export interface Endpoint {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Under `/api`, with parameters as `:id`. */
  readonly path: string;
  readonly access: Access;
  readonly params?: z.ZodMiniType;
  readonly query?: z.ZodMiniType;
  readonly body?: z.ZodMiniType;
  /** Status -> body, for everything but errors. The lowest status is the default. */
  readonly answers: Readonly<Record<number, z.ZodMiniType>>;
  /** Error statuses that do not follow from the input, the access, or the method. */
  readonly errors?: readonly number[];
  /** The account limit that a call counts toward, instead of `write` (server/rate-limits). */
  readonly rateLimit?: string;
  /** The error text for callers who lack the access, where the general one is not enough. */
  readonly denial?: string;
  /** A 400 also repeats its field messages at the top level of the problem. */
  readonly fieldsAtTopLevel?: true;
}

type Definition = Omit<Endpoint, 'method' | 'path' | 'access'>;

const withMethod =
  <const Method extends Endpoint['method']>(method: Method) =>
  <const Path extends string, const Who extends Access, const Rest extends Definition>(
    path: Path,
    access: Who,
    rest: Rest,
  ) => ({ method, path, access, ...rest });

export const get = withMethod('GET');
export const post = withMethod('POST');
export const patch = withMethod('PATCH');
export const del = withMethod('DELETE');

type BodyOf<Schema> = Schema extends z.ZodMiniType ? z.output<Schema> : never;

/** What a handler may return: redirects have a body, too. */
export type AnyAnswer<E extends Endpoint> = BodyOf<E['answers'][keyof E['answers']]>;
