import { toMonth } from '#server/anonymity/coarse-time.ts';
import type { Keys } from '#server/anonymity/keys.ts';
import type { Db } from '#server/db/open.ts';
import type { Deps } from '#server/deps.ts';

/** A domain's proofs in a month, without the domain. */
export interface MailboxQuota {
  /** In hexadecimal. */
  readonly mark: string;
  readonly month: string;
  /** How many proofs count. */
  readonly limit: number;
}

/**
 * Whoever runs a mail domain has all its mailboxes, and learns from each proof whether the NPI was
 * proven before. So only some count by themselves; the others wait for an administrator.
 */
export function quotaOf(
  { config, keys, clock }: Pick<Deps, 'config' | 'clock'> & { keys: Pick<Keys, 'mailboxQuota'> },
  { domain, proofs_per_month }: { domain: string; proofs_per_month: number | null },
): MailboxQuota {
  const month = toMonth(clock());
  const limit = proofs_per_month ?? config.mailboxProofsPerMonth;
  return { mark: keys.mailboxQuota(`${domain}/${month}`).toString('hex'), month, limit };
}

/** Counts a proof, whatever its outcome. False if it came after the quota. */
export async function takeQuota(trx: Db, { mark, month, limit }: MailboxQuota): Promise<boolean> {
  if (limit === 0) return false;
  const taken = await trx
    .insertInto('mailbox_quotas')
    .values({ mark: Buffer.from(mark, 'hex'), month, used: 1 })
    .onConflict((conflict) =>
      conflict
        .column('mark')
        .doUpdateSet((eb) => ({ used: eb('mailbox_quotas.used', '+', 1) }))
        .where('mailbox_quotas.used', '<', limit),
    )
    .returning('used')
    .executeTakeFirst();
  return taken !== undefined;
}

/** Deletes the counts of former months. */
export async function deleteEndedQuotas(db: Db, today: string): Promise<void> {
  const month = toMonth(new Date(today));
  await db.deleteFrom('mailbox_quotas').where('month', '<', month).execute();
}
