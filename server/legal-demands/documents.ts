import { sql } from 'kysely';
import type { Keys } from '#server/anonymity/keys.ts';
import { currentKey, sealBytes, unsealBytes } from '#server/anonymity/seal.ts';
import type { Db } from '#server/db/open.ts';

/** Documents are padded to a multiple of this, after a byte that ends them (ISO/IEC 7816-4). */
const BLOCK_BYTES = 64 * 1024;
const END = 0x80;

const contextOf = (demandId: string) => `legal-document/${demandId}`;

/** Seals the document of a demand. */
export async function sealDocument(
  keys: Pick<Keys, 'sealing'>,
  demandId: string,
  file: Blob,
): Promise<Buffer> {
  const padded = Buffer.alloc(Math.ceil((file.size + 1) / BLOCK_BYTES) * BLOCK_BYTES);
  padded.set(new Uint8Array(await file.arrayBuffer()));
  padded[file.size] = END;
  return sealBytes(currentKey(keys.sealing), contextOf(demandId), padded);
}

/** Stores a sealed document, in place of an earlier one. */
export async function putDocument(trx: Db, demand_id: string, sealed: Buffer): Promise<void> {
  await trx
    .insertInto('legal_documents')
    .values({ demand_id, sealed })
    .onConflict((conflict) =>
      conflict.column('demand_id').doUpdateSet({ sealed, id: sql`gen_random_uuid()` }),
    )
    .execute();
}

/** The document of a demand; null without one. */
export async function openDocument(
  keys: Pick<Keys, 'sealing'>,
  db: Db,
  demandId: string,
): Promise<Buffer<ArrayBuffer> | null> {
  const row = await db
    .selectFrom('legal_documents')
    .select('sealed')
    .where('demand_id', '=', demandId)
    .executeTakeFirst();
  if (!row) return null;
  const padded = unsealBytes(keys.sealing, contextOf(demandId), row.sealed);
  return padded.subarray(0, padded.lastIndexOf(END));
}

/**
 * Reseals all documents under the current sealing key, one at a time, except those that are
 * replaced or deleted at the same time.
 */
export async function resealDocuments({ db, keys }: { db: Db; keys: Keys }): Promise<void> {
  const key = currentKey(keys.sealing);
  const rows = await db
    .selectFrom('legal_documents')
    .select(['id', 'demand_id'])
    .where(
      sql<boolean>`convert_from(substring(sealed from 3 for get_byte(substring(sealed for 2), 1)), 'utf8') <> ${key.id}`,
    )
    .execute();
  for (const { id, demand_id } of rows) {
    const document = db.selectFrom('legal_documents').select('sealed').where('id', '=', id);
    const row = await document.executeTakeFirst();
    if (!row) continue;
    const context = contextOf(demand_id);
    const sealed = sealBytes(key, context, unsealBytes(keys.sealing, context, row.sealed));
    await db.updateTable('legal_documents').set({ sealed }).where('id', '=', id).execute();
  }
}
