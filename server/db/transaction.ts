import type { Db } from './open.ts';

/** Does the work in the caller's transaction, or in one of its own where there is none. */
export function inTransaction<T>(db: Db, work: (trx: Db) => Promise<T>): Promise<T> {
  return db.isTransaction ? work(db) : db.transaction().execute(work);
}
