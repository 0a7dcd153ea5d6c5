import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import type { Section } from './archive.ts';

/** The rows that a `copy … to stdout` returns. */
export function sectionOf(
  client: pg.ClientBase,
  name: string,
  columns: readonly string[],
  copy: string,
): Section {
  let count = Number.NaN;
  async function* rows(): AsyncGenerator<Buffer> {
    const stream = client.query(copyTo(copy));
    yield* stream;
    count = stream.rowCount;
  }
  return { name, columns, rows: rows(), count: () => count };
}

/**
 * Runs a `copy … from stdin`. Returns the number of rows. Rethrows errors from reading the rows,
 * and throws an AbortError when stopped; PostgreSQL would only report that the copy failed.
 */
export async function copyIn(
  client: pg.ClientBase,
  copy: string,
  rows: AsyncIterable<Buffer>,
  signal?: AbortSignal,
): Promise<number> {
  let cause: unknown;
  async function* watched() {
    try {
      for await (const chunk of rows) {
        signal?.throwIfAborted();
        yield chunk;
      }
    } catch (error) {
      cause = error;
      throw error;
    }
  }
  const stream = client.query(copyFrom(copy));
  await pipeline(watched(), stream).catch((error: unknown) => {
    throw cause ?? error;
  });
  return stream.rowCount;
}
