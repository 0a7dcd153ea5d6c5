import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { Command, InvalidArgumentError } from 'commander';
import type pg from 'pg';
import { deriveKeys, type Keys, type Secrets } from '#server/anonymity/keys.ts';
import { COMMAND, recordAct } from '#server/audit-log.ts';
import { KEYS } from '#server/config/settings.ts';
import { changeStoredSecrets, freshKey, TAKEN_UP_MS } from '#server/config/stored-secrets.ts';
import { LOCKS } from '#server/db/advisory-lock.ts';
import { rewriteTables } from '#server/db/rewrite.ts';
import { sealingKeysInUse } from '#server/db/sealed-table.ts';
import { OperatorError } from '#server/errors/operator-error.ts';
import {
  accountIds,
  addAuthorSalts,
  reindexAccounts,
  resealIdentities,
} from '#server/features/accounts/key-rotation/key-rotation.ts';
import { factors } from '#server/features/office/factor/factor.ts';
import { rotateAuthorKeys, rotateDeedKeys } from '#server/features/reviews/author-keys.ts';
import { lists } from '#server/features/saved/saved.ts';
import { letters } from '#server/features/verification/letters/stored-letters.ts';
import { rekeyQuotas } from '#server/features/verification/mailbox/quota.ts';
import { rekeyTombstones } from '#server/features/verification/tombstones.ts';
import { claimKeys, forgetOlderKeys, giveUpKeys, missingKeys } from '#server/key-prints.ts';
import { resealDocuments } from '#server/legal-demands/demands.ts';
import type { CommandContext, WithDatabase } from './context.ts';
import { progressOf, say } from './terminal.ts';

