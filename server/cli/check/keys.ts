import { sql } from 'kysely';
import { deriveKeys } from '#server/anonymity/keys.ts';
import { SealError } from '#server/anonymity/seal.ts';
import type { Config } from '#server/config/config.ts';
import type { Connections, Db } from '#server/db/open.ts';
import { sealingKeysInUse } from '#server/db/sealing-keys-in-use.ts';
import { loadProfile } from '#server/features/accounts/identity/profiles.ts';
import { lacksKeys, missingKeys } from '#server/key-prints.ts';
import { type Finding, reporter } from './result.ts';

/** PostgreSQL's undefined_table. */
const NO_TABLE = '42P01';

/** Checks that every key that the database needs is present and correct. */
export async function* checkKeys(
  { secrets }: Pick<Config, 'secrets'>,
  { db, pool }: Connections,
): AsyncGenerator<Finding> {
  const { ok, warn, fail } = reporter('keys');
  try {
    const lacking = await missingKeys(pool, secrets);
    if (lacking.length > 0) yield fail(lacksKeys(lacking));
    const used = await sealingKeysInUse(db);
    const missing = [...used].filter((id) => secrets.sealing.every((key) => key.id !== id));
    for (const id of missing) {
      yield fail(`the database needs the key with the id ${id}: add it to SEALING_KEYS`);
    }
    const wrong = missing.length === 0 && !(await opensAccounts(db, secrets));
    if (wrong) yield fail('SEALING_KEYS has the ids that the database needs, but with other keys');
    if (lacking.length + missing.length === 0 && !wrong) yield ok('all keys in use are set');
  } catch (error) {
    if ((error as { code?: string }).code !== NO_TABLE) throw error;
    yield warn('not checked before the migrations are applied');
  }
}

/** Tries one account per key. */
async function opensAccounts(db: Db, secrets: Config['secrets']): Promise<boolean> {
  const { rows } = await sql<{ id: string }>`
    select distinct on (substring(sealed from 3 for get_byte(sealed, 1))) id from users`.execute(
    db,
  );
  const keys = deriveKeys(secrets);
  try {
    for (const { id } of rows) await loadProfile(keys, db, id);
    return true;
  } catch (error) {
    if (error instanceof SealError) return false;
    throw error;
  }
}
