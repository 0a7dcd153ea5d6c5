import { setTimeout as pause } from 'node:timers/promises';
import type { Secrets } from '#server/anonymity/keys.ts';
import { changeStoredSecrets, TAKEN_UP_MS } from '#server/stored-secrets.ts';
import type { CommandContext } from './context.ts';

/**
 * Runs `work` with secrets that begin with a new key. Where the secrets are stored in DATA_DIR,
 * `add` puts the key there for running servers to take up, and `drop` takes away what is not
 * needed any more once the work is done. Else the operator has set it before.
 */
export async function withNewKey(
  { config }: Pick<CommandContext, 'config'>,
  change: {
    readonly add: (secrets: Secrets) => Secrets;
    readonly drop: (secrets: Secrets) => Promise<Secrets>;
  },
  work: (secrets: Secrets) => Promise<void>,
): Promise<void> {
  if (!config.storesSecrets) return work(config.secrets);
  const secrets = changeStoredSecrets(config.dataDir, change.add);
  await pause(TAKEN_UP_MS);
  await work(secrets);
  const remaining = await change.drop(secrets);
  changeStoredSecrets(config.dataDir, () => remaining);
}
