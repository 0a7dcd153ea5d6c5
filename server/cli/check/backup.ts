import { MINUTE_MS } from '#contract/limits.ts';
import type { Config } from '#server/config/config.ts';
import { OperatorError } from '#server/errors/operator-error.ts';
import { ageOfLast } from '#server/files/last-backup.ts';
import { type Finding, reporter } from './result.ts';

const HOUR_MS = 60 * MINUTE_MS;
/** A nightly backup may start later, or take longer, than the last one. */
const BACKUP = { warn: 26, fail: 50 };
/** In hours. It should run every ten minutes. */
const INVENTORY = { warn: 1, fail: 24 };

export async function* checkBackup({
  dataDir,
  embedded,
}: Pick<Config, 'dataDir' | 'embedded'>): AsyncGenerator<Finding> {
  if (embedded) {
    yield reporter('backup').ok('not needed for the embedded default');
    return;
  }
  yield await checkLast('backup', dataDir, BACKUP, 'every night');
  yield await checkLast('inventory', dataDir, INVENTORY, 'every ten minutes');
}

async function checkLast(
  what: 'backup' | 'inventory',
  dataDir: string,
  hours: { readonly warn: number; readonly fail: number },
  interval: string,
): Promise<Finding> {
  const { ok, warn, fail } = reporter(what);
  try {
    const age = await ageOfLast(dataDir, what, Date.now());
    if (age === null) {
      return warn(`no ${what} has finished yet: make one ${interval} (docs/backups.md)`);
    }
    const long = what === 'backup' ? `${Math.floor(age / HOUR_MS)} hours` : minutes(age);
    const says = `the last one finished ${long} ago`;
    if (age >= hours.fail * HOUR_MS) return fail(`${says}: find out why it fails`);
    if (age >= hours.warn * HOUR_MS) return warn(`${says}: it should run ${interval}`);
    return ok(says);
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    return fail(`${error.message}: make ${what === 'backup' ? 'a backup' : 'an inventory'}`);
  }
}

const minutes = (ms: number) => `${Math.floor(ms / MINUTE_MS)} minutes`;
