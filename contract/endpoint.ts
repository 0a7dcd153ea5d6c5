import type * as z from 'zod/mini';
import type { Role } from './staff-roles.ts';

/**
 * Who may call an endpoint:
 * - `public`: anyone. The server does not check who calls, so all callers get the same answer and
 *   it can be cached.
 * - `signed-in`: an account.
 * - `reader`: an account that does not represent an employer.
 * - `representative`: an employer's representative, approved by a curator.
 * - `verified`: a doctor verified by an administrator or the registry.
 * - `poster`: a verified doctor who may also post reviews.
 * - `staff`: a staff member in any role.
 * - a role: a staff member with that role (contract/office/staff.ts).
 */
export type Access =
  | 'public'
  | 'signed-in'
  | 'reader'
  | 'representative'
  | 'verified'
  | 'poster'
  | OfficeAccess;

/** Access levels that require the second factor, for staff who have one. */
export type OfficeAccess = 'staff' | Role;

/**
 * An endpoint of the API. It determines the server's route (server/plugins/route.ts), its OpenAPI
 * entry, the typed call in the browser (web/lib/api.ts), and whether a call needs a session.
 */
export interface Endpoint {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Under `/api`, with parameters such as `:id`. */
  readonly path: string;
  readonly access: Access;
  readonly params?: z.ZodMiniType;
  readonly query?: z.ZodMiniType;
  readonly body?: z.ZodMiniType;
  /** Status -> body, except for errors. The lowest status is the default. */
  readonly answers: Readonly<Record<number, z.ZodMiniType>>;
  /** The media type of the body, and of the answer, if it is not JSON. */
  readonly consumes?: string;
  readonly produces?: string;
  /** Error statuses that do not follow from the input, the access, or the method. */
  readonly errors?: readonly number[];
  /** The account limit that a call counts toward, instead of `write` (server/rate-limits). */
  readonly rateLimit?: string;
  /** The error text for callers without access, if the general one is not enough. */
  readonly denial?: string;
  /**
   * Which second factor an office endpoint requires, instead of a code within the last 12 hours:
   * `fresh`, a code within the last 5 minutes; `none`, for entering one.
   */
  readonly factor?: 'fresh' | 'none';
  /** A 400 also repeats its field errors at the top level of the problem. */
  readonly fieldsAtTopLevel?: true;
}

export type Endpoints = Readonly<Record<string, Endpoint>>;

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

/** What the browser knows about an endpoint: vite.config.ts strips everything else. */
export type Target = Pick<Endpoint, 'method' | 'path' | 'access'>;

type BodyOf<Schema> = Schema extends z.ZodMiniType ? z.output<Schema> : never;

/** What a successful call returns. */
export type Answer<E extends Endpoint> = BodyOf<
  E['answers'][keyof E['answers'] & (200 | 201 | 204)]
>;

/** What a handler may return, including the body of a redirect. */
export type AnyAnswer<E extends Endpoint> = BodyOf<E['answers'][keyof E['answers']]>;

type ParamNames<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | ParamNames<Rest>
  : never;

type ParamsInput<E extends Endpoint> = [ParamNames<E['path']>] extends [never]
  ? unknown
  : { params: Readonly<Record<ParamNames<E['path']>, string | number>> };

export type QueryValue = string | number | boolean | null | undefined;

/** The names are checked. The values are often what a visitor typed; the API checks those. */
type QueryInput<E extends Endpoint> = E extends { query: infer Schema extends z.ZodMiniType }
  ? OptionalIfEmpty<'query', { readonly [Name in keyof z.input<Schema>]: QueryValue }>
  : unknown;

type OptionalIfEmpty<Name extends string, Value> =
  Partial<Value> extends Value ? { [N in Name]?: Value } : { [N in Name]: Value };

type BodyInput<E extends Endpoint> = E extends { body: infer Schema extends z.ZodMiniType }
  ? { body: z.input<Schema> }
  : unknown;

/** What the URL of a call is made from. */
export type UrlInput<E extends Endpoint> = ParamsInput<E> & QueryInput<E>;

/** Everything a call sends. */
export type Input<E extends Endpoint> = UrlInput<E> & BodyInput<E>;

/** A last argument that may be left out if nothing in it is required. */
export type Argument<Value> = Partial<Value> extends Value ? [Value?] : [Value];
