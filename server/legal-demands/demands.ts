import { type Insertable, type Selectable, sql } from 'kysely';
import type { DemandKind, DemandOutcome } from '#contract/legal-demands/legal-demand-choices.ts';
import type { OwnLegalDemand } from '#contract/legal-demands/legal-demands.ts';
import type { Keys } from '#server/anonymity/keys.ts';
import { currentKey, sealBytes, unsealBytes } from '#server/anonymity/seal.ts';
import type { Db } from '#server/db/open.ts';
import { anyOf } from '#server/db/statements.ts';
import type { DB } from '#server/db/types.ts';
import { selectPage } from '#server/listing/page.ts';

export interface DemandRow extends Selectable<DB['legal_demands']> {
  /** Changes whenever the document is replaced. */
  readonly document_id: string | null;
}

const COLUMNS = [
  'id',
  'kind',
  'received_on',
  'jurisdiction',
  'sender',
  'docket',
  'due_on',
  'gagged',
  'review_id',
  'outcome',
  'decided_on',
  sql<string | null>`(select id from legal_documents where demand_id = legal_demands.id)`.as(
    'document_id',
  ),
] as const;

type NewDemand = Insertable<DB['legal_demands']>;

/** One page of all demands, most recently received first, and the number on all pages. */
export function selectDemands(
  db: Db,
  query: { page: number; page_size: number },
): Promise<{ rows: DemandRow[]; count: number }> {
  const demands = db
    .selectFrom('legal_demands')
    .select(COLUMNS)
    .orderBy('received_on', 'desc')
    .orderBy('id');
  return selectPage(db, demands, query);
}

export const selectDemandsByIds = (db: Db, ids: readonly string[]): Promise<DemandRow[]> =>
  db.selectFrom('legal_demands').select(COLUMNS).where('id', '=', anyOf('uuid', ids)).execute();

/** Locks a demand until the transaction ends. */
export const lockDemand = (trx: Db, id: string): Promise<DemandRow | undefined> =>
  trx
    .selectFrom('legal_demands')
    .select(COLUMNS)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();

export const insertDemand = (trx: Db, demand: NewDemand): Promise<DemandRow> =>
  trx.insertInto('legal_demands').values(demand).returning(COLUMNS).executeTakeFirstOrThrow();

export const updateDemand = (
  trx: Db,
  id: string,
  change: Partial<Pick<DemandRow, 'outcome' | 'decided_on' | 'gagged' | 'review_id' | 'due_on'>>,
): Promise<DemandRow> =>
  trx
    .updateTable('legal_demands')
    .set(change)
    .where('id', '=', id)
    .returning(COLUMNS)
    .executeTakeFirstOrThrow();

/**
 * What authors read about the demands that name these reviews, by review, most recently received
 * first. Nothing if the law forbids telling (legal_demands_by_review).
 */
export async function noticesAbout(
  db: Db,
  reviewIds: readonly string[],
): Promise<Map<string, OwnLegalDemand[]>> {
  const rows = await db
    .selectFrom('legal_demands')
    .select(['review_id', 'kind', 'received_on', 'outcome', 'decided_on'])
    .where('review_id', '=', anyOf('uuid', reviewIds))
    .where('gagged', '=', false)
    .orderBy('received_on', 'desc')
    .orderBy('id')
    .execute();
  const notices = new Map<string, OwnLegalDemand[]>();
  for (const { review_id, kind, outcome, ...days } of rows) {
    const notice = {
      kind: kind as DemandKind,
      outcome: outcome as DemandOutcome | null,
      ...days,
    };
    if (review_id !== null) notices.set(review_id, [...(notices.get(review_id) ?? []), notice]);
  }
  return notices;
}

/** All demands about reviews, for joins. */
export const DEMANDED = sql`select id, review_id from legal_demands where review_id is not null`;

/** Documents are padded to a multiple of this, after a byte that ends them (ISO/IEC 7816-4). */
const DOCUMENT_BLOCK_BYTES = 64 * 1024;
const END = 0x80;

const documentContext = (demandId: string) => `legal-document/${demandId}`;

/** Seals the document of a demand. */
export async function sealDocument(
  keys: Pick<Keys, 'sealing'>,
  demandId: string,
  file: Blob,
): Promise<Buffer> {
  const padded = Buffer.alloc(
    Math.ceil((file.size + 1) / DOCUMENT_BLOCK_BYTES) * DOCUMENT_BLOCK_BYTES,
  );
  padded.set(new Uint8Array(await file.arrayBuffer()));
  padded[file.size] = END;
  return sealBytes(currentKey(keys.sealing), documentContext(demandId), padded);
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
  const padded = unsealBytes(keys.sealing, documentContext(demandId), row.sealed);
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
    const context = documentContext(demand_id);
    const sealed = sealBytes(key, context, unsealBytes(keys.sealing, context, row.sealed));
    await db.updateTable('legal_documents').set({ sealed }).where('id', '=', id).execute();
  }
}
