import { toDay } from '#server/anonymity/coarse-time.ts';
import type { Db } from '#server/db/open.ts';
import type { Clock } from '#server/deps.ts';

/** An action of an administrator or a command, and its subject. Never names an author. */
export interface Act {
  /** `cli`, or the id of the administrator's account. */
  readonly actor: string;
  readonly action: string;
  readonly subject: string;
  readonly details?: Readonly<Record<string, number | string | boolean>>;
}

/** Adds an entry to the audit log, in the transaction of the action. */
export async function recordAct(db: Db, clock: Clock, { details, ...act }: Act): Promise<void> {
  await db
    .insertInto('audit_log')
    .values({
      ...act,
      happened_on: toDay(clock()),
      ...(details && { details: JSON.stringify(details) }),
    })
    .execute();
}
