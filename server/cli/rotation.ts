import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import type { Secrets } from '#server/anonymity/keys.ts';
import { changeStoredSecrets, TAKEN_UP_MS } from '#server/config/stored-secrets.ts';
import { LOCKS } from '#server/db/advisory-lock.ts';
import { OperatorError } from '#server/errors/operator-error.ts';
import { claimKeys, forgetOlderKeys } from '#server/key-prints.ts';
import type { CommandContext } from './context.ts';

interface KeyChange {
  readonly setting: 'SEALING_KEYS' | 'INDEX_KEY' | 'AUTHORSHIP_KEY';
  /** A change that every server must know before `add`. */
  readonly announce?: (secrets: Secrets) => Secrets;
  readonly add: (secrets: Secrets) => Secrets;
  readonly drop: (secrets: Secrets) => Promise<Secrets>;
}

/**
 * Runs `work` with a new key first in the secrets. If the secrets are stored in DATA_DIR, `add`
 * stores the key there for running servers to load, and `drop` removes unneeded keys afterward.
 * Otherwise, the operator has already set the new key.
 */
export async function withNewKey(
  { config, database }: Pick<CommandContext, 'config' | 'database'>,
  { setting, announce, add, drop }: KeyChange,
  work: (secrets: Secrets) => Promise<void>,
): Promise<void> {
  const { pool } = database;
  const workWith = async (secrets: Secrets) => {
    await claimKeys(pool, secrets);
    await work(secrets);
    await forgetOlderKeys(pool, secrets, setting);
  };
  await alone(pool, async () => {
    if (!config.storesSecrets) return workWith(config.secrets);
    if (announce) {
      changeStoredSecrets(config.dataDir, announce);
      await pause(TAKEN_UP_MS);
    }
    const secrets = changeStoredSecrets(config.dataDir, add);
    await pause(TAKEN_UP_MS);
    await workWith(secrets);
    const remaining = await drop(secrets);
    changeStoredSecrets(config.dataDir, () => remaining);
  });
}

/** Two simultaneous rotations would each drop the key that the other one added. */
async function alone(pool: pg.Pool, work: () => Promise<void>): Promise<void> {
  const client = await pool.connect();
  try {
    const { rows } = await client.query('select pg_try_advisory_lock($1) as free', [
      LOCKS.keyRotation,
    ]);
    if (!rows[0]?.free) throw new OperatorError('keys are already being rotated: try again later');
    await work().finally(() => client.query('select pg_advisory_unlock($1)', [LOCKS.keyRotation]));
  } finally {
    client.release();
  }
}
