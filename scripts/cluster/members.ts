import { deriveKeys } from '#server/anonymity/keys.ts';
import { loadConfig } from '#server/config/config.ts';
import { openDatabase } from '#server/db/open.ts';
import { reviewOf, signedInDoctor } from '#server/testing/factories.ts';
import type { Server } from './server.ts';

export interface Writer {
  readonly headers: Readonly<Record<string, string>>;
}

/** Signs in doctors who may post. */
export async function openWriters(site: Record<string, string>, count: number): Promise<Writer[]> {
  const config = loadConfig(site);
  const database = openDatabase({ connectionString: site['DATABASE_URL'] }, () => {});
  const keys = deriveKeys(config.secrets);
  const deps = { config, database, db: database.db, keys, clock: () => new Date() };
  try {
    const signIn = () => signedInDoctor({ deps } as never);
    return await Promise.all(Array.from({ length: count }, signIn));
  } finally {
    await database.close();
  }
}

/** A name without digits, which could look like a phone number. */
export const newClinic = (): string =>
  `Clinic ${crypto.randomUUID().replace(/\d/g, (digit) => 'ghijklmnop'.charAt(Number(digit)))}`;

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Record<string, unknown>;
}

/** Calls the API. */
export async function call(
  { url }: Server,
  method: string,
  path: string,
  { headers }: Writer,
  payload?: object,
): Promise<Answer> {
  const answer = await fetch(`${url}/api${path}`, {
    method,
    headers: { ...headers, ...(payload && { 'content-type': 'application/json' }) },
    ...(payload && { body: JSON.stringify(payload) }),
  });
  const text = await answer.text();
  const body: Record<string, unknown> = text === '' ? {} : JSON.parse(text);
  return { status: answer.status, headers: answer.headers, body };
}

/** Adds an employer and posts a review of it. Returns the first error response, if any. */
export async function postReview(server: Server, writer: Writer, name: string): Promise<Answer> {
  const added = await call(server, 'POST', '/employers/custom/', writer, { name });
  if (added.status >= 300) return added;
  return call(server, 'POST', '/reviews/', writer, reviewOf(Number(added.body['id'])));
}
