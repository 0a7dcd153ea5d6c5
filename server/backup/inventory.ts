import type pg from 'pg';
import type { Keys } from '#server/anonymity/keys.ts';
import type { Db } from '#server/db/open.ts';
import { savedMarks } from '#server/features/saved/saved.ts';
import { ArchiveError, type Section } from './archive.ts';
import { copyIn, sectionOf } from './tables.ts';

/** A left join: a review that is missing here is deleted by a restore. */
const WITH_AUTHORS = 'left join review_authors on review_id = id order by id';

/**
 * What exists at one moment. Anything that a backup has and a later inventory does not was deleted
 * in between. So no list of deletions is stored anywhere: the database has none that could be
 * stolen, and an inventory names nothing that was deleted (docs/anonymity.md, "Backups").
 * Each part has the columns of its temporary table during a restore, and the query that reads it,
 * in the order of random ids.
 */
const PARTS = {
  users: { columns: { id: 'uuid primary key' }, query: 'select id from users order by id' },
  // Shows which reviews share an author, but nothing that leads to one.
  reviews: {
    columns: { id: 'uuid primary key', author: 'bytea', removed_reason: 'text' },
    query: `select id, ${authorTag()}, removed_reason from reviews ${WITH_AUTHORS}`,
  },
  scheduled_reviews: {
    columns: { id: 'uuid primary key', author: 'bytea' },
    query: `select id, ${authorTag()} from scheduled_reviews ${WITH_AUTHORS}`,
  },
  departing_reviews: {
    columns: { review_id: 'uuid primary key', leaves_at: 'timestamptz' },
    query: 'select review_id, leaves_at from departing_reviews order by review_id',
  },
  review_replies: {
    columns: {
      review_id: 'uuid primary key',
      deleted: 'boolean',
      removed: 'boolean',
      decided_on: 'date',
      rule: 'text',
      note: 'text',
    },
    query: `select review_id, deleted, removed, decided_on, rule, note
      from review_replies order by review_id`,
  },
  // Doctors without verification or without permission to post.
  doctors: {
    columns: {
      user_id: 'uuid primary key',
      verified: 'boolean',
      can_post_reviews: 'boolean',
      posting_from: 'date',
    },
    query: `select user_id, verified, can_post_reviews, posting_from from doctors
      where not (verified and can_post_reviews) order by user_id`,
  },
  staff: {
    columns: {
      id: 'uuid primary key',
      is_admin: 'boolean',
      roles: 'text[]',
      end_left: 'text',
      end_left_on: 'date',
    },
    query: `select id, is_admin, roles, end_left, end_left_on from users
      where is_admin or end_left is not null order by id`,
  },
  representatives: {
    columns: { user_id: 'uuid primary key', state: 'text', reason: 'text' },
    query: `select user_id, state, reason from representatives where state <> 'approved'
      order by user_id`,
  },
  npi_tombstones: {
    columns: {
      npi_index: 'bytea primary key',
      sealed: 'bytea',
      kind: 'text',
      ends_on: 'date',
    },
    query: 'select npi_index, sealed, kind, ends_on from npi_tombstones order by npi_index',
  },
  saved_mailings: {
    columns: { week: 'date primary key', done_to: 'uuid', is_done: 'boolean' },
    query: 'select week, done_to, is_done from saved_mailings order by week',
  },
} as const satisfies Record<string, { columns: Record<string, string>; query: string }>;

type Part = keyof typeof PARTS;
export const INVENTORY_PARTS = Object.keys(PARTS) as Part[];

/** Marks of everything that accounts have saved (features/saved/saved.ts), in mark order. */
const SAVED = 'saved';

/**
 * Shows only which reviews in one inventory share an author: the salt is random and dropped with
 * the transaction. Nobody can compute a tag from an account or from an author key.
 */
function authorTag() {
  return 'substring(sha256((select salt from pg_temp.inventory_salt) || author_key) for 8)';
}

/** Reads what exists, in the caller's transaction. */
export async function inventorySections(
  client: pg.ClientBase,
  db: Db,
  keys: Keys,
): Promise<Section[]> {
  await client.query(
    `create temp table inventory_salt on commit drop as
      select uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()) as salt`,
  );
  const sections = INVENTORY_PARTS.map((name) => {
    const { columns, query } = PARTS[name];
    return sectionOf(client, name, Object.keys(columns), `copy (${query}) to stdout`);
  });
  return [...sections, savedSection(client, db, keys)];
}

/** The database sorts the marks. In account order, they would show which ones belong together. */
function savedSection(client: pg.ClientBase, db: Db, keys: Keys): Section {
  const copy = `copy (select mark from ${tableOf(SAVED)} order by mark) to stdout`;
  const sorted = sectionOf(client, SAVED, ['mark'], copy);
  async function* rows(): AsyncGenerator<Buffer> {
    await createTable(client, SAVED);
    for await (const marks of savedMarks(db, keys)) {
      await client.query(
        `insert into ${tableOf(SAVED)} select unnest($1::bytea[]) on conflict do nothing`,
        [marks],
      );
    }
    yield* sorted.rows;
  }
  return { ...sorted, rows: rows() };
}

/** Loads an inventory into temporary tables, named `inventory_` plus the part's name. */
export async function loadInventory(
  client: pg.ClientBase,
  sections: AsyncIterable<Section>,
): Promise<void> {
  const missing = new Set<string>([...INVENTORY_PARTS, SAVED]);
  for await (const { name, columns, rows, count } of sections) {
    const wanted = columnsOf(name);
    if (!missing.delete(name) || Object.keys(wanted).join() !== columns.join()) {
      throw new ArchiveError(`it has the unknown part ${name}`);
    }
    await createTable(client, name);
    const loaded = await copyIn(client, `copy ${tableOf(name)} from stdin`, rows);
    if (loaded !== count()) throw new ArchiveError(`rows are missing in ${name}`);
    await client.query(`analyze ${tableOf(name)}`);
  }
  if (missing.size > 0) throw new ArchiveError(`it is missing ${[...missing].join(', ')}`);
}

const tableOf = (part: string) => `pg_temp.inventory_${part}`;

const columnsOf = (part: string): Readonly<Record<string, string>> =>
  part === SAVED ? { mark: 'bytea primary key' } : (PARTS[part as Part]?.columns ?? {});

async function createTable(client: pg.ClientBase, part: string) {
  const columns = Object.entries(columnsOf(part)).map((column) => column.join(' '));
  await client.query(`create temp table inventory_${part} (${columns.join(', ')}) on commit drop`);
}

const LARGE_SHARE = 0.05;

/** Whether more rows are missing than people usually delete between two backups. */
export const isLargeLoss = (before: number, now: number): boolean =>
  before - now > LARGE_SHARE * before;
