import { toMonth } from '#server/anonymity/coarse-time.ts';
import type { Keys } from '#server/anonymity/keys.ts';
import type { Db } from '#server/db/open.ts';
import { anyOf } from '#server/db/statements.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { Deps } from '#server/deps.ts';

type QuotaKeys = Pick<Keys, 'mailboxQuotas'>;

/** A domain's proofs in a month, without the domain. */
export interface MailboxQuota {
  /** In hexadecimal. */
  readonly mark: string;
  /** The marks under older keys, during a rotation. */
  readonly older?: readonly string[];
  readonly month: string;
  /** How many proofs count. */
  readonly limit: number;
}

/**
 * Whoever runs a mail domain has all its mailboxes, and learns from each proof whether the NPI was
 * proven before. So only some count by themselves; the others wait for an administrator.
 */
export function quotaOf(
  { config, keys, clock }: Pick<Deps, 'config' | 'clock'> & { keys: QuotaKeys },
  { domain, proofs_per_month }: { domain: string; proofs_per_month: number | null },
): MailboxQuota {
  const month = toMonth(clock());
  const limit = proofs_per_month ?? config.mailboxProofsPerMonth;
  return { ...marksOf(keys, domain, month), month, limit };
}

function marksOf(keys: QuotaKeys, domain: string, month: string) {
  const marks = keys.mailboxQuotas(`${domain}/${month}`).map((mark) => mark.toString('hex'));
  const [mark = '', ...older] = marks;
  return { mark, older };
}

/** Counts a proof, whatever its outcome. False if it came after the quota. */
export async function takeQuota(trx: Db, quota: MailboxQuota): Promise<boolean> {
  const { mark, month, limit } = quota;
  if (limit === 0) return false;
  await moveCounts(trx, quota);
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

/** Moves what was counted under older keys to the current one. Returns how many counts moved. */
async function moveCounts(
  trx: Db,
  { mark, older = [], month }: Omit<MailboxQuota, 'limit'>,
): Promise<number> {
  if (older.length === 0) return 0;
  const marks = older.map((one) => Buffer.from(one, 'hex'));
  const moved = await trx
    .deleteFrom('mailbox_quotas')
    .where('mark', '=', anyOf('bytea', marks))
    .returning('used')
    .execute();
  if (moved.length === 0) return 0;
  const used = moved.reduce((sum, row) => sum + row.used, 0);
  await trx
    .insertInto('mailbox_quotas')
    .values({ mark: Buffer.from(mark, 'hex'), month, used })
    .onConflict((conflict) =>
      conflict
        .column('mark')
        .doUpdateSet((eb) => ({ used: eb('mailbox_quotas.used', '+', eb.ref('excluded.used')) })),
    )
    .execute();
  return moved.length;
}

/**
 * Moves the counts of all domains to the current authorship key, and deletes waiting codes, which may
 * count under an older one. Returns how many counts moved.
 */
export async function rekeyQuotas({ db, keys }: Pick<Deps, 'db' | 'keys'>): Promise<number> {
  await db.deleteFrom('mailbox_codes').execute();
  const rows = await db.selectFrom('mailbox_quotas').select(['mark', 'month']).execute();
  const domains = await db.selectFrom('institution_domains').select('domain').execute();
  const counted = new Set(rows.map(({ mark }) => mark.toString('hex')));
  let moved = 0;
  for (const month of new Set(rows.map((row) => row.month))) {
    for (const { domain } of domains) {
      const marks = marksOf(keys, domain, month);
      if (!marks.older.some((mark) => counted.has(mark))) continue;
      moved += await inTransaction(db, (trx) => moveCounts(trx, { ...marks, month }));
    }
  }
  return moved;
}

/** Deletes the counts of former months. */
export async function deleteEndedQuotas(db: Db, today: string): Promise<void> {
  const month = toMonth(new Date(today));
  await db.deleteFrom('mailbox_quotas').where('month', '<', month).execute();
}
