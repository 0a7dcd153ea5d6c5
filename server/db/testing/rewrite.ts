import type pg from 'pg';
import * as nightly from '../rewrite.ts';

/** Transactions of other tests on the same PostgreSQL may take this long. */
const PATIENCE_MS = 100_000;

/** The nightly rewrite, which waits for other tests' transactions, so that nothing old is left. */
export const rewriteTables = (pool: pg.Pool): Promise<void> =>
  nightly.rewriteTables(pool, PATIENCE_MS);
