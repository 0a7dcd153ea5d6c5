import type { Selectable, Updateable } from 'kysely';
import { test as base, expect, onTestFinished } from 'vitest';
import type * as z from 'zod/mini';
import { type ApiPathInput, apiPath } from '#contract/api-path.ts';
import type { Answer, Argument, Endpoint, UrlInput } from '#contract/endpoint.ts';
import { reviewEndpoints } from '#contract/endpoints/reviews.ts';
import type { Problem } from '#contract/problem.ts';
import type { Review, ReviewRequest } from '#contract/reviews/reviews.ts';
import type { Role } from '#contract/staff-roles.ts';
import type { DB } from '#server/db/types.ts';
import { buildTestApp, type TestApp, type TestAppOptions } from './app.ts';
import type { TestAccount } from './factories.ts';
import * as factories from './factories.ts';

/** The response to a call of an endpoint. */
export interface Reply<E extends Endpoint> {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  /** The cookies that it sets: name -> value. */
  readonly cookies: Readonly<Record<string, string>>;
  /** The body as it was sent. */
  readonly text: string;
  /** The body of a success. Fails the test if the request was rejected. */
  readonly body: Answer<E>;
  /** The body of an error. Fails the test if the request succeeded. */
  readonly problem: Problem;
}

type With<Method extends Endpoint['method']> = Endpoint & { readonly method: Method };

/** The body, if the endpoint has one, and then the parameters and the query of its URL. */
type Sent<E extends Endpoint> = E extends { body: infer Schema extends z.ZodMiniType }
  ? [body: z.input<Schema>, ...Argument<UrlInput<E>>]
  : Argument<UrlInput<E>>;

/** Calls endpoints as one account, or as a visitor. */
export interface Client {
  get<const E extends With<'GET'>>(endpoint: E, ...sent: Sent<E>): Promise<Reply<E>>;
  post<const E extends With<'POST'>>(endpoint: E, ...sent: Sent<E>): Promise<Reply<E>>;
  patch<const E extends With<'PATCH'>>(endpoint: E, ...sent: Sent<E>): Promise<Reply<E>>;
  delete<const E extends With<'DELETE'>>(endpoint: E, ...sent: Sent<E>): Promise<Reply<E>>;
}

/** What a client sends with every call. */
interface ClientOptions {
  /** Its network address. */
  from?: string;
  headers?: Readonly<Record<string, string>>;
  cookies?: Readonly<Record<string, string>>;
}

type Signed = Pick<TestAccount, 'headers'>;

/** A running server with its database, and the people and places of a test. */
export interface Site extends TestApp {
  as(account: Signed, options?: ClientOptions): Client;
  /** Calls without a session. */
  visitor(options?: ClientOptions): Client;
  /** A signed-in doctor: by default one who is verified and may post. */
  doctor(profile?: factories.DoctorProfile): Promise<TestAccount>;
  /** A signed-in staff member: by default with all roles. */
  admin(roles?: readonly Role[]): Promise<TestAccount>;
  /** A signed-in representative: by default one whom a curator has approved. */
  representative(
    employer: number,
    details?: Parameters<typeof factories.signedInRepresentative>[2],
  ): Promise<TestAccount>;
  /** A new employer's id. */
  employer(fields?: object): Promise<number>;
  /** A published review: by default by a new doctor, at a new employer. */
  review(details?: Partial<ReviewRequest> & { by?: Signed; at?: number }): Promise<Review>;
  /** The rows of a table with these values, with all columns or with these. */
  rows<T extends keyof DB, Column extends keyof Row<T> = keyof Row<T>>(
    table: T,
    where?: Partial<Row<T>>,
    columns?: Column[],
  ): Promise<Pick<Row<T>, Column>[]>;
  /** Changes the rows of a table that have these values. */
  change<T extends keyof DB>(
    table: T,
    where: Partial<Row<T>>,
    changes: Updateable<DB[T]>,
  ): Promise<void>;
  /** Advances the server's clock. */
  pass(ms: number): void;
  /** Runs a job that has a schedule. */
  run(job: 'retention' | 'reviews-due' | 'refresh-titles'): Promise<void>;
}

type Row<T extends keyof DB> = Selectable<DB[T]>;

export { expect };

/** The parameters of an endpoint about one thing. */
export const at = <Id extends string | number>(id: Id) => ({ params: { id } });

/** A value that the endpoint's type forbids, for tests of what the server rejects. */
export const invalid = (value: unknown) => value as never;

