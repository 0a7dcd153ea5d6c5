import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import type { Secrets } from '#server/anonymity/keys.ts';
import { OperatorError } from '#server/operator-error.ts';
import { changeStoredSecrets, TAKEN_UP_MS } from '#server/stored-secrets.ts';
import type { CommandContext } from './context.ts';

/** Any number but that of the migrations: all commands that rotate keys take the same lock. */
const LOCK = 7_346_215;

interface KeyChange {
  /** What has to be known to every server before `add`. */
  readonly announce?: (secrets: Secrets) => Secrets;
  readonly add: (secrets: Secrets) => Secrets;
  readonly drop: (secrets: Secrets) => Promise<Secrets>;
}

/**
 * Runs `work` with secrets that begin with a new key. Where the secrets are stored in DATA_DIR,
 * `add` puts the key there for running servers to take up, and `drop` takes away what is not
 * needed any more once the work is done. Else the operator has set it before.
 */
export async function withNewKey(
  { config, database }: Pick<CommandContext, 'config' | 'database'>,
  { announce, add, drop }: KeyChange,
  work: (secrets: Secrets) => Promise<void>,
): Promise<void> {
  await alone(database.pool, async () => {
    if (!config.storesSecrets) return work(config.secrets);
    if (announce) {
      changeStoredSecrets(config.dataDir, announce);
      await pause(TAKEN_UP_MS);
    }
    const secrets = changeStoredSecrets(config.dataDir, add);
    await pause(TAKEN_UP_MS);
    await work(secrets);
    const remaining = await drop(secrets);
    changeStoredSecrets(config.dataDir, () => remaining);
  });
}

/** Of two that rotate keys at once, each would drop what the other has just added. */
async function alone(pool: pg.Pool, work: () => Promise<void>): Promise<void> {
  const client = await pool.connect();
  try {
    const { rows } = await client.query('select pg_try_advisory_lock($1) as free', [LOCK]);
    if (!rows[0]?.free) throw new OperatorError('keys are being rotated already: try again later');
    await work().finally(() => client.query('select pg_advisory_unlock($1)', [LOCK]));
  } finally {
    client.release();
  }
}
