import type { Config } from '#server/config.ts';
import { lastBackup } from '#server/last-backup.ts';
import { OperatorError } from '#server/operator-error.ts';
import { type Finding, reporter } from './result.ts';

const HOUR_MS = 3_600_000;
/** A nightly backup may start later, or take longer, than the last one. */
const WARN_HOURS = 26;
const FAIL_HOURS = 50;

export async function* checkBackup({
  dataDir,
  embedded,
}: Pick<Config, 'dataDir' | 'embedded'>): AsyncGenerator<Finding> {
  const { ok, warn, fail } = reporter('backup');
  if (embedded) {
    yield ok('not needed for the embedded default');
    return;
  }
  try {
    const finished = await lastBackup(dataDir);
    if (!finished) {
      yield warn('no backup has finished yet: make one every night (docs/operations.md)');
      return;
    }
    const hours = Math.floor((Date.now() - finished.getTime()) / HOUR_MS);
    const says = `the last one finished ${hours} hours ago`;
    if (hours >= FAIL_HOURS) yield fail(`${says}: find out why the nightly backup fails`);
    else if (hours >= WARN_HOURS) yield warn(`${says}: it should run every night`);
    else yield ok(says);
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    yield fail(`${error.message}: make a backup`);
  }
}
