import { sql } from 'kysely';
import type { Keys } from '#server/anonymity/keys.ts';
import { unsealOrNull } from '#server/anonymity/seal.ts';
import type { Db } from '#server/db/open.ts';
import type { Job, JobName } from './payloads.ts';
import { JOB_NAMES } from './settings.ts';
import type { SealedPayload } from './work.ts';

interface StoredJob {
  readonly id: string;
  readonly name: JobName;
  readonly data: SealedPayload;
}

/** Payloads are sealed, so this opens all of them. Few are waiting at any time. */
export async function discard(
  trx: Db,
  keys: Pick<Keys, 'sealing'>,
  isMeant: (job: Job) => boolean,
): Promise<void> {
  const { rows } = await sql<StoredJob>`
    select id, name, data from pgboss.job
    where name = any(${JOB_NAMES}::text[]) and data is not null
  `.execute(trx);
  const ids = rows.filter((row) => open(keys, row).some(isMeant)).map(({ id }) => id);
  await sql`
    delete from pgboss.job where name = any(${JOB_NAMES}::text[]) and id = any(${ids}::uuid[])
  `.execute(trx);
}

/** Returns nothing if the sealing key is gone, since nobody will ever read it. */
function open(keys: Pick<Keys, 'sealing'>, { name, data }: StoredJob): Job[] {
  const payload = unsealOrNull(keys.sealing, 'job', Buffer.from(data.sealed, 'base64'));
  return payload === null ? [] : [{ name, payload } as Job];
}
