import { randomBytes } from 'node:crypto';
import type pg from 'pg';
import { bySetting, keyPrint, type Secrets } from './anonymity/keys.ts';
import { KEYS } from './config/settings.ts';
import { holdingLock, LOCKS } from './db/advisory-lock.ts';
import { OperatorError } from './errors/operator-error.ts';

type Setting = (typeof KEYS)[number];
type Queryable = Pick<pg.ClientBase, 'query'>;

interface Row {
  readonly setting: Setting;
  readonly salt: Buffer;
  readonly print: Buffer;
}

const isOf =
  ({ salt, print }: Row) =>
  (key: Buffer) =>
    keyPrint(key, salt).equals(print);

/** The prints of the keys that the database was used with, and has since not been rotated out of. */
async function printsIn(db: Queryable): Promise<Row[]> {
  // A new database does not have the table yet.
  const { rows: tables } = await db.query("select where to_regclass('key_prints') is not null");
  if (tables.length === 0) return [];
  return (await db.query<Row>('select setting, salt, print from key_prints')).rows;
}

/** The settings that lack a key of this database. */
export async function missingKeys(db: Queryable, secrets: Secrets): Promise<Setting[]> {
  const keys = bySetting(secrets);
  const rows = await printsIn(db);
  return KEYS.filter((name) =>
    rows.some((row) => row.setting === name && !keys[name].some(isOf(row))),
  );
}

/** Throws OperatorError if the database was used with a key that is not here. */
export async function requireKeys(db: Queryable, secrets: Secrets): Promise<void> {
  const missing = await missingKeys(db, secrets);
  if (missing.length > 0) throw new OperatorError(lacksKeys(missing));
}

export const lacksKeys = (missing: readonly Setting[]): string =>
  `${missing.join(', ')} ${missing.length > 1 ? 'lack keys' : 'lacks a key'} that this database was` +
  ' used with: set the old value again (or, if it is lost or replaced, run curbside keys accept)';

/**
 * Records that the database is used with the first key of each setting, before anything is written
 * with it. Throws OperatorError like `requireKeys`.
 */
export function claimKeys(pool: pg.Pool, secrets: Secrets): Promise<void> {
  // One at a time: of two servers with other keys, the second one must see the first.
  return holdingLock(pool, LOCKS.start, async (client) => {
    await requireKeys(client, secrets);
    const rows = await printsIn(client);
    for (const [setting, [key]] of Object.entries(bySetting(secrets))) {
      if (!key || rows.some((row) => row.setting === setting && isOf(row)(key))) continue;
      const salt = randomBytes(16);
      await client.query('insert into key_prints (setting, salt, print) values ($1, $2, $3)', [
        setting,
        salt,
        keyPrint(key, salt),
      ]);
    }
  });
}

/** After a rotation, the database needs only the first key of a setting. */
export async function forgetOlderKeys(db: Queryable, secrets: Secrets, setting: Setting) {
  const [first] = bySetting(secrets)[setting];
  await forget(db, (row) => row.setting === setting && !(first && isOf(row)(first)));
}

/** Gives up the keys of these settings that are not here. */
export async function giveUpKeys(db: Queryable, secrets: Secrets, settings: readonly Setting[]) {
  const keys = bySetting(secrets);
  await forget(db, (row) => settings.includes(row.setting) && !keys[row.setting].some(isOf(row)));
}

async function forget(db: Queryable, isForgotten: (row: Row) => boolean) {
  const prints = (await printsIn(db)).filter(isForgotten).map(({ print }) => print);
  await db.query('delete from key_prints where print = any($1::bytea[])', [prints]);
}