/** `curbside keys …`: the keys that seal identities. */
export function keysCommand(withDatabase: WithDatabase): Command {
  const keys = new Command('keys').description('The keys that seal identities.');
  keys
    .command('rotate')
    .description(
      'Reseals all identities, letters, second factors, and documents of legal demands under a new key, while the server runs. If you set the secrets' +
        ' yourself, first put a new key before the old one in SEALING_KEYS and restart the server.',
    )
    .action(withDatabase(rotateSealing));
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

async function rotateSealing(context: CommandContext): Promise<void> {
  const { db, database, clock, terminal } = context;
  requireNewKey(context, 'SEALING_KEYS', 'sealing');
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
    const progress = progressOf(terminal, 'accounts');
    const count = await resealIdentities({ db, keys }, await accountIds(db), progress);
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

/** `curbside authorship …`: the key from which author keys are derived. */
export function authorshipCommand(withDatabase: WithDatabase): Command {
  const authorship = new Command('authorship').description('The key that identifies authors.');
  authorship
    .command('rotate')
    .description(
      'Moves all reviews, votes, and reports to a new key, while the server runs. If you set the' +
        ' secrets yourself, first put a new key before the old one in AUTHORSHIP_KEY and restart the' +
        ' server; afterward, remove the old one and restart it again.',
    )
    .action(withDatabase(rotateAuthorship));
  return authorship;
}

async function rotateAuthorship(context: CommandContext): Promise<void> {
  const { config, db, database, clock, terminal } = context;
  requireNewKey(context, 'AUTHORSHIP_KEY', 'authorship');
  const change = {
    setting: 'AUTHORSHIP_KEY' as const,
    add: (secrets: Secrets) => ({ ...secrets, authorship: [freshKey(), ...secrets.authorship] }),
    drop: async (secrets: Secrets) => ({ ...secrets, authorship: secrets.authorship.slice(0, 1) }),
  };
  await withNewKey(context, change, async (secrets) => {
    const keys = deriveKeys(secrets);
    let reviews = 0;
    let deeds = 0;
    // Repeats until nothing is left, because requests in progress may still write under the old
    // key.
    for (let changed = 1; changed > 0; ) {
      const userIds = await accountIds(db);
      const authors = await rotateAuthorKeys({ db, keys }, userIds);
      const done = await rekeyFeedback(context, keys, userIds);
      const progress = progressOf(terminal, 'accounts');
      const salts = await addAuthorSalts({ db, keys }, userIds, progress);
      reviews += authors;
      deeds += done;
      const saved = await lists.reseal({ db, keys });
      const quotas = await rekeyQuotas({ db, keys });
      changed = authors + done + salts + saved + quotas;
    }
    // The order in which rows were changed must not reveal their authors.
    await rewriteTables(database.pool);
    await recordAct(db, clock, { actor: COMMAND, action: 'authorship.rotate', subject: 'reviews' });
    say(terminal, `${reviews} reviews, ${deeds} votes and reports are under the new key.`);
    say(terminal, 'Reviews of locked accounts follow when their owners next log in.');
  });
  if (!config.storesSecrets) say(terminal, 'Now remove the old key and restart the server.');
}

async function rekeyFeedback(
  { db, terminal }: CommandContext,
  keys: Keys,
  userIds: readonly string[],
): Promise<number> {
  let changed = 0;
  for (const deed of ['vote', 'report', 'reply-report'] as const) {
    const progress = progressOf(terminal, `reviews with ${deed}s`);
    changed += await rotateDeedKeys({ db, keys }, deed, userIds, progress);
  }
  return changed;
}

/** `curbside index …`: the key that finds accounts. */
export function indexCommand(withDatabase: WithDatabase): Command {
  const index = new Command('index').description('The key that finds accounts by email and NPI.');
  index
    .command('rotate')
    .description(
      'Moves the indexes that find accounts to a new key, while the server runs. If you set the' +
        ' secrets yourself, first put a new key after the old one in INDEX_KEY and restart every server;' +
        ' then put it before the old one and restart every server; then run this. Afterward, remove' +
        ' the old one.',
    )
    .action(withDatabase(rotateIndex));
  return index;
}

async function rotateIndex(context: CommandContext): Promise<void> {
  const { config, db, clock, terminal } = context;
  const change = {
    setting: 'INDEX_KEY' as const,
    // The new key is added last, so that all servers know it before one of them writes with it.
    announce: (secrets: Secrets) => ({ ...secrets, index: [...secrets.index, freshKey()] }),
    add: (secrets: Secrets) => ({
      ...secrets,
      index: [...secrets.index.slice(-1), ...secrets.index.slice(0, -1)],
    }),
    drop: async (secrets: Secrets) => ({ ...secrets, index: secrets.index.slice(0, 1) }),
  };
  await withNewKey(context, change, async (secrets) => {
    const changed = await reindex(context, deriveKeys(secrets));
    // With only one key, rows under another key cannot be found: see docs/operations.md.
    if (secrets.index.length === 1 && changed === 0) {
      throw new OperatorError(
        'INDEX_KEY has one key: put a new one after it, restart every server, put it before the' +
          ' old one, restart again, and run this again',
      );
    }
    await recordAct(db, clock, { actor: COMMAND, action: 'index.rotate', subject: 'accounts' });
    say(terminal, `All accounts are found with the new key: ${changed} were changed.`);
  });
  if (!config.storesSecrets && config.secrets.index.length > 1) {
    say(terminal, 'Now remove the old key and restart every server.');
  }
}

async function reindex({ db, database, terminal, signal }: CommandContext, keys: Keys) {
  let changed = 0;
  for (;;) {
    const progress = progressOf(terminal, 'accounts');
    const userIds = await accountIds(db);
    const round = await reindexAccounts({ db, keys }, userIds, signal, progress);
    if (signal.aborted) throw new OperatorError('stopped: run it again to finish');
    changed += round.changed;
    await rekeyTombstones({ db, keys });
    // Repeats until none is left, because requests in progress may still write under the old key.
    if (round.outdated === 0) return changed;
    // The order in which rows were changed must not reveal anything. This waits for those requests.
    await rewriteTables(database.pool);
  }
}

/** Secrets that the operator sets must have the new key already. */
function requireNewKey(
  { config }: Pick<CommandContext, 'config'>,
  setting: Setting,
  kind: 'sealing' | 'authorship',
): void {
  if (config.storesSecrets || config.secrets[kind].length > 1) return;
  throw new OperatorError(
    `${setting} has one key: put a new one before it, restart the server, and run this again`,
  );
}

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
async function withNewKey(
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
    await endOfTransactions(pool);
    await workWith(secrets);
    const remaining = await drop(secrets);
    changeStoredSecrets(config.dataDir, () => remaining);
  });
}

/** Waits until the transactions that run now have ended, because they may only know older keys. */
async function endOfTransactions(pool: pg.Pool): Promise<void> {
  const { rows } = await pool.query('select clock_timestamp()::text as now');
  const older = `select from pg_stat_activity
    where datname = current_database() and backend_type = 'client backend' and xact_start < $1
      and pid <> pg_backend_pid()`;
  while ((await pool.query(older, [rows[0].now])).rowCount !== 0) await pause(50);
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
