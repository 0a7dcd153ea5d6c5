import { randomBytes } from 'node:crypto';
import { Command, InvalidArgumentError } from 'commander';
import { deriveKeys, type Secrets } from '#server/anonymity/keys.ts';
import { COMMAND, recordAct } from '#server/audit-log.ts';
import { KEYS } from '#server/config/settings.ts';
import { freshKey } from '#server/config/stored-secrets.ts';
import { rewriteTables } from '#server/db/rewrite.ts';
import { sealingKeysInUse } from '#server/db/sealing-keys-in-use.ts';
import { OperatorError } from '#server/errors/operator-error.ts';
import { accountIds, resealIdentities } from '#server/features/accounts/key-rotation/resealing.ts';
import { factors } from '#server/features/office/factor/factor.ts';
import { letters } from '#server/features/verification/letters/stored-letters.ts';
import { rekeyTombstones } from '#server/features/verification/tombstones.ts';
import { giveUpKeys, missingKeys } from '#server/key-prints.ts';
import { resealDocuments } from '#server/legal-demands/documents.ts';
import type { CommandContext, WithDatabase } from './context.ts';
import { progressOf } from './progress.ts';
import { withNewKey } from './rotation.ts';
import { say } from './terminal.ts';

/** `curbside keys …`: the keys that seal identities. */
export function keysCommand(withDatabase: WithDatabase): Command {
  const keys = new Command('keys').description('The keys that seal identities.');
  keys
    .command('rotate')
    .description(
      'Reseals all identities, letters, second factors, and documents of legal demands under a new key, while the server runs. If you set the secrets' +
        ' yourself, first put a new key before the old one in SEALING_KEYS and restart the server.',
    )
    .action(withDatabase(rotate));
  keys
    .command('accept')
    .description(
      'Uses the database without a key that is lost, or after a change of SESSION_KEY. Stop the servers' +
        ' first. Without --lost, only prints what is lost.',
    )
    .argument('<setting>', `${KEYS.join(', ')}`, readSetting)
    .option('--lost', 'give up what the missing key is needed for')
    .action(withDatabase(accept, { takesOtherKeys: true }));
  return keys;
}

async function rotate(context: CommandContext): Promise<void> {
  const { config, db, database, clock, terminal } = context;
  if (!config.storesSecrets && config.secrets.sealing.length < 2) {
    throw new OperatorError(
      'SEALING_KEYS has one key: put a new one before it, restart the server, and run this again',
    );
  }
  const inUse = async (secrets: Secrets) => {
    const used = await sealingKeysInUse(db);
    return secrets.sealing.filter(({ id }, at) => at === 0 || used.has(id));
  };
  const change = {
    setting: 'SEALING_KEYS' as const,
    add: (secrets: Secrets) => ({
      ...secrets,
      sealing: [{ id: `k${randomBytes(4).toString('hex')}`, key: freshKey() }, ...secrets.sealing],
    }),
    drop: async (secrets: Secrets) => ({ ...secrets, sealing: await inUse(secrets) }),
  };
  await withNewKey(context, change, async (secrets) => {
    const keys = deriveKeys(secrets);
    const { update, stop } = progressOf(terminal, 'accounts');
    const count = await resealIdentities({ db, keys }, await accountIds(db), update).finally(stop);
    await rekeyTombstones({ db, keys });
    await letters.reseal({ db, keys });
    await factors.reseal({ db, keys });
    await resealDocuments({ db, keys });
    // The order in which rows were changed must not reveal anything.
    await rewriteTables(database.pool);
    await recordAct(db, clock, { actor: COMMAND, action: 'keys.rotate', subject: 'accounts' });
    say(terminal, `${count} accounts are sealed under the new key.`);
    const [, ...older] = await inUse(secrets);
    for (const { id } of older) {
      say(terminal, `Key ${id} is still needed for pending codes, links, or jobs: up to 14 days.`);
    }
  });
}

type Setting = (typeof KEYS)[number];

const LOSSES: Readonly<Record<Setting, string>> = {
  SEALING_KEYS:
    'Names, addresses, NPIs, and documents of legal demands under the missing key can never be read again.',
  INDEX_KEY: 'Nobody can sign in until curbside index rotate has run.',
  AUTHORSHIP_KEY: 'Nobody can find, edit, or delete what they wrote under the missing key.',
  SESSION_KEY:
    'Everyone has to sign in again. Pending codes and links stop working. A mailbox that has proven' +
    ' one account can prove another.',
};

async function accept(context: CommandContext, setting: Setting, { lost }: { lost?: true }) {
  const { config, database, db, clock, terminal } = context;
  if (!(await missingKeys(database.pool, config.secrets)).includes(setting)) {
    say(terminal, `${setting} has every key that this database was used with.`);
    return;
  }
  say(terminal, LOSSES[setting]);
  if (!lost) throw new OperatorError('nothing was changed: add --lost to go on without the key');
  await giveUpKeys(database.pool, config.secrets, [setting]);
  await recordAct(db, clock, { actor: COMMAND, action: 'keys.accept', subject: setting });
  say(terminal, `The database goes on with the ${setting} that is set.`);
}

function readSetting(text: string): Setting {
  const setting = KEYS.find((name) => name === text);
  if (!setting) throw new InvalidArgumentError(`It must be one of ${KEYS.join(', ')}.`);
  return setting;
}