const siteOf = (server: TestApp): Site => {
  const client = (options: ClientOptions): Client => {
    const call = async <E extends Endpoint>(endpoint: E, ...sent: unknown[]): Promise<Reply<E>> => {
      const { method, body } = endpoint;
      const [payload, url] = body ? sent : [undefined, ...sent];
      const { params, query = {} } = (url ?? {}) as ApiPathInput;
      // Sends empty values, too, which `apiPath` leaves out of the query.
      const given = Object.entries(query).flatMap(([name, value]) =>
        value === undefined || value === null ? [] : [[name, String(value)]],
      );
      const answer = await server.app.inject({
        method,
        url: `/api${apiPath(endpoint, params && { params })}`,
        query: Object.fromEntries(given),
        ...((options.headers || payload instanceof File) && {
          headers: {
            ...options.headers,
            ...(payload instanceof File && { 'content-type': 'application/octet-stream' }),
          },
        }),
        ...(options.cookies && { cookies: options.cookies }),
        ...(options.from && { remoteAddress: options.from }),
        ...(payload !== undefined && {
          payload:
            payload instanceof File
              ? Buffer.from(await payload.arrayBuffer())
              : (payload as object),
        }),
      });
      return replyOf<E>(answer);
    };
    return { get: call, post: call, patch: call, delete: call };
  };
  const site: Site = {
    ...server,
    as: ({ headers }, options = {}) =>
      client({ ...options, headers: { ...headers, ...options.headers } }),
    visitor: (options = {}) => client(options),
    doctor: (profile) => factories.signedInDoctor(server, profile),
    admin: (roles) => factories.signedInAdmin(server, roles),
    representative: (employer, details) =>
      factories.signedInRepresentative(server, employer, details),
    employer: (fields) => factories.newEmployer(server, fields),
    async review({ by, at, ...fields } = {}) {
      const author = by ?? (await site.doctor());
      const employer = at ?? (await site.employer());
      const review = factories.reviewOf(employer, fields);
      return (await site.as(author).post(reviewEndpoints.create, review)).body;
    },
    async rows(table: keyof DB, where = {}, columns?: never[]) {
      const rows = server.deps.db.selectFrom(table).where((row) => row.and(where));
      return (await (columns ? rows.select(columns) : rows.selectAll()).execute()) as never;
    },
    async change(table: keyof DB, where, changes) {
      const rows = server.deps.db.updateTable(table).set(changes as never);
      await rows.where((row) => row.and(where)).execute();
    },
    pass(ms) {
      server.time.now = new Date(server.time.now.getTime() + ms);
    },
    async run(job) {
      await server.deps.jobs.enqueue(server.deps.db, job, {});
      await server.jobs.idle();
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
  return site;
};

type Injected = Awaited<ReturnType<TestApp['app']['inject']>>;

function replyOf<E extends Endpoint>(answer: Injected): Reply<E> {
  const { statusCode: status, body: text, headers } = answer;
  const json = () => (text === '' ? null : JSON.parse(text));
  const [, name] = /filename="(.+)"/.exec(String(headers['content-disposition'])) ?? [];
  const isJson = /json/.test(String(headers['content-type']));
  const content = () =>
    name === undefined || isJson
      ? json()
      : new File([answer.rawPayload as Buffer<ArrayBuffer>], name, {
          type: String(headers['content-type']),
        });
  return {
    status,
    headers,
    cookies: Object.fromEntries(answer.cookies.map(({ name, value }) => [name, value])),
    text,
    get body() {
      expect(status, text).toBeLessThan(400);
      return content();
    },
    get problem() {
      expect(status, text).toBeGreaterThanOrEqual(400);
      return json();
    },
  };
}

type OnCleanup = (cleanup: () => PromiseLike<void>) => void;

/** A fixture that starts a site. */
const starting =
  (options: TestAppOptions) =>
  // biome-ignore lint/correctness/noEmptyPattern: Vitest reads a fixture's needs from its pattern.
  async ({}, { onCleanup }: { onCleanup: OnCleanup }): Promise<Site> => {
    const server = await buildTestApp(options);
    onCleanup(() => server[Symbol.asyncDispose]());
    return siteOf(server);
  };

let shared: Promise<TestApp> | undefined;
let closed: Promise<void> | undefined;

/**
 * The fixture of the worker's site. Files share their modules, but Vitest sets up a worker's fixture
 * again for each file that extends `test`.
 */
// biome-ignore lint/correctness/noEmptyPattern: Vitest reads a fixture's needs from its pattern.
const sharedSite = async ({}, { onCleanup }: { onCleanup: OnCleanup }): Promise<Site> => {
  shared ??= buildTestApp();
  const server = await shared;
  onCleanup(() => {
    closed ??= Promise.resolve(server[Symbol.asyncDispose]());
    return closed;
  });
  return siteOf(server);
};

/** Each test begins without mail and at the present time, and ends with a check of all responses. */
const eachTest = async (
  { site }: { site: Site },
  { onCleanup }: { onCleanup: (check: () => void) => void },
) => {
  // Mail of the test before may still be on its way.
  await site.jobs.idle();
  // The rewrite that earlier tests have asked for is due ten minutes later, amid another test.
  await site.jobs.discard(site.deps.db, ({ name }) => name === 'rewrite');
  site.mail.length = 0;
  site.time.now = new Date();
  onCleanup(() => site.expectDeclaredAnswers());
};

/**
 * Tests share one site per worker, with everything that earlier tests have left in its database: a
 * test makes its own people and employers, and looks only at those.
 */
export const test = base
  .extend('site', { scope: 'worker' }, sharedSite)
  .extend('eachTest', { auto: true }, eachTest);

/** Like `test`, but its file has a site of its own, with an empty database and these options. */
export const testWith = (options: TestAppOptions = {}) =>
  base
    .extend('site', { scope: 'file' }, starting(options))
    .extend('eachTest', { auto: true }, eachTest);

/** A site with an empty database, which ends with the running test. */
export async function newSite(options: TestAppOptions = {}): Promise<Site> {
  const server = await buildTestApp(options);
  onTestFinished(() => server[Symbol.asyncDispose]());
  return siteOf(server);
}
