import type { SealingKey } from '../keys.ts';
import { SealError, sealedWith, unseal } from '../seal.ts';
import type { Dump, DumpedRow } from './dump.ts';
import type { Thief } from './thief.ts';

/** The column for the opened salt of an account. */
export const OPENED_SALT = 'opened_salt';

/** Adds what the keys open to each row, as `opened`. */
export function openDump(dump: Dump, { keys }: Thief): Dump {
  const session: SealingKey = { id: 's', key: keys.sessionKey('session-seal') };
  const sealing = [...keys.sealing, session, ...keys.savedLists];
  return withColumns(dump, (_table, { columns }) => {
    const opened = openRow(sealing, columns);
    const salt = openSalt(keys.authorSalts, columns);
    return {
      ...(opened !== undefined && { opened }),
      ...(salt !== undefined && { [OPENED_SALT]: salt }),
    };
  });
}

/** The tables of reviews. */
const REVIEWS = ['public.reviews', 'public.scheduled_reviews'];

/** Adds to each review what its author's row shows, as anyone can join the two. */
export function withAuthors(dump: Dump): Dump {
  const authors = new Map(
    dump.tables.get('public.review_authors')?.map((row) => [row.columns['review_id'], row]),
  );
  return withColumns(dump, (table, { columns }) => {
    const author = REVIEWS.includes(table) ? authors.get(columns['id']) : undefined;
    if (!author) return {};
    const { author_key, job } = author.columns;
    return { author_key, job, author_xmin: `transaction ${author.xmin}` };
  });
}

/** Adds columns to each row of a dump. */
export function withColumns(dump: Dump, more: (table: string, row: DumpedRow) => object): Dump {
  const tables = [...dump.tables].map(([table, rows]): [string, DumpedRow[]] => [
    table,
    rows.map((row) => ({ ...row, columns: { ...row.columns, ...more(table, row) } })),
  ]);
  return { ...dump, tables: new Map(tables) };
}

function openRow(keys: readonly SealingKey[], columns: DumpedRow['columns']): unknown {
  const data = columns['data'] as { sealed?: string } | null | undefined;
  const sealed = data?.sealed ? Buffer.from(data.sealed, 'base64') : bytesOf(columns['sealed']);
  if (!sealed) return undefined;
  const hex = (name: string) => String(columns[name] ?? '').slice(2);
  return openAny(keys, sealed, [
    'job',
    `user/${columns['id']}`,
    String(columns['id']),
    `code/${hex('address_key')}`,
    `reset/${hex('token_hash')}`,
    `email-change/${hex('account_key')}`,
    `email-undo/${hex('token_hash')}`,
    `tombstone/${hex('npi_index')}`,
    `saved-list/${columns['user_id']}`,
  ]);
}

function openSalt(keys: readonly SealingKey[], columns: DumpedRow['columns']): unknown {
  const sealed = bytesOf(columns['author_salt']);
  return sealed ? openAny(keys, sealed, [`author-salt/${columns['id']}`]) : undefined;
}

export function openAny(keys: readonly SealingKey[], sealed: Buffer, contexts: readonly string[]) {
  const id = sealedWith(sealed);
  if (!keys.some((key) => key.id === id)) return undefined;
  for (const context of contexts) {
    try {
      return unseal<unknown>(keys, context, sealed);
    } catch (error) {
      if (!(error instanceof SealError)) throw error;
    }
  }
  return undefined;
}

/** Parses a column of bytes in a dump. */
export const bytesOf = (value: unknown) =>
  typeof value === 'string' && value.startsWith('\\x') ? Buffer.from(value.slice(2), 'hex') : null;

/** Formats bytes as in a dump. */
export const dumpedBytes = (bytes: Buffer) => `\\x${bytes.toString('hex')}`;
