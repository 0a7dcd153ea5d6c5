import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';

/** How long one run waits for transactions that began before an update, for all tables together. */
export const PATIENCE_MS = 5000;
const POLL_MS = 20;

/** How much longer this run may wait. */
export interface Patience {
  ms: number;
}

/**
 * Waits until no transaction can still see the rows from before an update, because CLUSTER would copy
 * them, too, and VACUUM would keep the marks of locks. Those in other databases count, because every
 * snapshot reaches back to the oldest one. Goes on after a while: a backup may read for hours, and
 * every table would wait for it.
 */
export async function pastTransactions(pool: pg.Pool, patience: Patience) {
  const { rows } = await pool.query<{ now: string }>('select pg_current_xact_id()::text as now');
  for (;;) {
    const { rowCount } = await pool.query(
      `select from pg_stat_activity where pid <> pg_backend_pid()
         and greatest(age(backend_xid), age(backend_xmin)) > age($1::xid8::xid)`,
      [rows[0]?.now],
    );
    if (rowCount === 0 || patience.ms <= 0) return;
    patience.ms -= POLL_MS;
    await pause(POLL_MS);
  }
}
